import { closeSync, openSync, writeSync } from 'node:fs';
import Database from 'better-sqlite3';

/** Overwrites the first page of a table, and of its indexes, as a failing disk may. The file must be closed by all, or checkpointed. */
export function damageTable(file: string, table: string): void {
  const database = new Database(file);
  database.pragma('wal_checkpoint(TRUNCATE)');
  const pageSize = Number(database.pragma('page_size', { simple: true }));
  const pages = database.prepare<[string], number>(
    'SELECT rootpage FROM sqlite_master WHERE tbl_name = ? AND rootpage > 0',
  );
  const roots = pages.pluck().all(table);
  database.close();
  const descriptor = openSync(file, 'r+');
  for (const page of roots) writeSync(descriptor, Buffer.alloc(pageSize, 0x5a), 0, pageSize, (page - 1) * pageSize);
  closeSync(descriptor);
}
