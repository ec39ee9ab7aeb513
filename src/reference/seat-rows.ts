import { during } from '../appointments/free-seat.ts';
import { inTheWay, type SeatQueries, seatThen, standingThen } from '../appointments/require-seat.ts';
import { isSamePatient } from '../appointments/same-patient.ts';
import type { DayToken } from '../store/queries/import-queries.ts';
import type { ReferenceData } from '../store/queries/reference-data.ts';
import type { Doctor } from '../store/queries/reference-rows.ts';
import type { Queries } from '../store/store.ts';
import { LAST_HOLDING_STATUS, LONGEST_SPAN_MINUTES } from '../vocabulary/appointments.ts';
import type { StoredAppointment } from '../vocabulary/stored-records.ts';
import { formatWallDay } from '../vocabulary/wall-minute.ts';
import { type Place, type Problem, placeText } from './problem.ts';

/** An appointment that is about to be added to the database. Its token is 0 until it has one. */
export type DraftAppointment = { -readonly [Name in keyof StoredAppointment]: StoredAppointment[Name] };

export interface PlacedDraft {
  readonly draft: DraftAppointment;
  readonly place: Place;
  readonly doctor: Doctor;
}

/**
 * Seats the rows of one center among the appointments that a booking would find in the database, had each row been booked after the one before
 * it. Those of many days are read at once: asking the database for each row takes several times as long.
 */
export class CenterSeats implements SeatQueries {
  readonly centerId: number;
  readonly #queries: Queries;
  readonly #writes: boolean;
  readonly #reference: ReferenceData;
  readonly #replaced: ReadonlySet<string>;
  #ofDoctor = new Map<number, DraftAppointment[]>();
  #ofName = new Map<string | null, DraftAppointment[]>();
  /** Of the rows; the other appointments were stored before. */
  readonly #places = new WeakMap<StoredAppointment, Place>();
  /** Stored appointments that start before it are known; from then on, the database contains none that this import has added. */
  #knownTo = Number.NEGATIVE_INFINITY;

  readonly appointments: SeatQueries['appointments'] = {
    standing: async ({ doctorId, from, to }) => {
      // Only appointments that change their seats for each other reach further than the rows do.
      await this.#readTo(to);
      return during(this.#ofDoctor.get(doctorId) ?? [], from, to);
    },
    standingOfName: async ({ nameKey, from, to }) => during(this.#ofName.get(nameKey) ?? [], from, to),
    reseat: async (centerId, moved) => {
      const seats = new Map(moved.map(({ id, seat }) => [id, seat]));
      const held = [...this.#ofDoctor.values()].flat().filter(({ id }) => seats.has(id));
      for (const one of held) one.seat = seats.get(one.id) ?? one.seat;
      const stored = held.filter((one) => !this.#places.has(one));
      if (this.#writes) await this.#queries.appointments.reseat(centerId, stored);
    },
  };

  /** `reference`: after the import. `replaced`: the keys of stored appointments that rows replace. */
  constructor(
    queries: Queries,
    writes: boolean,
    reference: ReferenceData,
    centerId: number,
    replaced: ReadonlySet<string>,
  ) {
    this.#queries = queries;
    this.#writes = writes;
    this.#reference = reference;
    this.centerId = centerId;
    this.#replaced = replaced;
  }

  /** Goes on to rows that start within a span: forgets what ends before it, and reads what they may overlap. */
  async goOn(from: number, to: number): Promise<void> {
    const held = [...this.#ofDoctor.values()].flat().filter(({ endsAt }) => endsAt > from);
    this.#ofDoctor = Map.groupBy(held, ({ doctorId }) => doctorId);
    this.#ofName = Map.groupBy(held, ({ nameKey }) => nameKey);
    this.#knownTo = Math.max(this.#knownTo, from - LONGEST_SPAN_MINUTES);
    await this.#readTo(to + LONGEST_SPAN_MINUTES);
  }

  /**
   * Seats a row that occupies its slot, by the rules of a booking. What a booking would be refused for is a problem, or with `allowOverlaps`
   * marks the appointment.
   */
  async seat({ draft, place, doctor }: PlacedDraft, allowOverlaps = false): Promise<Problem | undefined> {
    draft.overlapping = 0;
    if (draft.status > LAST_HOLDING_STATUS) return undefined;
    const slot = { start: draft.startsAt, end: draft.endsAt, minutes: draft.minutes };
    const request = { reference: this.#reference, center: { id: draft.centerId }, doctor, patient: draft, slot };
    const standing = await standingThen(this, request);
    const { isTaken, ofPatient } = inTheWay(standing, request);
    const other = ofPatient ?? (isTaken ? standing.ofDoctor[0] : undefined);
    if (other !== undefined && !allowOverlaps) return { ...place, message: this.#overlapText(draft, other) };
    Object.assign(draft, await seatThen(this, request, standing, other !== undefined));
    this.#places.set(draft, place);
    this.#hold(draft);
    return undefined;
  }

  #overlapText(draft: DraftAppointment, other: StoredAppointment): string {
    const place = this.#places.get(other);
    const origin = place === undefined ? `appointment ${other.id} of the database` : placeText(place);
    const expected = 'expected no overlap, or --allow-overlaps';
    if (!isSamePatient(other, draft)) return `overlaps ${origin}, for doctor ${draft.doctorId}; ${expected}`;
    if (other.doctorId === draft.doctorId && other.startsAt === draft.startsAt)
      return `repeats the booking of ${origin}; ${expected}`;
    return `overlaps ${origin}, of the same patient; ${expected}`;
  }

  async #readTo(to: number): Promise<void> {
    const span = { centerId: this.centerId, from: this.#knownTo, to };
    if (to <= span.from) return;
    this.#knownTo = to;
    for (const held of await this.#queries.imports.holding(span)) {
      if (!this.#replaced.has(appointmentKey(held))) this.#hold(held);
    }
  }

  #hold(held: DraftAppointment): void {
    this.#ofDoctor.getOrInsertComputed(held.doctorId, () => []).push(held);
    this.#ofName.getOrInsertComputed(held.nameKey, () => []).push(held);
  }
}

/** What identifies an appointment among those of all centers. */
export const appointmentKey = ({ centerId, id }: Pick<StoredAppointment, 'centerId' | 'id'>): string =>
  `${centerId}/${id}`;

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
