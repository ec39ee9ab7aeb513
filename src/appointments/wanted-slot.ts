import { LONGEST_SPAN_MINUTES, MINUTES_PER_DAY } from '../vocabulary/appointments.ts';
import { Refusal } from '../vocabulary/result-codes.ts';
import { firstShown, lastInstantOf, MS_A_MINUTE, wallEnd, wallMinuteAt } from '../vocabulary/time-zone.ts';
import { dayOf, formatClock, minuteOfDay, spellDay, spellMinute, type WallMinute } from '../vocabulary/wall-minute.ts';
import { describeHours, NO_HOURS, type OpeningRange, openingsOn } from './opening-hours.ts';

/** How many days ahead a start may be. */
export const HORIZON_DAYS = 365;

/** A period in which the doctor sees nobody: from `from` until just before `to`. */
interface Leave {
  readonly from: WallMinute;
  readonly to: WallMinute;
}

/** When a doctor takes appointments. */
export interface DoctorTimes {
  readonly doctorId: number;
  readonly slotMinutes: number;
  /** A doctor without opening hours accepts any time. */
  readonly openings: readonly OpeningRange[];
  readonly leaves: readonly Leave[];
  /** IANA zone of the center. */
  readonly zone: string;
  /** Instant, ms. */
  readonly now: number;
}

/** A time of a doctor that somebody wants for an appointment. Of a time that the clocks show twice, it is the second occurrence. */
export class WantedSlot {
  readonly start: WallMinute;
  readonly end: WallMinute;
  /** Its real minutes, if the clocks change meanwhile; otherwise null. */
  readonly minutes: number | null;
  /** Whether a slot of the doctor's hours starts then, and the appointment ends within them. */
  readonly isOnGrid: boolean;
  readonly #doctor: DoctorTimes;
  readonly #length: number;
  /** The hours of the day. */
  readonly #ranges: readonly OpeningRange[];
  readonly #midnight: WallMinute;
  /** Instant, ms; undefined for a time that the clocks skip. */
  readonly #beginsOn: number | undefined;

