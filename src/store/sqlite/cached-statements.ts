import type Database from 'better-sqlite3';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

/** Prepares each SQL text once per connection, because preparing a statement costs SQLite more than running most of our queries. */
export function cachedStatements(database: Database.Database): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare: (sql) => {
      let statement = prepared.get(sql);
      if (statement === undefined) {
        statement = database.prepare(sql) as unknown as SqliteStatement;
        prepared.set(sql, statement);
      }
      return statement;
    },
  };
}
