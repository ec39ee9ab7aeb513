import { open } from 'node:fs/promises';
import { SetUpError } from '../vocabulary/errors.ts';
import type { DatabaseLocation } from './database-location.ts';

/** The first bytes of a file. Sources: SQLite, "Database File Format"; PostgreSQL, pg_dump's custom format. */
const BEGINNINGS = { sqlite: 'SQLite format 3\0', postgres: 'PGDMP' } as const;
const TITLES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

/** Throws SetUpError for a backup of the other kind of database. Any other kind of file is detected when it is read. */
export async function requireBackupOf(kind: DatabaseLocation['kind'], backup: string): Promise<void> {
  const other = kind === 'sqlite' ? 'postgres' : 'sqlite';
  if (!(await beginningOf(backup)).startsWith(BEGINNINGS[other])) return;
  const url = other === 'sqlite' ? 'sqlite:FILE' : 'postgres://…';
  throw new SetUpError(
    `${backup} is a backup of a ${TITLES[other]} database, and DATABASE_URL names one of ${TITLES[kind]}; restore it with DATABASE_URL=${url}, then tpws move copies it here.`,
  );
}

async function beginningOf(file: string): Promise<string> {
  const handle = await open(file).catch(() => undefined);
  if (handle === undefined) return '';
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
