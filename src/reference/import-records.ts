import { ANONYMOUS } from '../access/client.ts';
import { readAge } from '../appointments/read-patient.ts';
import { slotAt } from '../appointments/require-seat.ts';
import { skipped } from '../appointments/wanted-slot.ts';
import type { ReferenceData } from '../store/queries/reference-data.ts';
import type { Queries } from '../store/store.ts';
import {
  AppointmentStatus,
  LONGEST_SPAN_MINUTES,
  MINUTES_PER_DAY,
  SHORTEST_SLOT_MINUTES,
} from '../vocabulary/appointments.ts';
import type { StoredAppointment, StoredFeedback } from '../vocabulary/stored-records.ts';
import { quantity } from '../vocabulary/text.ts';
import { likelyLength } from '../vocabulary/time-zone.ts';
import { dayOf, formatClock, formatWallDay, minuteOfDay, type WallMinute } from '../vocabulary/wall-minute.ts';
import { readInstantText } from './cell-types.ts';
import { unknownDoctor } from './check-references.ts';
import type { ImportFiles, StagedAppointment } from './import-files.ts';
import type { Place, Problems } from './problem.ts';
import { appointmentRow, differingColumns, feedbackRow } from './record-rows.ts';
import { CenterSeats, giveTokens, type PlacedDraft } from './seat-rows.ts';
import type { RowOfTable } from './tables.ts';

/** Rows that are imported together, or a few more: few enough for the memory, enough that asking the database about them costs little. */
const GROUP = 1000;
/** The database may have many appointments in the days of a group. In wall minutes. */
const GROUP_SPAN = 7 * MINUTES_PER_DAY;

export interface ImportOptions {
  /** IANA name, for centers without a zone of their own, and for times that belong to no center. */
  readonly timeZone: string;
  /** Instant, ms. */
  readonly now: number;
  readonly dryRun?: boolean;
  readonly replaceDemo?: boolean;
  /** Make doctors inactive who are not in the files, in centers for which the files name doctors. */
  readonly deactivate?: boolean;
  /** Import appointments that overlap others, and mark them. */
  readonly allowOverlaps?: boolean;
}

export interface ImportRun {
  readonly queries: Queries;
  readonly files: ImportFiles;
  readonly options: ImportOptions;
  readonly problems: Problems;
  /** Whether to write, as long as there is no problem; otherwise the rows are only checked. */
  readonly writes: boolean;
}

interface Candidate extends PlacedDraft {
  readonly row: RowOfTable<'appointments'>;
}

/**
 * Compares the rows with stored appointments and with each other, and adds those that are new. The rows of a center are taken some days at a
 * time, because an appointment can overlap only what is near in time, and a token belongs to its day.
 */
export class AppointmentImport {
  readonly #run: ImportRun;
  readonly #reference: ReferenceData;
  /** `same`: rows that are already stored, unchanged. */
  readonly #counts = { added: 0, same: 0, marked: 0 };
  #seats: CenterSeats | undefined;

  /** `reference`: after the import. */
  constructor(run: ImportRun, reference: ReferenceData) {
    this.#run = run;
    this.#reference = reference;
  }

  async addAll() {
    const groups = this.#run.files.records.appointments.groups(
      ({ row: first }, { row: last }, { row: next }, size) =>
        last.centerId !== next.centerId ||
        (last.day !== next.day && (size >= GROUP || next.day >= first.day + GROUP_SPAN)),
    );
    for (const rows of groups) {
      const candidates = rows.flatMap((row) => this.#candidateOf(row) ?? []);
      const added = await this.#withoutStored(candidates);
      const [first, last] = [added[0]?.draft, added.at(-1)?.draft];
      // They are in the order of their days.
      if (first && last) await this.#place(added, first.centerId, dayOf(first.startsAt), dayOf(last.startsAt));
    }
    return this.#counts;
  }

