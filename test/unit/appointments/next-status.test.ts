import { expect } from 'chai';
import { moveOfType, nextStatus, statusText } from '../../../src/appointments/next-status.ts';
import { MOVES, type Move } from '../../../src/vocabulary/appointments.ts';
import { ResultCode } from '../../../src/vocabulary/result-codes.ts';
import { wallMinute } from '../../../src/vocabulary/wall-minute.ts';
import { listed } from '../../support/listed.ts';
import { refusalOf } from './refusal-of.ts';

const timeZone = 'Asia/Kolkata';
/** Monday 18 January 2027, 10:15. */
const startsAt = wallMinute({ year: 2027, month: 1, day: 18 }, 10, 15);
const MINUTE = 60_000;
const start = Date.UTC(2027, 0, 18, 4, 45);
const late = { now: start + 60 * MINUTE, startsAt, timeZone };

/** Of an appointment of 15 minutes, whose doctor has slots of that length. */
const next = (status: number, move: Move, { startsAt, timeZone, now }: typeof late) =>
  nextStatus({ status, startsAt, endsAt: startsAt + 15, minutes: null }, move, {
    now,
    center: { timeZone },
    doctor: { slotMinutes: 15, capacity: 1 },
  });

describe('nextStatus', () => {
  it('says in one sentence from which statuses a move is allowed', () => {
    expect(refusalOf(() => next(5, moveOfType(6), late)).message).to.equal(
      'Parameter type: Cancel is allowed only from status 1 Pending, 2 Booked, 3 Arrived or 7 NoShow; the appointment has status 5 Completed.',
    );
  });

  it('allows NoShow from 15 minutes after the start, and not a minute earlier', () => {
    expect(next(2, moveOfType(7), { ...late, now: start + 15 * MINUTE }).changed).to.equal(true);
    const refusal = refusalOf(() => next(2, moveOfType(7), { ...late, now: start + 15 * MINUTE - 1 }));
    expect(refusal.resultCode).to.equal(ResultCode.MoveNotAllowed);
    expect(refusal.message).to.include('15 minutes after the start');
  });

  it('allows NoShow of a token from the end of its session, and of a visit of an hour alone like any', () => {
    const noShow = (capacity: number, minutes: number) =>
      nextStatus({ status: 2, startsAt, endsAt: startsAt + 240, minutes: null }, moveOfType(7), {
        now: start + minutes * MINUTE,
        center: { timeZone },
        doctor: { slotMinutes: 240, capacity },
      });
    expect(noShow(50, 240).changed).to.equal(true);
    expect(refusalOf(() => noShow(50, 239)).message).to.include('before 14:15 on Monday 18 January 2027, 240 minutes');
    expect(noShow(1, 15).changed).to.equal(true);
  });

  it('takes an arrival, a start and a completion back by Confirm on the day of the appointment, whatever the time', () => {
    const midnight = Date.UTC(2027, 0, 17, 18, 30);
    for (const status of [3, 4, 5]) {
      const confirm = (now: number) => next(status, moveOfType(2), { ...late, now });
      expect(confirm(midnight)).to.deep.equal({ changed: true, status: 2 });
      expect(confirm(midnight + 1440 * MINUTE - 1)).to.deep.equal({ changed: true, status: 2 });
      expect(refusalOf(() => confirm(midnight + 1440 * MINUTE)).message).to.equal(
        'Parameter type: Confirm takes a visit back only on Monday 18 January 2027, the day of the appointment.',
      );
      expect(refusalOf(() => confirm(midnight - 1)).message).to.include('before Monday 18 January 2027');
    }
    expect(next(1, moveOfType(2), { ...late, now: midnight - 1 }).changed).to.equal(true);
  });

  it('takes nothing back after midnight, although the visit still runs', () => {
    const night = { startsAt: startsAt + 13 * 60, timeZone, now: start + 13.5 * 60 * MINUTE };
    expect(next(3, moveOfType(2), night).changed).to.equal(true);
    expect(refusalOf(() => next(3, moveOfType(2), { ...night, now: start + 14 * 60 * MINUTE })).resultCode).to.equal(
      21,
    );
  });

  for (const type of [3, 4, 5]) {
    const { name } = moveOfType(type);
    it(`allows ${name} from midnight of the appointment's day, and not a minute earlier`, () => {
      const midnight = Date.UTC(2027, 0, 17, 18, 30);
      expect(next(2, moveOfType(type), { ...late, now: midnight }).changed).to.equal(true);
      const refusal = refusalOf(() => next(2, moveOfType(type), { ...late, now: midnight - 1 }));
      expect(refusal.resultCode).to.equal(ResultCode.MoveNotAllowed);
      expect(refusal.message).to.equal(
        `Parameter type: ${name} is not allowed before Monday 18 January 2027, the day of the appointment.`,
      );
    });
  }

  it('counts elapsed minutes until a NoShow: 15, even if the clocks go forward meanwhile', () => {
    // New York, 14 March 2027: 01:59:59 is followed by 03:00:00.
    const early = {
      startsAt: wallMinute({ year: 2027, month: 3, day: 14 }, 1, 50),
      timeZone: 'America/New_York',
    };
    const began = Date.UTC(2027, 2, 14, 6, 50);
    expect(next(2, moveOfType(7), { ...early, now: began + 15 * MINUTE }).changed).to.equal(true);
    const refusal = refusalOf(() => next(2, moveOfType(7), { ...early, now: began + 14 * MINUTE }));
    expect(refusal.message).to.include('not allowed before 03:05 on Sunday 14 March 2027');
  });

  it('ignores the time when NoShow is repeated', () => {
    expect(next(7, moveOfType(7), { ...late, now: 0 }).changed).to.equal(false);
  });
});

describe('moveOfType', () => {
  it('finds each move by its number', () => {
    for (const move of MOVES) expect(moveOfType(move.type)).to.equal(move);
  });

  for (const type of [0, 8, -1, 2147483647]) {
    it(`refuses ${type} and lists the types`, () => {
      const refusal = refusalOf(() => moveOfType(type));
      expect(refusal).to.include({ resultCode: ResultCode.UnknownType, parameter: 'type' });
      expect(refusal.message).to.equal(
        `Parameter type: ${type} is not recognized; expected one of 1 Reschedule, 2 Confirm, 3 Arrive, 4 Start, 5 Complete, 6 Cancel, 7 NoShow.`,
      );
    });
  }
});

describe('statusText', () => {
  it('names the statuses 1 to 7', () => {
    expect([1, 2, 3, 4, 5, 6, 7].map(statusText)).to.deep.equal(
      listed(`Pending | Booked | Arrived | InConsultation | Completed | Cancelled | NoShow`),
    );
  });

  it('throws for a number that is not a status', () => {
    expect(() => statusText(0)).to.throw(RangeError);
    expect(() => statusText(8)).to.throw(RangeError);
  });
});
