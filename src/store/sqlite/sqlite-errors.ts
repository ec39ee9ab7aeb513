import Database from 'better-sqlite3';
import { PATIENT_OVERLAP, SEAT_TAKEN } from '../migrations/0001-guards.ts';

/** Which guard raised an error, if any did. */
export function conflictOf(error: unknown): 'seat-taken' | 'patient-overlap' | undefined {
  if (!(error instanceof Database.SqliteError)) return undefined;
  if (error.message === SEAT_TAKEN) return 'seat-taken';
  if (error.message === PATIENT_OVERLAP) return 'patient-overlap';
  return undefined;
}

/**
 * The call may be retried. SQLite's primary result codes: busy and locked are temporary; the others need an operator, but a caller may still
 * retry later.
 */
export const isUnavailable = (error: unknown): boolean =>
  isDamage(error) ||
  (error instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN)/.test(error.code));

/** True if SQLite found that the file does not contain what it wrote. Waiting does not help, and a write may make it worse. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
