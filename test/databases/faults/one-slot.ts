import type { Store } from '../../../src/store/store.ts';
import type { StoredAppointment } from '../../../src/vocabulary/stored-records.ts';
import { BOOKING_PARAMETERS } from '../../support/http/booking-parameters.ts';
import {
  callOver,
  type FourTransportsAnswer,
  type Parameters,
  TRANSPORTS,
} from '../../support/http/four-transports.ts';

/** The environment of a rush: services on one database, and the database itself. */
export interface RushedHospital {
  /** Endpoint URLs. */
  readonly endpoints: readonly string[];
  readonly store: Store;
}

/** The center, doctor and day of a rush; each needs its own day. */
export interface RushPlace {
  readonly centerId: number;
  /** Accepts one patient per slot, at any time. */
  readonly doctorId: number;
  /** The same, but three patients. */
  readonly threeAtOnceId: number;
  /** YYYY-MM-DD */
  readonly day: string;
}

const OK = 0;
const DUPLICATE = 1;
const SLOT_TAKEN = 14;
const LAST_HOLDING_STATUS = 4;

const minuteOf = (day: string, time: string): number => Date.parse(`${day}T${time}:00Z`) / 60_000;
const midnightOf = (day: string): number => minuteOf(day, '00:00');

/** A different one for each call, cycling through the transports and the services. */
function caller({ endpoints }: RushedHospital) {
  let calls = 0;
  return (operation: string, parameters: Parameters): Promise<FourTransportsAnswer> => {
    const call = calls++;
    const transport = TRANSPORTS[call % TRANSPORTS.length] ?? 'soap11';
    const endpoint = endpoints[Math.floor(call / TRANSPORTS.length) % endpoints.length] ?? '';
    return callOver(transport, endpoint, operation, parameters);
  };
}

function booking({ centerId, day }: RushPlace, doctorId: number, patient: string, time: string): Parameters {
  return {
    ...BOOKING_PARAMETERS,
    DoctorID: doctorId,
    RegistrationNumber: `${day}-${patient}`,
    app_date: `${day}T00:00:00`,
    app_time: `${day}T${time}:00`,
    Name: `Patient ${patient}`,
    centerid: centerId,
  };
}

/** Reschedules an appointment to a time of the day. */
const toTime = ({ centerId, day }: RushPlace, AppointmentID: number, time: string): Parameters => ({
  AppointmentID,
  type: 1,
  appdate: `${day}T00:00:00`,
  apptime: `${day}T${time}:00`,
  centerid: centerId,
});

