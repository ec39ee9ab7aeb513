import pg from 'pg';
import { BEFORE_FIRST } from '../../src/store/queries/export-queries.ts';
import type { Store } from '../../src/store/store.ts';
import { LONGEST_SPAN_MINUTES, MINUTES_PER_DAY } from '../../src/vocabulary/appointments.ts';
import { type Hospital, openHospital } from '../../test/support/database/hospital.ts';

/** The doctors without opening hours of the demo data in center 1. */
const FIRST_DOCTOR = 102;
const DOCTORS = 9;
const SLOT_MINUTES = 15;
const RECORDED_PHONE = 9_876_543_210;

interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * The statements that the service sends for a booking, as a pgbench script: recorded from one booking, with the values that vary
 * computed by pgbench. Each of its `clients` has its own slots. `n` must be 0 at first.
 */
export async function bookingScript(store: Store, day: string, clients: number): Promise<string> {
  const hospital = await openHospital({}, store);
  hospital.clock.now = Date.now();
  // The recorded booking needs an id that no other value in it has, and by then its statements are prepared.
  const before = new Date(Date.parse(`${day}T00:00:00Z`) + 200 * 86_400_000).toISOString().slice(0, 10);
  for (let n = 0; n < 40; n++)
    await book(hospital, before, `${10 + Math.floor(n / 4)}:${(n % 4) * 15 || '00'}`, `P${n}`, 9_845_000_000 + n);
  const sent = await statementsOf(() => book(hospital, day, '00:30', 'RECORDED', RECORDED_PHONE));
  const midnight = Date.parse(`${day}T00:00:00Z`) / 60_000;
  const recorded = midnight + 30;
  const row = (await store.read(({ exports }) => exports.appointmentsAfter(BEFORE_FIRST))).at(-1);
  const expressions = new Map<unknown, string>([
    [recorded, ':start'],
    [recorded + SLOT_MINUTES, ':end'],
    [recorded - LONGEST_SPAN_MINUTES, ':earliest'],
    [day, "(date '1970-01-01' + :day::integer)::text"],
    [FIRST_DOCTOR, ':doctor'],
    ['RECORDED', "('R' || :number::text)"],
    ['recorded', "('r' || :number::text)"],
    [`+91${RECORDED_PHONE}`, "('+91' || (9000000000 + :number)::text)"],
    [row?.id, ':appointment'],
  ]);
  return [
    '\\set n :n + 1',
    `\\set number :n * ${clients} + :client_id`,
    `\\set doctor ${FIRST_DOCTOR} + :number % ${DOCTORS}`,
    `\\set start ${midnight + MINUTES_PER_DAY} + (:number / ${DOCTORS}) * ${SLOT_MINUTES}`,
    `\\set end :start + ${SLOT_MINUTES}`,
    `\\set earliest :start - ${LONGEST_SPAN_MINUTES}`,
    `\\set day :start / ${MINUTES_PER_DAY}`,
    ...sent.flatMap((statement) => linesOf(statement, expressions)),
    '',
  ].join('\n');
}

const book = (hospital: Hospital, day: string, time: string, patient: string, phone: number) =>
  hospital.book({
    DoctorID: FIRST_DOCTOR,
    app_date: day,
    app_time: time,
    RegistrationNumber: patient,
    Name: patient,
    contactnumber: String(phone),
  });

/** The statements sent to PostgreSQL while the callback runs. */
async function statementsOf(work: () => Promise<unknown>): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [statement] = given;
    sent.push(
      typeof statement === 'string'
        ? { text: statement, values: [] }
        : { text: (statement as Sent).text, values: (statement as Sent).values ?? [] },
    );
    return Reflect.apply(query, this, given);
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return sent;
}

/** pgbench takes the locks of the doctor and of the patient too; a value that a later statement needs is read into a variable. */
function linesOf({ text, values }: Sent, expressions: ReadonlyMap<unknown, string>): readonly string[] {
  const locks = ['pg_advisory_xact_lock(:doctor)', 'pg_advisory_xact_lock(1000000 + :number)'];
  let taken = 0;
  const filled = text
    .replace(/pg_advisory_xact_lock\(\$\d+\)/g, () => locks[taken++] ?? locks.at(-1) ?? '')
    .replace(/\$(\d+)/g, (_, index) => expressionOf(values[Number(index) - 1], expressions));
  const statements = filled.split('; ').map((statement) => `${statement};`);
  if (text.includes("nextval('appointment_number')"))
    return [filled.replace('returning "id"', '$& as appointment'), '\\gset'];
  return statements;
}

function expressionOf(value: unknown, expressions: ReadonlyMap<unknown, string>): string {
  const expression = expressions.get(value);
  if (expression !== undefined) return expression;
  if (value === null || value === undefined) return 'null';
  return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
}
