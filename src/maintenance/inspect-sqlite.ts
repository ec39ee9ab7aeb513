import { constants, existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { schemaState } from '../store/schema-state.ts';
import { retryWhileBusy } from '../store/sqlite/sqlite-errors.ts';
import { ownSteps } from '../store/sqlite/taken-steps.ts';
import type { DatabaseState } from './database-state.ts';

const MEND = "give the service's user write permission, or start the service as another user";

/** How long to wait for another writer. */
const BUSY_LIMIT_MS = 2000;

/** Inspects a database without changing it; throws SQLite's error for a file that is not a database. */
export async function inspectSqlite(path: string): Promise<DatabaseState> {
  const file = resolve(path);
  const description = `SQLite file ${file}`;
  const nothing = {
    durability: [],
    waitsForStandby: undefined,
    mostConnections: undefined,
    clockDifferenceMs: undefined,
    files: [],
    damage: undefined,
  };
  if (!existsSync(file)) {
    return { description, exists: false, schema: 'none', unusable: await folderFlaw(dirname(file)), ...nothing };
  }
  const unusable = await fileFlaw(file);
  const database = new Database(file, { readonly: unusable !== undefined, timeout: 0, fileMustExist: true });
  try {
    const schema = schemaState(ownSteps(database, file));
    if (unusable === undefined) {
      await retryWhileBusy(BUSY_LIMIT_MS, () => database.exec('BEGIN IMMEDIATE'));
      database.exec('ROLLBACK');
    }
    const journalMode = String(database.pragma('journal_mode', { simple: true }));
    return {
      ...nothing,
      description,
      exists: true,
      schema,
      unusable,
      // `synchronous` is set per connection. The service sets it for its own, and refuses to start without it.
      durability: [{ name: 'journal mode', is: journalMode, expected: 'wal' }],
      damage: damageOf(database),
      files: [file, `${file}-wal`, `${file}-shm`].filter(existsSync),
    };
  } finally {
    database.close();
  }
}

/** The first error that SQLite finds when it reads the whole file. */
function damageOf(database: Database.Database): string | undefined {
  const found = String(database.pragma('quick_check(1)', { simple: true }));
  return found === 'ok' ? undefined : found.replaceAll(/\s+/g, ' ');
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
