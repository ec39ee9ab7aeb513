import { existsIn } from '../rules/time-zone.ts';
import { dayOf, spellDay, spellMinute } from '../rules/wall-minute.ts';
import { INTEGER_BOUNDS } from '../store/integer-bounds.ts';
import type { Center, Doctor } from '../store/queries/reference-queries.ts';
import type { Queries } from '../store/store.ts';
import { AppointmentStatus, LONGEST_SLOT_MINUTES, MINUTES_PER_DAY } from '../vocabulary/appointments.ts';
import { unknownDoctor } from './check-references.ts';
import { doctorRowKey } from './hospital-state.ts';
import { readInstantText } from './instant-text.ts';
import { giveTokens, HeldTimes, type PlacedDraft, placeAppointments, repeatedTokens } from './place-appointments.ts';
import { appointmentRow, differingColumns } from './record-rows.ts';
import { minutesBetween } from './record-tables.ts';
import type { RecordCounts, RecordRun, StagedAppointment } from './stage-records.ts';

/** The doctors and centers that the rows may name, as they are after the import. */
export interface KnownHospital {
  readonly centers: ReadonlyMap<number, Center>;
  /** By `doctorRowKey`. */
  readonly doctors: ReadonlyMap<string, Doctor>;
  /** Whether a doctor may exist whom a mistake in a file makes unknown. */
  readonly isKnownDoctor: (row: { readonly centerId: number; readonly doctorId: number }) => boolean;
}

export interface AppointmentOptions {
  readonly allowOverlaps: boolean;
  readonly allowRepeatedTokens: boolean;
  /** Instant, ms: creation time of appointments whose row has none. */
  readonly now: number;
}

export interface AppointmentCounts extends RecordCounts {
  /** Added ones that overlap others. */
  readonly marked: number;
  /** Added ones with the same token as another one. */
  readonly repeatedTokens: number;
}

/** Rows that are imported together, or a few more: few enough for the memory, enough that asking the database about them costs little. */
const STRETCH = 1000;

interface Candidate extends PlacedDraft {
  readonly row: StagedAppointment;
  readonly center: Center;
}

/**
 * Compares the rows with stored appointments and with each other, and adds those that are new.  A center's rows are taken in order of their days, some days at a time: an appointment overlaps only what is near in time,
 * and a token belongs to its day.
 */
