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
import { type Place, type Problems, placeText } from './problem.ts';
import { appointmentRow, differingColumns, feedbackRow } from './record-rows.ts';
import { appointmentKey, CenterSeats, giveTokens, type PlacedDraft } from './seat-rows.ts';
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
  /** Let a row that was changed later replace the record with its number. */
  readonly changed?: boolean;
}

export interface ImportRun {
  readonly queries: Queries;
  readonly files: ImportFiles;
  readonly options: ImportOptions;
  readonly problems: Problems;
  /** What rows change in stored records, a line for each record, without patient data; empty if it writes. */
  readonly changes: string[];
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
  readonly #counts = { added: 0, changed: 0, same: 0, marked: 0 };
  /** By center and id: the stored appointments that later rows replace. */
  readonly #replaced = new Set<string>();
  #seats: CenterSeats | undefined;

  /** `reference`: after the import. */
  constructor(run: ImportRun, reference: ReferenceData) {
    this.#run = run;
    this.#reference = reference;
  }

  async addAll() {
    if (this.#run.options.changed) for (const rows of this.#groups()) await this.#removeEarlier(rows);
    for (const rows of this.#groups()) {
      const candidates = rows.flatMap((row) => this.#candidateOf(row) ?? []);
      const added = await this.#withoutStored(candidates);
      const [first, last] = [added[0]?.draft, added.at(-1)?.draft];
      // They are in the order of their days.
      if (first && last) await this.#place(added, first.centerId, dayOf(first.startsAt), dayOf(last.startsAt));
    }
    return this.#counts;
  }

  #groups() {
    return this.#run.files.records.appointments.groups(
      ({ row: first }, { row: last }, { row: next }, size) =>
        last.centerId !== next.centerId ||
        (last.day !== next.day && (size >= GROUP || next.day >= first.day + GROUP_SPAN)),
    );
  }