/** How many answers have each ResultCode, or the whole answer if it has none, such as `1 × 0, 199 × 14`. */
function tally(answers: readonly FourTransportsAnswer[]): string {
  const counts = new Map<string, number>();
  for (const { record, status, text } of answers) {
    const key = record.ResultCode ?? `HTTP ${status} ${text}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, count]) => `${count} × ${code}`)
    .join(', ');
}

function expectEqual(what: string, got: string | number, expected: string | number): void {
  if (got !== expected) throw new Error(`${what}: expected ${expected}, got ${got}`);
}

const standing = async ({ store }: RushedHospital, { centerId, day }: RushPlace, doctorId: number) =>
  (await store.read(({ appointments }) => appointments.ofDay(centerId, doctorId, midnightOf(day)))).rows.filter(
    ({ status }) => status <= LAST_HOLDING_STATUS,
  );

const at = (rows: readonly Pick<StoredAppointment, 'startsAt'>[], day: string, time: string): number =>
  rows.filter(({ startsAt }) => startsAt === minuteOf(day, time)).length;

/** Many patients, one slot: as many succeed as the doctor accepts, and every other is told that it is taken. */
export async function oneSlot(
  hospital: RushedHospital,
  place: RushPlace,
  { clients, capacity }: { readonly clients: number; readonly capacity: 1 | 3 },
): Promise<void> {
  const call = caller(hospital);
  const doctorId = capacity === 1 ? place.doctorId : place.threeAtOnceId;
  // The winner of the rush for the other doctor has an appointment with that one by then.
  const patient = (n: number) => `S${capacity}-${n}`;
  const answers = await Promise.all(
    Array.from({ length: clients }, (_, n) => call('Fetch_Details', booking(place, doctorId, patient(n), '10:00'))),
  );
  const what = `${clients} clients, one slot, capacity ${capacity}`;
  expectEqual(what, tally(answers), `${capacity} × ${OK}, ${clients - capacity} × ${SLOT_TAKEN}`);
  expectEqual(`${what}: rows`, (await standing(hospital, place, doctorId)).length, capacity);
}

/** One booking, sent many times at once: one row, and everybody gets its number. */
export async function oneBooking(hospital: RushedHospital, place: RushPlace, times: number): Promise<void> {
  const call = caller(hospital);
  const answers = await Promise.all(
    Array.from({ length: times }, () => call('Fetch_Details', booking(place, place.doctorId, 'B', '11:00'))),
  );
  const what = `one booking, ${times} times`;
  expectEqual(what, tally(answers), `1 × ${OK}, ${times - 1} × ${DUPLICATE}`);
  expectEqual(`${what}: ids`, new Set(answers.map(({ record }) => record.AppointmentID)).size, 1);
  expectEqual(`${what}: rows`, at(await standing(hospital, place, place.doctorId), place.day, '11:00'), 1);
}

/** Many appointments, all moved to one slot: one gets it, and every other stays unchanged. */
export async function oneDestination(hospital: RushedHospital, place: RushPlace, movers: number): Promise<void> {
  const call = caller(hospital);
  const { day } = place;
  // Separate days would be no rush: the appointments are one slot apart on the preceding days.
  const ids: { readonly id: number; readonly day: string; readonly time: string }[] = [];
  for (let n = 0; n < movers; n++) {
    const minute = 12 * 60 + (n % 40) * 15;
    const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
    const from = new Date(midnightOf(day) * 60_000 + (1 + Math.floor(n / 40)) * 86_400_000).toISOString().slice(0, 10);
    const moved = booking({ ...place, day: from }, place.doctorId, `${day}-M${n}`, time);
    const { record } = await call('Fetch_Details', moved);
    expectEqual('a booking to be moved', Number(record.ResultCode), OK);
    ids.push({ id: Number(record.AppointmentID), day: from, time });
  }
  const moves = ids.map(({ id }) => call('Appointment_Status_Updates', toTime(place, id, '09:00')));
  const answers = await Promise.all(moves);
  const what = `${movers} reschedules into one slot`;
  expectEqual(what, tally(answers), `1 × ${OK}, ${movers - 1} × ${SLOT_TAKEN}`);
  expectEqual(`${what}: holders`, at(await standing(hospital, place, place.doctorId), day, '09:00'), 1);
  let stayed = 0;
  for (const from of new Set(ids.map((id) => id.day))) {
    const rows = await standing(hospital, { ...place, day: from }, place.doctorId);
    stayed += ids.filter((id) => id.day === from && at(rows, from, id.time) === 1).length;
  }
  expectEqual(`${what}: where they were`, stayed, movers - 1);
}

/** Two appointments that want each other's slot at the same time: both are refused, or one has moved away before; never both in one slot. */
export async function swap(hospital: RushedHospital, place: RushPlace): Promise<void> {
  const call = caller(hospital);
  const times = ['07:00', '08:00'] as const;
  const ids: number[] = [];
  for (const [n, time] of times.entries()) {
    const { record } = await call('Fetch_Details', booking(place, place.doctorId, `W${n}`, time));
    ids.push(Number(record.AppointmentID));
  }
  const moves = Array.from({ length: 10 }, (_, n) =>
    call('Appointment_Status_Updates', toTime(place, ids[n % 2] ?? 0, times[(n + 1) % 2] ?? '')),
  );
  expectEqual('a swap', tally(await Promise.all(moves)), `${moves.length} × ${SLOT_TAKEN}`);
  const rows = await standing(hospital, place, place.doctorId);
  for (const time of times) expectEqual(`a swap: holders of ${time}`, at(rows, place.day, time), 1);
}