export async function importAppointments(
  { imports }: Queries,
  { staged, missingIn, problems, writes, done }: RecordRun,
  { centers, doctors, isKnownDoctor }: KnownHospital,
  { allowOverlaps, allowRepeatedTokens, now }: AppointmentOptions,
): Promise<AppointmentCounts> {
  const counts = { added: 0, same: 0, marked: 0, repeatedTokens: 0, last: 0 };
  let times = new HeldTimes();
  let lastCenter: Center | undefined;
  /** Stored appointments that start before it are among the times. */
  let knownTo = 0;
  const divides = (last: StagedAppointment, next: StagedAppointment, size: number): boolean =>
    last.centerId !== next.centerId || (last.day !== next.day && size >= STRETCH);
  for (const rows of staged.appointments.groups(divides)) {
    const candidates = rows.flatMap((row) => candidateOf(row) ?? []);
    const added = await notStored(candidates);
    counts.same += candidates.length - added.length;
    const [first] = added;
    if (first !== undefined) await place(added, first.center);
    done(rows.length);
  }
  return counts;

  async function place(added: readonly Candidate[], center: Center): Promise<void> {
    if (center !== lastCenter) {
      times = new HeldTimes();
      knownTo = Number.NEGATIVE_INFINITY;
      lastCenter = center;
    }
    const drafts = added.map(({ draft }) => draft);
    const starts = drafts.map(({ startsAt }) => dayOf(startsAt));
    const [firstDay, lastDay] = [starts[0] ?? 0, starts.at(-1) ?? 0];
    const from = firstDay * MINUTES_PER_DAY;
    const to = (lastDay + 1) * MINUTES_PER_DAY + LONGEST_SLOT_MINUTES;
    times.forgetBefore(from);
    // Later ones are only those that this import has added.
    const stored = await imports.holding(center.id, Math.max(from - LONGEST_SLOT_MINUTES + 1, knownTo), to);
    for (const other of stored) times.add(other, `appointment ${other.id} of the database`);
    knownTo = Math.max(knownTo, to);
    const repeated = repeatedTokens(added, times);
    if (!allowRepeatedTokens) problems.addAll(repeated);
    problems.addAll(placeAppointments(added, times, allowOverlaps));
    const tokens = giveTokens(drafts, await imports.dayTokens(center.id, firstDay, lastDay));
    for (const { draft, place: where } of added) {
      if (draft.tokenNo <= INTEGER_BOUNDS.greatest) continue;
      const message = `is empty, but doctor ${draft.doctorId} has no token left on ${spellDay(draft.startsAt)}; expected lower tokens on that day`;
      problems.add({ ...where, column: 'TokenNo', message });
    }
    counts.added += drafts.length;
    counts.marked += drafts.filter(({ marked }) => marked === 1).length;
    counts.repeatedTokens += repeated.length;
    counts.last = drafts.reduce((last, { id }) => Math.max(last, id), counts.last);
    if (!writes || !problems.isEmpty) return;
    // The database lets marked ones overlap only what is there already.
    await imports.addAppointments(drafts.toSorted((a, b) => a.marked - b.marked));
    for (const token of tokens) await imports.putDayToken(token);
  }

  function candidateOf(row: StagedAppointment): Candidate | undefined {
    const center = centers.get(row.centerId);
    const doctor = doctors.get(doctorRowKey(row.centerId, row.doctorId));
    const where = { file: row.file, line: row.line };
    if (!isKnownDoctor(row)) problems.add(unknownDoctor(row, where));
    if (center === undefined || doctor === undefined) return undefined;
    const startsAt = row.day + row.minute;
    if (!existsIn(center.timeZone, startsAt)) {
      const message = `${spellMinute(startsAt)} does not exist in ${center.timeZone}, whose clocks skip it; expected another time`;
      problems.add({ ...where, column: 'apptime', message });
    }
    const instantOf = (text: string | null) => (text === null ? undefined : readInstantText(text, center.timeZone));
    const createdOn = instantOf(row.createdOn) ?? now;
    const draft = {
      ...row,
      startsAt,
      endsAt: startsAt + (row.endMinute === null ? doctor.slotMinutes : minutesBetween(row.minute, row.endMinute)),
      seat: 1,
      tokenNo: row.tokenNo ?? 0,
      status: row.status ?? AppointmentStatus.Booked,
      marked: row.marked ?? 0,
      rescheduleCount: row.rescheduleCount ?? 0,
      createdOn,
      updatedOn: instantOf(row.updatedOn) ?? createdOn,
    };
    return { row, draft, center, doctor, place: where };
  }

  /** The candidates whose number is not stored yet. Those that are stored must agree with what is stored. */
  async function notStored(candidates: readonly Candidate[]): Promise<readonly Candidate[]> {
    const [first] = candidates;
    if (first === undefined) return [];
    const found = await imports.appointments(
      first.center.id,
      candidates.map(({ draft }) => draft.id),
    );
    const stored = new Map(found.map((appointment) => [appointment.id, appointment]));
    return candidates.filter(({ row, draft, center, place: where }) => {
      const before = stored.get(draft.id);
      if (before === undefined) return true;
      const different = differingColumns(
        'appointments',
        row,
        missingIn(row.file),
        appointmentRow(draft, center.timeZone),
        appointmentRow(before, center.timeZone),
      );
      if (different.length > 0) {
        const message = `is already stored with a different ${different.join(', ')}; expected what is stored, or another number`;
        problems.add({ ...where, column: 'AppointmentID', value: `${draft.id}`, message });
      }
      return false;
    });
  }
}
