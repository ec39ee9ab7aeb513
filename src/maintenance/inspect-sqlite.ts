import { constants, existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { schemaState } from '../store/schema-state.ts';
import { retryWhileBusy } from '../store/sqlite/sqlite-errors.ts';
import { ownSteps } from '../store/sqlite/taken-steps.ts';
import { guards, sqliteDifferences } from './compare-schema.ts';
import { type Finding, type InspectedDatabase, ok, wrong } from './finding.ts';

const MEND = "give the service's user write permission, or start the service as another user";

/** How long to wait for another writer. */
const BUSY_LIMIT_MS = 2000;

/** Inspects a database without changing it; throws SQLite's error for a file that is not a database. */
export async function inspectSqlite(path: string): Promise<InspectedDatabase> {
  const file = resolve(path);
  const description = `SQLite file ${file}`;
  if (!existsSync(file)) {
    const unusable = await folderFlaw(dirname(file));
    return { description, exists: false, schema: 'none', unusable, findings: [], files: [] };
  }
  const unusable = await fileFlaw(file);
  const database = new Database(file, { readonly: unusable !== undefined, timeout: 0, fileMustExist: true });
  try {
    database.pragma('trusted_schema = OFF');
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
    const files = [file, `${file}-wal`, `${file}-shm`].filter(existsSync);
    return { description, exists: true, schema, unusable, findings, files };
  } finally {
    database.close();
  }
}

/** The first error that SQLite finds when it reads the whole file. */
function integrity(database: Database.Database, description: string): Finding {
  const damage = String(database.pragma('quick_check(1)', { simple: true })).replaceAll(/\s+/g, ' ');
  return damage === 'ok'
    ? ok('integrity', 'SQLite has read the whole file')
    : wrong('integrity', `${description} is damaged: ${damage}. What to do: docs/operating.md.`);
}

/** The service sets both this and `synchronous`, which belongs to a connection, when it starts, and refuses to run without them. */
function durability(database: Database.Database): Finding {
  const mode = String(database.pragma('journal_mode', { simple: true }));
  return ok('durability', `journal mode is ${mode}${mode === 'wal' ? '' : '; the service sets it to wal'}`);
}

async function fileFlaw(file: string): Promise<string | undefined> {
  for (const path of [file, dirname(file)]) {
    try {
      await access(path, constants.W_OK);
    } catch {
      return `${path} cannot be written by this user; ${MEND}`;
    }
  }
  return undefined;
}

/** The nearest existing folder must be writable, so that the file can be created. */
async function folderFlaw(folder: string): Promise<string | undefined> {
  const there = existsSync(folder) ? folder : dirname(folder);
  if (!existsSync(there)) return folderFlaw(there);
  return access(there, constants.W_OK | constants.X_OK).then(
    () => undefined,
    () => `${there} cannot be written by this user; ${MEND}`,
  );
}