  async #storedOf(rows: readonly { readonly row: { readonly centerId: number; readonly id: number } }[]) {
    const { centerId = 0 } = rows[0]?.row ?? {};
    const stored = await this.#run.queries.imports.appointments(
      centerId,
      rows.map(({ row }) => row.id),
    );
    return { centerId, zone: this.#reference.center(centerId)?.timeZone ?? 'UTC', stored: byId(stored) };
  }

  /** Before any row is placed, because one may need the time that another had. */
  async #removeEarlier(rows: readonly StagedAppointment[]): Promise<void> {
    const { queries, writes } = this.#run;
    const { centerId, zone, stored } = await this.#storedOf(rows);
    const ids = rows.flatMap((one) => (isLater(one, stored.get(one.row.id), zone, this.#run) ? one.row.id : []));
    for (const id of ids) this.#replaced.add(appointmentKey({ centerId, id }));
    if (writes) await queries.imports.removeAppointments(centerId, ids);
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

  /** Those of one center that are new, or replace what is stored. Any other that is stored must be what is stored. */
  async #withoutStored(candidates: readonly Candidate[]): Promise<readonly Candidate[]> {
    const { zone, stored } = await this.#storedOf(candidates);
    const cellsOf = (appointment: StoredAppointment) => appointmentRow(appointment, zone);
    const added = candidates.filter(({ row, draft, place }) => {
      const known = stored.get(draft.id);
      if (known === undefined) return true;
      const isReplaced = this.#replaced.has(appointmentKey(draft));
      const compare = isReplaced ? noteChange : requireSame;
      compare('appointments', { row, place }, cellsOf(draft), cellsOf(known), this.#run);
      return isReplaced;
    });
    this.#counts.same += candidates.length - added.length;
    return added;
  }

  /** Gives seats and tokens to new appointments, and adds them. */
  async #place(added: readonly Candidate[], centerId: number, firstDay: number, lastDay: number): Promise<void> {
    const { problems, options, queries, writes } = this.#run;
    const { imports } = queries;
    const before = this.#seats;
    const seats =
      before?.centerId === centerId
        ? before
        : new CenterSeats(queries, writes, this.#reference, centerId, this.#replaced);
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
    const changed = drafts.filter((draft) => this.#replaced.has(appointmentKey(draft))).length;
    this.#counts.changed += changed;
    this.#counts.added += drafts.length - changed;
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
  const counts = { added: 0, changed: 0, same: 0 };
  const feedbackOf = (row: RowOfTable<'feedback'>) => {
    const receivedOn = readInstantText(row.receivedOn, timeZone) ?? 0;
    const updatedOn = row.updatedOn === null ? receivedOn : (readInstantText(row.updatedOn, timeZone) ?? receivedOn);
    return { ...row, client: row.client ?? ANONYMOUS.name, receivedOn, updatedOn };
  };
  const cellsOf = (feedback: StoredFeedback) => feedbackRow(feedback, timeZone);
  for (const rows of run.files.records.feedback.groups((_first, _last, _next, size) => size >= GROUP)) {
    const stored = byId(await imports.feedback(rows.map(({ row }) => row.id)));
    const replaced: number[] = [];
    const added = rows.flatMap(({ row, place }) => {
      const [known, feedback] = [stored.get(row.id), feedbackOf(row)];
      if (known === undefined) return [feedback];
      const isReplaced = isLater({ row, place }, known, timeZone, run);
      if (isReplaced) replaced.push(row.id);
      const compare = isReplaced ? noteChange : requireSame;
      compare('feedback', { row, place }, cellsOf(feedback), cellsOf(known), run);
      return isReplaced ? [feedback] : [];
    });
    counts.same += rows.length - added.length;
    counts.changed += replaced.length;
    counts.added += added.length - replaced.length;
    if (!run.writes || !run.problems.isEmpty) continue;
    await imports.removeFeedback(replaced);
    await imports.addFeedback(added);
  }
  return counts;
}

type Compare = <Name extends 'appointments' | 'feedback'>(
  table: Name,
  from: { readonly row: RowOfTable<Name>; readonly place: Place },
  read: RowOfTable<Name>,
  stored: RowOfTable<Name>,
  run: ImportRun,
) => void;

const numberTitle = { appointments: 'AppointmentID', feedback: 'FeedbackID' } as const;

/** Adds a problem if the record that was read from a row differs from the stored one with its number. */
const requireSame: Compare = (table, { row, place }, read, stored, { files, problems }) => {
  const different = differingColumns(table, row, files.missingIn(place.file), read, stored);
  if (different.length === 0) return;
  const column = numberTitle[table];
  const message = `is already stored with a different ${different.join(', ')}; expected what is stored, or another number`;
  problems.add({ ...place, column, value: `${row.id}`, message });
};

/** Notes what a row changes in the record with its number, for a dry run. */
const noteChange: Compare = (table, { row, place }, read, stored, { changes, writes }) => {
  if (writes) return;
  const different = differingColumns(table, row, [], read, stored);
  changes.push(`~ ${table}: ${placeText(place)}, ${numberTitle[table]} ${row.id}: ${different.join(', ')}`);
};

/** Whether a row replaces the record with its number: its file has every column of an export, and it was changed later. */
const isLater = (
  { row, place }: { readonly row: { readonly updatedOn: string | null }; readonly place: Place },
  known: { readonly updatedOn: number } | undefined,
  zone: string,
  { files, options }: ImportRun,
): boolean =>
  options.changed === true &&
  known !== undefined &&
  row.updatedOn !== null &&
  // Files of earlier versions lack Minutes, which EndTime gives.
  files.missingIn(place.file).every((name) => name === 'minutes') &&
  (readInstantText(row.updatedOn, zone) ?? 0) > known.updatedOn;

const byId = <Row extends { readonly id: number }>(rows: readonly Row[]) => new Map(rows.map((row) => [row.id, row]));

const dayText = (day: number): string => formatWallDay(day * MINUTES_PER_DAY);
