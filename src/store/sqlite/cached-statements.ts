import type Database from 'better-sqlite3';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

/** A connection that caches its prepared statements. */
export interface CachedStatements extends SqliteDatabase {
  /** How many statements that may change something have been requested so far. */
  changesAttempted(): number;
}

/** Prepares each SQL text once per connection, because preparing most of our statements costs SQLite more than running them. */
export function cachedStatements(database: Database.Database): CachedStatements {
  const prepared = new Map<string, { readonly statement: SqliteStatement; readonly readonly: boolean }>();
  let changesAttempted = 0;
  return {
    close: () => database.close(),
    changesAttempted: () => changesAttempted,
    prepare: (sql) => {
      let found = prepared.get(sql);
      if (found === undefined) {
        const statement = database.prepare(sql);
        found = { statement: statement as unknown as SqliteStatement, readonly: statement.readonly };
        prepared.set(sql, found);
      }
      if (!found.readonly) changesAttempted++;
      return found.statement;
    },
  };
}
