import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { firstColumn, firstValue, openFile } from '../../../src/store/sqlite/database-file.ts';

/**
 * Overwrites the first page of a table, and of its indexes, as a failing disk may, and makes open connections read it again. Returns a
 * function that restores the pages that have not been written since.
 */
export function damageTable(file: string, table: string): () => void {
  const database = openFile(file);
  lockCheckpointed(database);
  const pageSize = firstValue<number>(database, 'PRAGMA page_size') ?? 0;
  const pages = `SELECT rootpage FROM sqlite_schema WHERE tbl_name = '${table}' AND rootpage > 0`;
  const roots = firstColumn<number>(database, pages);
  const whole = new Map<number, Buffer>();
  const damage = Buffer.alloc(pageSize, 0x5a);
  const descriptor = openSync(file, 'r+');
  for (const page of roots) {
    const content = Buffer.alloc(pageSize);
    readSync(descriptor, content, 0, pageSize, (page - 1) * pageSize);
    whole.set(page, content);
    writeSync(descriptor, damage, 0, pageSize, (page - 1) * pageSize);
  }
  closeSync(descriptor);
  // A page that another connection has in memory is read again after a write.
  database.exec('UPDATE reference_version SET version = version');
  database.exec('COMMIT');
  database.close();
  return () => {
    const mended = openSync(file, 'r+');
    for (const [page, content] of whole) {
      const now = Buffer.alloc(pageSize);
      readSync(mended, now, 0, pageSize, (page - 1) * pageSize);
      if (now.equals(damage)) writeSync(mended, content, 0, pageSize, (page - 1) * pageSize);
    }
    closeSync(mended);
  };
}

/** Keeps other writers out while all pages are in the file itself: one in the log would hide the damage. */
function lockCheckpointed(database: DatabaseSync): void {
  for (let tries = 0; tries < 1000; tries++) {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.exec('BEGIN IMMEDIATE');
    if ((statSync(`${database.location()}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
    database.exec('COMMIT');
  }
  throw new Error('the write-ahead log is never empty');
}
