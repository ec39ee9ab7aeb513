import { during } from '../appointments/free-seat.ts';
import { inTheWay, type SeatQueries, seatThen, standingThen } from '../appointments/require-seat.ts';
import { isSamePatient } from '../appointments/same-patient.ts';
import type { DayToken } from '../store/queries/import-queries.ts';
import type { Queries } from '../store/store.ts';
import { LAST_HOLDING_STATUS, LONGEST_SPAN_MINUTES } from '../vocabulary/appointments.ts';
import type { StoredAppointment } from '../vocabulary/stored-records.ts';
import { formatWallDay } from '../vocabulary/wall-minute.ts';
import { type Place, type Problem, placeText } from './problem.ts';
import type { RowOfTable } from './tables.ts';

/** An appointment that is about to be added to the database. Its token is 0 until it has one. */
export type DraftAppointment = { -readonly [Name in keyof StoredAppointment]: StoredAppointment[Name] };

export interface PlacedDraft {
  readonly draft: DraftAppointment;
  readonly place: Place;
  readonly doctor: RowOfTable<'doctors'>;
}

/**
 * The appointments of one center among which a row gets its seat: those that a booking would find in the database, had each row been booked after
 * the one before it. Those of many days are read at once: asking the database for each row takes several times as long.
 */
export class CenterSeats implements SeatQueries {
  readonly centerId: number;
  readonly #queries: Queries;
  #ofDoctor = new Map<number, DraftAppointment[]>();
  #ofName = new Map<string | null, DraftAppointment[]>();
  /** Of the rows. Other appointments were stored before. */
  readonly #places = new WeakMap<DraftAppointment, Place>();
  /** Stored appointments that start before it are known; from then on, the database contains none that this import has added. */
  #knownTo = Number.NEGATIVE_INFINITY;
  /** Stored appointments with other seats than the database knows, by number. */
  readonly #moved = new Map<number, DraftAppointment>();

  readonly appointments: SeatQueries['appointments'] = {
    standing: async ({ doctorId, from, to }) => {
      // Only appointments that change their seats for each other reach further than the rows do.
      await this.#readTo(to);
      return during(this.#ofDoctor.get(doctorId) ?? [], from, to);
    },
    standingOfName: async ({ nameKey, from, to }) => during(this.#ofName.get(nameKey) ?? [], from, to),
    reseat: async (_centerId, moved) => {
      const seats = new Map(moved.map(({ id, seat }) => [id, seat]));
      for (const one of [...this.#ofDoctor.values()].flat()) {
        one.seat = seats.get(one.id) ?? one.seat;
        if (seats.has(one.id) && !this.#places.has(one)) this.#moved.set(one.id, one);
      }
    },
  };

  constructor(queries: Queries, centerId: number) {
    this.#queries = queries;
    this.centerId = centerId;
  }

  /** Goes on to rows that start within a span: forgets what ends before it, and reads what they may overlap. */
  async goOn(from: number, to: number): Promise<void> {
    const held = [...this.#ofDoctor.values()].flat().filter(({ endsAt }) => endsAt > from);
    this.#ofDoctor = Map.groupBy(held, ({ doctorId }) => doctorId);
    this.#ofName = Map.groupBy(held, ({ nameKey }) => nameKey);
    this.#knownTo = Math.max(this.#knownTo, from - LONGEST_SPAN_MINUTES);
    await this.#readTo(to + LONGEST_SPAN_MINUTES);
  }

  /** Stores the other seats of stored appointments. */
  async storeMoved(): Promise<void> {
    await this.#queries.appointments.reseat(this.centerId, [...this.#moved.values()]);
    this.#moved.clear();
  }

  add(draft: DraftAppointment, place: Place): void {
    this.#places.set(draft, place);
    this.#hold(draft);
  }

  /** Where an appointment comes from, in words. */
  originOf(held: DraftAppointment): string {
    const place = this.#places.get(held);
    return place === undefined ? `appointment ${held.id} of the database` : placeText(place);
  }

  async #readTo(to: number): Promise<void> {
    const span = { centerId: this.centerId, from: this.#knownTo, to };
    if (to <= span.from) return;
    this.#knownTo = to;
    for (const held of await this.#queries.imports.holding(span)) this.#hold(held);
  }

  #hold(held: DraftAppointment): void {
    this.#ofDoctor.getOrInsertComputed(held.doctorId, () => []).push(held);
    this.#ofName.getOrInsertComputed(held.nameKey, () => []).push(held);
  }
}

/**
 * Gives a seat to each row that occupies its slot, by the rules of a booking. What a booking would be refused for is a problem, or with
 * `allowOverlaps` marks the appointment. Existing marks of the rows only determine which ones come last: the appointments that they overlapped
 * may have been cancelled since, or may never have existed.
 */
export async function seatRows(rows: readonly PlacedDraft[], seats: CenterSeats, allowOverlaps = false) {
  const problems: Problem[] = [];
  for (const { draft, place, doctor } of rows.toSorted((a, b) => a.draft.overlapping - b.draft.overlapping)) {
    draft.overlapping = 0;
    if (draft.status > LAST_HOLDING_STATUS) continue;
    const slot = { start: draft.startsAt, end: draft.endsAt };
    const request = { center: { id: draft.centerId }, doctor, patient: draft, slot };
    const standing = await standingThen(seats, request);
    const { isTaken, ofPatient } = inTheWay(standing, request);
    const other = ofPatient ?? (isTaken ? standing.ofDoctor[0] : undefined);
    if (other !== undefined && !allowOverlaps) {
      problems.push({ ...place, message: overlapText(draft, other, seats.originOf(other)) });
      continue;
    }
    Object.assign(draft, await seatThen(seats, request, standing, other !== undefined));
    seats.add(draft, place);
  }
  return problems;
}

function overlapText(draft: DraftAppointment, other: StoredAppointment, origin: string): string {
  const expected = 'expected no overlap, or --allow-overlaps';
  if (!isSamePatient(other, draft)) return `overlaps ${origin}, for doctor ${draft.doctorId}; ${expected}`;
  const isRepeated = other.doctorId === draft.doctorId && other.startsAt === draft.startsAt;
  return isRepeated
    ? `repeats the booking of ${origin}; ${expected}`
    : `overlaps ${origin}, of the same patient; ${expected}`;
}

const dayKey = (doctorId: number, minute: number): string => `${doctorId}/${formatWallDay(minute)}`;

/**
 * Assigns a token to each appointment of whole days of one center that has none, in order of start, above all tokens already used on that
 * doctor's day. Returns the last token of each of these days.
 */
export function giveTokens(drafts: readonly DraftAppointment[], stored: readonly DayToken[]): readonly DayToken[] {
  const last = new Map(stored.map(({ doctorId, day, lastToken }) => [`${doctorId}/${day}`, lastToken]));
  const days = Map.groupBy(drafts, ({ doctorId, startsAt }) => dayKey(doctorId, startsAt));
  return [...days].flatMap(([key, ofDay]) => {
    const [first] = ofDay;
    if (first === undefined) return [];
    let token = last.get(key) ?? 0;
    for (const { tokenNo } of ofDay) token = Math.max(token, tokenNo);
    const without = ofDay.filter(({ tokenNo }) => tokenNo === 0);
    for (const draft of without.sort((a, b) => a.startsAt - b.startsAt)) draft.tokenNo = ++token;
    return [
      { centerId: first.centerId, doctorId: first.doctorId, day: formatWallDay(first.startsAt), lastToken: token },
    ];
  });
}
