import { existsSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { realFile } from '../store/file-flaw.ts';
import { schemaState } from '../store/schema-state.ts';
import { databaseFlaw, firstValue, openFile, openToRead, ownSteps } from '../store/sqlite/database-file.ts';
import { retryWhileBusy } from '../store/sqlite/sqlite-errors.ts';
import { guards, sqliteDifferences } from './compare-schema.ts';
import { type Finding, type InspectedDatabase, ok, wrong } from './finding.ts';

const BUSY_LIMIT_MS = 2000;

/** Inspects a database without changing it; throws SQLite's error for a file that is not a database. */
export async function inspectSqlite(path: string): Promise<InspectedDatabase> {
  const file = realFile(path);
  const description = `SQLite file ${file}`;
  const unusable = databaseFlaw(file);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    return { description, exists: existsSync(file), schema: 'none', taken: [], unusable, findings: [] };
  }
  const database = unusable === undefined ? openFile(file, { timeout: 0 }) : openToRead(file);
  try {
    database.exec('PRAGMA trusted_schema = OFF');
    const taken = ownSteps(database, file);
    const schema = schemaState(taken);
    if (unusable === undefined) {
      await retryWhileBusy(BUSY_LIMIT_MS, () => database.exec('BEGIN IMMEDIATE'));
      database.exec('ROLLBACK');
    }
    const differences = schema === 'newer' || schema === 'none' ? undefined : sqliteDifferences(database, taken);
    const findings = [
      integrity(database, description),
      ...(differences === undefined ? [] : [guards(differences)]),
      durability(database),
    ];
    return { description, exists: true, schema, taken, unusable, findings };
  } finally {
    database.close();
  }
}

/** The first error that SQLite finds when it reads the whole file. */
function integrity(database: DatabaseSync, description: string): Finding {
  const damage = String(firstValue(database, 'PRAGMA quick_check(1)')).replaceAll(/\s+/g, ' ');
  return damage === 'ok'
    ? ok('integrity', 'SQLite has read the whole file')
    : wrong('integrity', `${description} is damaged: ${damage}. What to do: docs/operators/operating.md.`);
}

/** The service sets both this and `synchronous`, which belongs to a connection, when it starts, and refuses to run without them. */
function durability(database: DatabaseSync): Finding {
  const mode = String(firstValue(database, 'PRAGMA journal_mode'));
  return ok('durability', `journal mode is ${mode}${mode === 'wal' ? '' : '; the service sets it to wal'}`);
}