  /** `length`: minutes of the appointment, if it is not as long as a slot. `ranges`: the doctor's on that day, if they are known. */
  constructor(
    doctor: DoctorTimes,
    start: WallMinute,
    length = doctor.slotMinutes,
    ranges = openingsOn(doctor.openings, start),
  ) {
    const { openings, slotMinutes, zone } = doctor;
    this.start = start;
    this.end = Math.min(wallEnd(start, length, zone), start + LONGEST_SPAN_MINUTES);
    this.minutes = this.end - start === length ? null : length;
    this.#doctor = doctor;
    this.#length = length;
    this.#ranges = ranges;
    this.#midnight = dayOf(start) * MINUTES_PER_DAY;
    this.#beginsOn = lastInstantOf(start, zone);
    const minute = start - this.#midnight;
    const isSlotOf = ({ from, to }: OpeningRange): boolean =>
      minute >= from && (minute - from) % slotMinutes === 0 && this.end <= firstShown(this.#midnight + to, zone);
    this.isOnGrid = openings.length === 0 || ranges.some(isSlotOf);
  }

  /** Whether the clocks show its start. */
  get exists(): boolean {
    return this.#beginsOn !== undefined;
  }

  get hasHours(): boolean {
    return this.#doctor.openings.length > 0;
  }

  /** Whether the doctor's hours have a slot that starts then, outside leave, whatever the time is now. */
  get isOpen(): boolean {
    return this.isOnGrid && this.#leave() === undefined;
  }

  /** The running slot in which a time off the grid lies: a program that sends the current time means it. Otherwise this one. */
  meant(): WantedSlot {
    if (this.isOnGrid) return this;
    const { slotMinutes } = this.#doctor;
    const containing = this.#starts().findLast((from) => {
      const slot = this.#at(from, slotMinutes);
      return from < this.start && this.start < slot.end && slot.#isRunning();
    });
    return containing === undefined ? this : this.#at(containing);
  }

  /**
   * Checks that the doctor takes an appointment then, regardless of others. Throws Refusal DoctorNotAvailable for a time that the clocks skip,
   * then PastTime, BeyondHorizon or DoctorNotAvailable. `subject` begins the sentence; a slot for which `isTaken` is not proposed.
   */
  require(subject = '', isTaken: (slot: WantedSlot) => boolean = () => false): void {
    const { start } = this;
    const { doctorId, now, zone } = this.#doctor;
    if (!this.exists) throw new Refusal('DoctorNotAvailable', `${subject}${skipped(start, zone)}.`);
    if (this.#isPast()) {
      const expected = `expected a slot that ends after ${spellMinute(wallMinuteAt(now, zone))}`;
      throw new Refusal('PastTime', `${subject}${spellMinute(start)} is in the past; ${expected}.`);
    }
    if (this.#midnight > this.#lastMidnight) {
      const last = `the last day accepted now is ${spellDay(this.#lastMidnight)}`;
      const text = `${spellMinute(start)} is more than ${HORIZON_DAYS} days ahead; ${last}.`;
      throw new Refusal('BeyondHorizon', `${subject}${text}`);
    }
    if (!this.isOnGrid) {
      const text = `${formatClock(start - this.#midnight)} is not a slot of doctor ${doctorId} on ${spellDay(start)}`;
      throw new Refusal('DoctorNotAvailable', `${subject}${text}; ${this.nearest(isTaken)}.`);
    }
    const leave = this.#leave();
    if (leave !== undefined) {
      const span = `from ${spellMinute(leave.from)} to ${spellMinute(leave.to)}`;
      const text = `doctor ${doctorId} is on leave ${span}; expected a time before or after the leave.`;
      throw new Refusal('DoctorNotAvailable', `${subject}${text}`);
    }
  }

  /** Of the slots on the same day that would be accepted, the last one before and the first one after, in words. */
  nearest(isTaken: (slot: WantedSlot) => boolean): string {
    const { start } = this;
    const starts = this.#starts();
    const isFree = (from: WallMinute): boolean => {
      const slot = this.#at(from);
      const isInTime = slot.exists && !slot.#isPast() && this.#midnight <= this.#lastMidnight;
      return isInTime && slot.isOpen && !isTaken(slot);
    };
    const before = starts.findLast((from) => from < start && isFree(from));
    const after = starts.find((from) => from > start && isFree(from));
    const found = [before, after].filter((slot) => slot !== undefined).map((slot) => formatClock(minuteOfDay(slot)));
    if (found.length === 2) return `the nearest free slots are ${found.join(' and ')}`;
    if (found.length === 1) return `the nearest free slot is ${found[0]}`;
    const { OPDays = NO_HOURS, OPTimings } = describeHours(this.#doctor.openings, start);
    return OPDays === NO_HOURS
      ? 'the doctor has no hours on that day or later'
      : `no slot is free that day; the doctor's days are ${OPDays} and the hours ${OPTimings}`;
  }

  /** Another start on the same day. */
  #at(start: WallMinute, length = this.#length): WantedSlot {
    return new WantedSlot(this.#doctor, start, length, this.#ranges);
  }

  /** Until its slot has ended, a patient who walks in gets it. */
  #isPast(): boolean {
    const { now, slotMinutes } = this.#doctor;
    return this.#beginsOn !== undefined && this.#beginsOn + slotMinutes * MS_A_MINUTE <= now;
  }

  #isRunning(): boolean {
    return this.#beginsOn !== undefined && this.#beginsOn <= this.#doctor.now && !this.#isPast();
  }

  get #lastMidnight(): WallMinute {
    const { now, zone } = this.#doctor;
    return (dayOf(wallMinuteAt(now, zone)) + HORIZON_DAYS) * MINUTES_PER_DAY;
  }

  #leave(): Leave | undefined {
    const { leaves, zone } = this.#doctor;
    // What begins at a time that the clocks skip begins at the first one that they show.
    return leaves.find(({ from, to }) => firstShown(from, zone) < this.end && to > this.start);
  }

  /** The starts of the slots on its day, in order. */
  #starts(): readonly WallMinute[] {
    const { slotMinutes } = this.#doctor;
    const starts = this.#ranges.flatMap(({ from, to }) =>
      Array.from({ length: Math.ceil((to - from) / slotMinutes) }, (_, n) => this.#midnight + from + n * slotMinutes),
    );
    return starts.sort((a, b) => a - b);
  }
}

/** Why nobody can come at a time that does not exist. */
export const skipped = (start: WallMinute, zone: string): string =>
  `${spellMinute(start)} does not exist in ${zone}, because its clocks skip it; expected another time`;
