import type { DatabaseLocation } from '../../../src/store/database-location.ts';
import { firstValue, openFile } from '../../../src/store/sqlite/database-file.ts';
import { asAdministrator } from '../../support/database/as-administrator.ts';
import { type HospitalModel, MADE_UP } from './hospital-model.ts';

/**
 * Two appointments that hold their slots, at overlapping times, on one seat of a doctor or of one patient, of whom both say the
 * same, unless the doctors differ and one of them has sessions.
 */
const OVERLAPS = `
  SELECT count(*) AS n FROM appointment a JOIN appointment b
  ON a.center_id = b.center_id AND a.id < b.id AND a.start_wall_minute < b.end_wall_minute
  AND b.start_wall_minute < a.end_wall_minute
  WHERE a.status <= 4 AND b.status <= 4
  AND (a.doctor_id = b.doctor_id AND a.seat = b.seat
    OR a.name_key = b.name_key AND (a.doctor_id = b.doctor_id OR NOT EXISTS (SELECT 1 FROM doctor
        WHERE doctor.center_id = a.center_id AND doctor.id IN (a.doctor_id, b.doctor_id) AND slot_minutes >= 60 AND capacity > 1))
      AND a.sex = b.sex AND a.title IS NOT DISTINCT FROM b.title AND a.phone <> '+91${MADE_UP}' AND a.name_key <> 'unknown'
      AND (a.age_value IS NULL OR b.age_value IS NULL OR abs(a.age_value - b.age_value) <= 2)
      AND (a.registration_key = b.registration_key
        OR a.phone = b.phone AND (a.registration_key IS NULL OR b.registration_key IS NULL)))`;

/** Two appointments with the same number in a doctor's day. */
const SAME_TOKENS = `
  SELECT count(*) AS n FROM (SELECT 1 FROM appointment GROUP BY center_id, doctor_id, start_wall_minute / 1440, token_no HAVING count(*) > 1) same_tokens`;

/**
 * Counts the rows in the database itself, without the service: none is lost, none is duplicated, nothing overlaps. Throws with
 * every difference; returns what could not be compared, and why.
 */
export async function compareDatabase(model: HospitalModel, location: DatabaseLocation): Promise<readonly string[]> {
  if (location.kind === 'sqlite' && location.path === ':memory:') {
    return ['The rows are not counted: those of a database in memory cannot be read from beside the service.'];
  }
  const expected: readonly (readonly [sql: string, count: number])[] = [
    ['SELECT count(*) AS n FROM appointment', model.appointments.size],
    ['SELECT count(*) AS n FROM feedback', model.feedback.size],
    ['SELECT count(*) AS n FROM message', model.messages.size],
    ['SELECT coalesce(sum(last_token), 0) AS n FROM day_token', sum(model.tokens.values())],
    [
      'SELECT coalesce(sum(reschedule_count), 0) AS n FROM appointment',
      sum([...model.appointments.values()].map((a) => a.reschedules)),
    ],
    [OVERLAPS, 0],
    [SAME_TOKENS, 0],
  ];
  const count = location.kind === 'sqlite' ? countInFile(location.path) : countOnServer(location.url);
  const differences = await count(expected);
  if (differences.length > 0) throw new Error(differences.join('\n'));
  return [];
}

type Count = (expected: readonly (readonly [sql: string, count: number])[]) => Promise<readonly string[]>;

const difference = (sql: string, expected: number, got: unknown): readonly string[] =>
  Number(got) === expected ? [] : [`${sql}: expected ${expected}, got ${got}`];

const countInFile =
  (file: string): Count =>
  async (expected) => {
    const database = openFile(file, { readOnly: true });
    try {
      const differences = expected.flatMap(([sql, count]) => difference(sql, count, firstValue(database, sql)));
      const check = firstValue(database, 'PRAGMA integrity_check');
      return check === 'ok' ? differences : [...differences, `integrity_check: ${check}`];
    } finally {
      database.close();
    }
  };

const countOnServer =
  (url: string): Count =>
  (expected) =>
    asAdministrator(url, async (client) => {
      const differences: string[] = [];
      for (const [sql, count] of expected) {
        differences.push(...difference(sql, count, (await client.query(sql)).rows[0]?.n));
      }
      return differences;
    });

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((a, b) => a + b, 0);