  #candidateOf({ row, patient, place }: StagedAppointment): Candidate | undefined {
    const { problems, options } = this.#run;
    const { centerId, id, doctorId } = row;
    const center = this.#reference.center(centerId);
    const doctor = this.#reference.doctor(centerId, doctorId);
    if (doctor === undefined) problems.add(unknownDoctor(row, place));
    if (center === undefined || doctor === undefined) return undefined;
    const { timeZone: zone } = center;
    const startsAt = row.day + row.minute;
    const length = row.minutes ?? lengthUntil(row.endMinute, startsAt, doctor.slotMinutes, zone);
    if (length < SHORTEST_SLOT_MINUTES || length > LONGEST_SPAN_MINUTES) {
      const message = `is ${quantity(length, 'minute')} after apptime; expected ${SHORTEST_SLOT_MINUTES} to ${LONGEST_SPAN_MINUTES}`;
      problems.add({ ...place, column: 'EndTime', value: formatClock(row.endMinute ?? 0), message });
    }
    const slot = slotAt({ reference: this.#reference, center, doctor, now: options.now }, startsAt, length);
    if (!slot.exists) problems.add({ ...place, column: 'apptime', message: skipped(startsAt, zone) });
    const instantOf = (text: string | null) => (text === null ? undefined : readInstantText(text, zone));
    const createdOn = instantOf(row.createdOn) ?? options.now;
    const draft = {
      ...patient,
      // As for a booking, a date of birth says the age of that day.
      ...readAge(patient.ageText ?? '', createdOn),
      centerId,
      id,
      doctorId,
      startsAt,
      endsAt: slot.end,
      minutes: slot.minutes,
      seat: 1,
      tokenNo: row.tokenNo ?? 0,
      status: row.status ?? AppointmentStatus.Booked,
      overlapping: row.overlapping ?? 0,
      rescheduleCount: row.rescheduleCount ?? 0,
      createdOn,
      updatedOn: instantOf(row.updatedOn) ?? createdOn,
    };
    return { row, draft, place, doctor };
  }

  /** Those of one center that are new. One that is stored must be what is stored. */
  async #withoutStored(candidates: readonly Candidate[]): Promise<readonly Candidate[]> {
    const { centerId = 0 } = candidates[0]?.draft ?? {};
    const ids = candidates.map(({ draft }) => draft.id);
    const { imports } = this.#run.queries;
    const stored = new Map((await imports.appointments(centerId, ids)).map((known) => [known.id, known]));
    const cellsOf = (appointment: StoredAppointment) =>
      appointmentRow(appointment, this.#reference.center(centerId)?.timeZone ?? 'UTC');
    const added = candidates.filter(({ row, draft, place }) => {
      const known = stored.get(draft.id);
      if (known !== undefined) requireSame('appointments', { row, place }, cellsOf(draft), cellsOf(known), this.#run);
      return known === undefined;
    });
    this.#counts.same += candidates.length - added.length;
    return added;
  }

  /** Gives seats and tokens to new appointments, and adds them. */
  async #place(added: readonly Candidate[], centerId: number, firstDay: number, lastDay: number): Promise<void> {
    const { problems, options, queries, writes } = this.#run;
    const { imports } = queries;
    const before = this.#seats;
    const seats = before?.centerId === centerId ? before : new CenterSeats(queries, writes, this.#reference, centerId);
    this.#seats = seats;
    await seats.goOn(firstDay * MINUTES_PER_DAY, (lastDay + 1) * MINUTES_PER_DAY);
    // Marks only say who comes last: the appointments that they overlapped may have been cancelled since, or may never have existed.
    for (const one of added.toSorted((a, b) => a.draft.overlapping - b.draft.overlapping)) {
      const problem = await seats.seat(one, options.allowOverlaps);
      if (problem !== undefined) problems.add(problem);
    }
    const drafts = added.map(({ draft }) => draft);
    const days = { firstDay: dayText(firstDay), lastDay: dayText(lastDay) };
    const tokens = giveTokens(drafts, await imports.dayTokens({ centerId, ...days }));
    this.#counts.added += drafts.length;
    this.#counts.marked += drafts.filter(({ overlapping }) => overlapping === 1).length;
    if (!writes || !problems.isEmpty) return;
    // The database lets marked ones overlap only what is there already.
    await imports.addAppointments(drafts.toSorted((a, b) => a.overlapping - b.overlapping));
    for (const token of tokens) await imports.putDayToken(token);
    if (seats !== before) await imports.replan();
  }
}

/** The real minutes until a time of day, on the next day if it is not later; those of a slot if there is none. */
function lengthUntil(endMinute: number | null, startsAt: WallMinute, slotMinutes: number, zone: string): number {
  if (endMinute === null) return slotMinutes;
  const later = endMinute - minuteOfDay(startsAt);
  return likelyLength(startsAt, startsAt + later + (later > 0 ? 0 : MINUTES_PER_DAY), slotMinutes, zone);
}

/** Compares the rows with stored feedback, and adds those that are new. */
export async function importFeedback(run: ImportRun) {
  const { timeZone } = run.options;
  const { imports } = run.queries;
  const counts = { added: 0, same: 0 };
  const feedbackOf = (row: RowOfTable<'feedback'>) => {
    const receivedOn = readInstantText(row.receivedOn, timeZone) ?? 0;
    const updatedOn = row.updatedOn === null ? receivedOn : (readInstantText(row.updatedOn, timeZone) ?? receivedOn);
    return { ...row, client: row.client ?? ANONYMOUS.name, receivedOn, updatedOn };
  };
  const cellsOf = (feedback: StoredFeedback) => feedbackRow(feedback, timeZone);
  for (const rows of run.files.records.feedback.groups((_first, _last, _next, size) => size >= GROUP)) {
    const stored = new Map((await imports.feedback(rows.map(({ row }) => row.id))).map((known) => [known.id, known]));
    const added = rows.flatMap(({ row, place }) => {
      const [known, feedback] = [stored.get(row.id), feedbackOf(row)];
      if (known === undefined) return [feedback];
      requireSame('feedback', { row, place }, cellsOf(feedback), cellsOf(known), run);
      return [];
    });
    counts.same += rows.length - added.length;
    counts.added += added.length;
    if (run.writes && run.problems.isEmpty) await imports.addFeedback(added);
  }
  return counts;
}

/** Adds a problem if the record that was read from a row differs from the stored one with its number. */
function requireSame<Name extends 'appointments' | 'feedback'>(
  table: Name,
  { row, place }: { readonly row: RowOfTable<Name>; readonly place: Place },
  read: RowOfTable<Name>,
  stored: RowOfTable<Name>,
  { files, problems }: ImportRun,
): void {
  const different = differingColumns(table, row, files.missingIn(place.file), read, stored);
  if (different.length === 0) return;
  const column = table === 'appointments' ? 'AppointmentID' : 'FeedbackID';
  const message = `is already stored with a different ${different.join(', ')}; expected what is stored, or another number`;
  problems.add({ ...place, column, value: `${row.id}`, message });
}

const dayText = (day: number): string => formatWallDay(day * MINUTES_PER_DAY);
