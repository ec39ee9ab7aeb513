import { existsIn } from '../rules/time-zone.ts';
import { dayOf, minuteOfDay, spellDay, spellMinute } from '../rules/wall-minute.ts';
import { INTEGER_BOUNDS } from '../store/integer-bounds.ts';
import type { DayToken } from '../store/queries/import-queries.ts';
import type { Center, Doctor } from '../store/queries/reference-queries.ts';
import type { Queries } from '../store/store.ts';
import { AppointmentStatus, MINUTES_PER_DAY } from '../vocabulary/appointments.ts';
import type { PatientDetails, StoredAppointment } from '../vocabulary/stored-records.ts';
import { differences } from './differences.ts';
import { giveTokens } from './give-tokens.ts';
import { doctorRowKey } from './hospital-state.ts';
import { readInstantText } from './instant-text.ts';
import { type DraftAppointment, type PlacedDraft, placeAppointments } from './place-appointments.ts';
import type { Problem } from './problem.ts';
import type { ReadAppointment } from './read-appointments.ts';
import type { GivenRow } from './read-table-file.ts';
import { minutesBetween } from './record-tables.ts';
import { repeatedTokens } from './repeated-tokens.ts';
import type { RowOfTable } from './tables.ts';

/** The doctors and centers that the rows may name, as they are after the import. */
export interface KnownHospital {
  readonly centers: ReadonlyMap<number, Center>;
  /** By `doctorRowKey`. */
  readonly doctors: ReadonlyMap<string, Doctor>;
}

export interface AppointmentOptions {
  readonly allowOverlaps: boolean;
  readonly allowRepeatedTokens: boolean;
  /** Instant, ms: creation time of appointments whose row has none. */
  readonly now: number;
}

/** What an import changes in appointments. */
export interface AppointmentPlan {
  /** Marked ones come last. */
  readonly added: readonly StoredAppointment[];
  /** Last tokens of the days on which new tokens are assigned. */
  readonly tokens: readonly DayToken[];
  /** Number of rows that are already stored, unchanged. */
  readonly same: number;
  /** Number of added appointments that overlap others. */
  readonly marked: number;
  /** Number of added appointments with the same token as another one. */
  readonly repeatedTokens: number;
  readonly problems: readonly Problem[];
}

/** A draft with the row from which it was created. */
interface Candidate extends PlacedDraft {
  readonly given: GivenRow<object>;
  readonly center: Center;
}

/** Compares the rows with the hospital's data and with stored appointments. Unknown centers and doctors are reported elsewhere. */
export async function planAppointments(
  queries: Queries,
  rows: readonly ReadAppointment[],
  { centers, doctors }: KnownHospital,
  { allowOverlaps, allowRepeatedTokens, now }: AppointmentOptions,
): Promise<AppointmentPlan> {
  const problems: Problem[] = [];
  const candidates = rows.flatMap(({ given, patient }): Candidate[] => {
    const { row, place } = given;
    const center = centers.get(row.centerId);
    const doctor = doctors.get(doctorRowKey(row.centerId, row.doctorId));
    if (center === undefined || doctor === undefined) return [];
    const draft = draftOf(row, patient, center, doctor, now);
    if (!existsIn(center.timeZone, draft.startsAt)) {
      const message = `${spellMinute(draft.startsAt)} does not exist in ${center.timeZone}, whose clocks skip it; expected another time`;
      problems.push({ ...place, column: 'apptime', message });
    }
    return [{ given, place, center, doctor, draft }];
  });
  const plan = { added: [] as StoredAppointment[], tokens: [] as DayToken[], same: 0, repeatedTokens: 0, problems };
  for (const [centerId, ofCenter] of Map.groupBy(candidates, ({ center }) => center.id)) {
    const added = await notStored(queries, centerId, ofCenter, problems);
    plan.same += ofCenter.length - added.length;
    const [first, last] = spanOf(added);
    if (added.length === 0) continue;
    // Whole days, because a token belongs to the day.
    const holding = await queries.imports.holding(
      centerId,
      midnightBefore(first),
      midnightBefore(last) + MINUTES_PER_DAY,
    );
    for (const problem of placeAppointments(added, holding, allowOverlaps)) problems.push(problem);
    const repeated = repeatedTokens(added, holding);
    if (!allowRepeatedTokens) for (const problem of repeated) problems.push(problem);
    plan.repeatedTokens += repeated.length;
    const drafts = added.map(({ draft }) => draft);
    const tokens = await queries.imports.dayTokens(centerId, dayOf(first), dayOf(last));
    for (const token of giveTokens(drafts, tokens)) plan.tokens.push(token);
    for (const { draft, place } of added) {
      if (draft.tokenNo <= INTEGER_BOUNDS.greatest) continue;
      const message = `is empty, but doctor ${draft.doctorId} has no token left on ${spellDay(draft.startsAt)}; expected lower tokens on that day`;
      problems.push({ ...place, column: 'TokenNo', message });
    }
    for (const draft of drafts) plan.added.push(draft);
  }
  plan.added.sort((a, b) => a.marked - b.marked);
  return { ...plan, marked: plan.added.filter(({ marked }) => marked === 1).length };
}

const midnightBefore = (minute: number): number => minute - minuteOfDay(minute);

/** The first start and the last end, in wall minutes. */
function spanOf(candidates: readonly Candidate[]): readonly [first: number, last: number] {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { draft } of candidates) {
    first = Math.min(first, draft.startsAt);
    last = Math.max(last, draft.endsAt);
  }
  return [first, last];
}

async function notStored(
  { imports }: Queries,
  centerId: number,
  candidates: readonly Candidate[],
  problems: Problem[],
): Promise<readonly Candidate[]> {
  const ids = [...new Set(candidates.map(({ draft }) => draft.id))];
  const stored = new Map(
    (await imports.appointments(centerId, ids)).map((appointment) => [appointment.id, appointment]),
  );
  if (stored.size === 0) return candidates;
  return candidates.filter(({ draft, given, center, place }) => {
    const before = stored.get(draft.id);
    if (before === undefined) return true;
    const different = differences(given, draft, before, center.timeZone);
    if (different.length > 0) {
      const message = `is already stored with a different ${different.join(', ')}; expected what is stored, or another number`;
      problems.push({ ...place, column: 'AppointmentID', value: `${draft.id}`, message });
    }
    return false;
  });
}

function draftOf(
  row: RowOfTable<'appointments'>,
  patient: PatientDetails,
  { timeZone }: Center,
  { slotMinutes }: Doctor,
  now: number,
): DraftAppointment {
  const startsAt = row.day + row.minute;
  const createdOn = row.createdOn === null ? now : (readInstantText(row.createdOn, timeZone) ?? now);
  return {
    centerId: row.centerId,
    id: row.id,
    doctorId: row.doctorId,
    startsAt,
    endsAt: startsAt + (row.endMinute === null ? slotMinutes : minutesBetween(row.minute, row.endMinute)),
    seat: 1,
    tokenNo: row.tokenNo ?? 0,
    status: row.status ?? AppointmentStatus.Booked,
    marked: row.marked ?? 0,
    rescheduleCount: row.rescheduleCount ?? 0,
    ...patient,
    createdOn,
    updatedOn: row.updatedOn === null ? createdOn : (readInstantText(row.updatedOn, timeZone) ?? createdOn),
  };
}
