import pg from 'pg';
import type { DatabaseLocation } from '../../src/store/database-location.ts';
import { openFile } from '../../src/store/sqlite/database-file.ts';
import { FIRST_APPOINTMENT, type Hospital, SLOTS_A_DAY } from './write-hospital.ts';

/** A hospital's past and future: every slot of 15 minutes from 09:00 is taken. */
const DOCTORS_A_CENTER = 50;
const MOST_DOCTORS = 5000;

const EPOCH = new Temporal.PlainDate(1970, 1, 1);

type Execute = (sql: string) => Promise<void>;

/** Rows at a time: a transaction that a disk completes in about a second. */
const BATCH = 200_000;

/**
 * Fills an empty database that has its schema with `rows` appointments that end 30 days after `today` (days since 1970). The same SQL
 * on both databases, bypassing the service: a year of bookings takes minutes.
 */
export async function fillDatabase(location: DatabaseLocation, rows: number, today: number): Promise<Hospital> {
  const doctors = Math.min(MOST_DOCTORS, Math.max(15, Math.ceil(rows / 2000)));
  const days = Math.ceil(rows / doctors / SLOTS_A_DAY);
  const lastDay = today + 30;
  const firstDay = lastDay - days + 1;
  const { execute, end } = await connect(location);
  const numbers = (from: number, to: number) =>
    `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to - 1})`;
  const centers = Math.ceil(doctors / DOCTORS_A_CENTER);
  // As `doctorOf` numbers them.
  const centerId = `(i % ${doctors}) % ${centers} + 1`;
  const doctorId = `((i % ${doctors}) % ${centers} + 1) * 1000 + (i % ${doctors}) / ${centers} + 1`;
  try {
    await execute(
      `INSERT INTO center (id, name, time_zone) ${numbers(1, centers + 1)} SELECT i, 'Center ' || i, 'Asia/Kolkata' FROM n`,
    );
    await execute(
      `INSERT INTO doctor (center_id, id, name, department, specialization, qualification, slot_minutes, capacity, active)
       ${numbers(0, doctors)} SELECT ${centerId}, ${doctorId}, 'Dr. ' || i, 'Cardiology', 'Echocardiography', 'MBBS, MD', 15, 1, 1 FROM n`,
    );
    for (let from = 0; from < rows; from += BATCH) {
      const day = `${firstDay} + i / ${doctors} / ${SLOTS_A_DAY}`;
      const slot = `(i / ${doctors}) % ${SLOTS_A_DAY}`;
      const start = `(${day}) * 1440 + 540 + ${slot} * 15`;
      await execute(
        `INSERT INTO appointment (center_id, id, doctor_id, start_wall_minute, end_wall_minute, seat, token_no, status, overlapping, reschedule_count,
           registration_key, name_key, registration_number, name, sex, age_text, age_value, age_unit, area, phone, created_on, updated_on)
         ${numbers(from, Math.min(from + BATCH, rows))}
         SELECT ${centerId}, ${FIRST_APPOINTMENT} + i, ${doctorId}, ${start}, ${start} + 15, 1, ${slot} + 1,
           CASE WHEN ${day} < ${today} THEN 5 ELSE 2 END, 0, 0, 'G-' || i, 'patientnumber' || i, 'G-' || i, 'Patient number ' || i, 'F', '34', 34, 'Y',
           'Jayanagar', '+919845012345', 1, 1 FROM n`,
      );
    }
    await execute(
      `INSERT INTO day_token (center_id, doctor_id, day, last_token)
       SELECT center_id, doctor_id, ${dayText(location.kind)}, max(token_no) FROM appointment GROUP BY 1, 2, 3`,
    );
    // SQLite's counter advances with the inserts.
    if (location.kind === 'postgres') await execute(`SELECT setval('appointment_number', ${FIRST_APPOINTMENT + rows})`);
  } finally {
    await end();
  }
  return { centers, doctors, appointments: rows, firstDay: EPOCH.add({ days: firstDay }) };
}

async function connect(location: DatabaseLocation): Promise<{ execute: Execute; end: () => Promise<void> }> {
  if (location.kind === 'sqlite') {
    const database = openFile(location.path);
    // Only during the filling: a file that is lost here is created again.
    database.exec('PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -16000');
    return {
      execute: async (sql) => void database.exec(sql),
      end: async () => {
        database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        database.close();
      },
    };
  }
  const client = new pg.Client({ connectionString: location.url });
  await client.connect();
  return { execute: async (sql) => void (await client.query(sql)), end: () => client.end() };
}

/** The day of an appointment as ISO text, in SQL. */
const dayText = (engine: 'sqlite' | 'postgres'): string =>
  engine === 'sqlite'
    ? "date(start_wall_minute * 60, 'unixepoch')"
    : "to_char(to_timestamp(start_wall_minute * 60) AT TIME ZONE 'UTC', 'YYYY-MM-DD')";
