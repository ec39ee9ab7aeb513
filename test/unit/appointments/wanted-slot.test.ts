import { expect } from 'chai';
import fc from 'fast-check';
import { describeHours, describeOpenings, type OpeningRange } from '../../../src/appointments/opening-hours.ts';
import { type DoctorTimes, WantedSlot } from '../../../src/appointments/wanted-slot.ts';
import { ResultCode } from '../../../src/vocabulary/result-codes.ts';
import { type WallMinute, wallMinute } from '../../../src/vocabulary/wall-minute.ts';
import { refusalOf } from './refusal-of.ts';

/** 2027-01-18 is a Monday. */
const at = (day: number, hour: number, minute: number): WallMinute =>
  wallMinute({ year: 2027, month: 1, day }, hour, minute);
const range = (weekday: number, from: number, to: number, validity: Partial<OpeningRange> = {}): OpeningRange => ({
  weekday,
  from: from * 60,
  to: to * 60,
  ...validity,
});
const MONDAY_TO_SATURDAY = [1, 2, 3, 4, 5, 6].flatMap((weekday) => [range(weekday, 9, 13), range(weekday, 17, 20)]);

/** A minute in UTC as an instant. */
const clockAt = (minute: WallMinute) => minute * 60_000;

/** A slot that is wanted of a doctor. */
type Wanted = Partial<DoctorTimes & { readonly minutes: number }>;
const slot = (start: WallMinute, { minutes, ...changes }: Wanted = {}) => {
  const times = { slotMinutes: 15, openings: MONDAY_TO_SATURDAY, leaves: [], doctorId: 101 };
  return new WantedSlot({ ...times, zone: 'UTC', now: clockAt(at(11, 12, 0)), ...changes }, start, minutes);
};

const check = (...wanted: Parameters<typeof slot>): void => slot(...wanted).require();

/** The message of the refusal. */
const said = (...checked: Parameters<typeof check>): string => refusalOf(() => check(...checked)).message;

describe('The slot that is meant', () => {
  const meant = (start: WallMinute, now: WallMinute, changes: Wanted = {}) =>
    slot(start, { now: clockAt(now), slotMinutes: 30, ...changes }).meant().start;

  it('is the running slot for a time in it', () => {
    expect(meant(at(18, 9, 7), at(18, 9, 7))).to.equal(at(18, 9, 0));
    expect(meant(at(18, 9, 1), at(18, 9, 29))).to.equal(at(18, 9, 0));
    expect(meant(at(18, 9, 0), at(18, 9, 7))).to.equal(at(18, 9, 0));
  });

  it('is the time itself in another slot, out of hours, on another day, and for a doctor without hours', () => {
    for (const [start, now] of [
      [at(18, 9, 7), at(18, 9, 30)],
      [at(18, 9, 37), at(18, 9, 29)],
      [at(18, 13, 5), at(18, 13, 5)],
      [at(19, 9, 7), at(18, 9, 7)],
    ] as const) {
      expect(meant(start, now)).to.equal(start);
    }
    expect(meant(at(18, 9, 7), at(18, 9, 7), { openings: [] })).to.equal(at(18, 9, 7));
  });

  const DAILY = [1, 2, 3, 4, 5, 6, 7].map((weekday) => range(weekday, 0, 24));
  const inLondon = (month: number, day: number, hour: number, minute: number) =>
    wallMinute({ year: 2027, month, day }, hour, minute);

  it('is never one whose start the clocks skip', () => {
    const changes = { openings: DAILY, slotMinutes: 7, zone: 'Europe/London' };
    // The grid has 01:59, which ends at 03:06 if it is taken for 01:59 GMT.
    const start = inLondon(3, 28, 2, 3);
    for (const now of [Date.UTC(2027, 0, 10), Date.UTC(2027, 2, 28, 1, 3), Date.UTC(2027, 11, 1)]) {
      const wanted = slot(start, { ...changes, now });
      expect(wanted.meant()).to.equal(wanted);
    }
  });

  it('is the one that runs of two that contain the time, after the clocks have skipped an hour', () => {
    // 00:00 for 240 minutes ends at 05:00 BST, 04:00 at 08:00.
    const changes = { openings: DAILY, slotMinutes: 240, zone: 'Europe/London' };
    const now = Date.UTC(2027, 2, 28, 4, 9);
    expect(slot(inLondon(3, 28, 4, 5), { ...changes, now }).meant().start).to.equal(inLondon(3, 28, 4, 0));
  });
});

describe('A wanted slot', () => {
  it('accepts the first and the last slot of a range', () => {
    for (const start of [at(18, 9, 0), at(18, 12, 45), at(18, 17, 0), at(18, 19, 45)]) {
      expect(() => check(start)).not.to.throw();
    }
  });

  it('names the nearest slots for a time off the grid', () => {
    const refusal = refusalOf(() => check(at(18, 10, 10)));
    expect(refusal.resultCode).to.equal(ResultCode.DoctorNotAvailable);
    expect(refusal.message).to.equal(
      '10:10 is not a slot of doctor 101 on Monday 18 January 2027; the nearest free slots are 10:00 and 10:15.',
    );
  });

  it('refuses a slot that would end after its range', () => {
    expect(said(at(18, 13, 0))).to.include('the nearest free slots are 12:45 and 17:00');
    expect(said(at(18, 12, 45), { slotMinutes: 20 })).to.include('the nearest free slots are 12:40 and 17:00');
    // 12:20 is on the grid of 50 minutes, but would end at 13:10.
    expect(said(at(18, 12, 20), { slotMinutes: 50 })).to.include('the nearest free slots are 11:30 and 17:00');
  });

  it('names one slot if the others are all on one side', () => {
    expect(said(at(18, 8, 45))).to.include('the nearest free slot is 09:00.');
    expect(said(at(18, 20, 0))).to.include('the nearest free slot is 19:45.');
  });

  it('reports the days and hours for a day without slots', () => {
    expect(said(at(17, 10, 0))).to.equal(
      "10:00 is not a slot of doctor 101 on Sunday 17 January 2027; no slot is free that day; the doctor's days are Mon-Sat and the hours 09:00-13:00, 17:00-20:00.",
    );
  });

  it('reports the days and hours that begin later for a day before them', () => {
    const openings = [range(2, 9, 12, { validFrom: '2027-03-01' }), range(4, 9, 12, { validFrom: '2027-03-01' })];
    expect(said(at(19, 10, 0), { openings })).to.equal(
      "10:00 is not a slot of doctor 101 on Tuesday 19 January 2027; no slot is free that day; the doctor's days are Tue, Thu and the hours 09:00-12:00 from 2027-03-01.",
    );
  });

  it('says that the doctor has no hours any more for a day after the last of them', () => {
    const openings = [range(2, 9, 12, { validTo: '2026-12-31' })];
    expect(said(at(19, 10, 0), { openings })).to.equal(
      '10:00 is not a slot of doctor 101 on Tuesday 19 January 2027; the doctor has no hours on that day or later.',
    );
  });

  it('starts the grid of a range at its beginning', () => {
    const openings = [{ weekday: 1, from: 9 * 60 + 10, to: 12 * 60 }];
    expect(() => check(at(18, 9, 25), { openings })).not.to.throw();
    expect(said(at(18, 9, 15), { openings })).to.include('the nearest free slots are 09:10 and 09:25');
  });

  it('never proposes a time that is past or during leave', () => {
    const leaves = [{ from: at(18, 10, 15), to: at(18, 10, 30) }];
    expect(refusalOf(() => check(at(18, 10, 10), { now: clockAt(at(18, 10, 8)), leaves })).message).to.include(
      'the nearest free slots are 10:00 and 10:30.',
    );
  });

  it('refuses a slot that has ended, whatever its length, and none that is running', () => {
    for (const slotMinutes of [15, 240]) {
      const [start, end] = [at(18, 9, 0), at(18, 9, 0) + slotMinutes];
      const check9 = (now: number) => check(start, { slotMinutes, now });
      expect(() => check9(end * 60_000 - 1)).not.to.throw();
      expect(refusalOf(() => check9(end * 60_000)).resultCode).to.equal(ResultCode.PastTime);
    }
    expect(said(at(18, 9, 0), { now: clockAt(at(18, 9, 15)) })).to.equal(
      '09:00 on Monday 18 January 2027 is in the past; expected a slot that ends after 09:15 on Monday 18 January 2027.',
    );
  });

  it('refuses a start that the clocks skip, whoever chose it', () => {
    const skipped = wallMinute({ year: 2027, month: 3, day: 28 }, 1, 59);
    expect(said(skipped, { openings: [], zone: 'Europe/London', now: Date.UTC(2027, 0, 10) })).to.equal(
      '01:59 on Sunday 28 March 2027 does not exist in Europe/London, because its clocks skip it; expected another time.',
    );
  });

  it('measures the end of a longer appointment, on the grid of the slots', () => {
    expect(() => check(at(18, 12, 15), { minutes: 45 })).not.to.throw();
    expect(said(at(18, 12, 30), { minutes: 45 })).to.include('the nearest free slots are 12:15 and 17:00');
  });

  it('refuses a day more than 365 days ahead, at any time of day', () => {
    const aYearBefore = at(18, 0, 0) - 365 * 1440;
    expect(() => check(at(18, 19, 45), { now: clockAt(aYearBefore) })).not.to.throw();
    const refusal = refusalOf(() => check(at(18, 9, 0), { now: clockAt(aYearBefore - 1) }));
    expect(refusal.resultCode).to.equal(ResultCode.BeyondHorizon);
    expect(refusal.message).to.equal(
      '09:00 on Monday 18 January 2027 is more than 365 days ahead; the last day accepted now is Sunday 17 January 2027.',
    );
  });

  it('reports the past and the horizon before hours and leave', () => {
    const leaves = [{ from: 0, to: at(31, 0, 0) * 2 }];
    expect(refusalOf(() => check(at(3, 3, 3), { leaves })).resultCode).to.equal(ResultCode.PastTime);
    expect(refusalOf(() => check(at(18, 3, 3) + 400 * 1440, { leaves })).resultCode).to.equal(ResultCode.BeyondHorizon);
    expect(refusalOf(() => check(at(18, 3, 3), { leaves })).resultCode).to.equal(ResultCode.DoctorNotAvailable);
  });

  it('refuses a slot that overlaps leave, and accepts adjacent ones', () => {
    const leaves = [{ from: at(18, 10, 5), to: at(18, 10, 40) }];
    for (const minute of [0, 15, 30]) {
      const refusal = refusalOf(() => check(at(18, 10, minute), { leaves }));
      expect(refusal.resultCode).to.equal(ResultCode.DoctorNotAvailable);
      expect(refusal.message).to.include('doctor 101 is on leave from 10:05 on Monday 18 January 2027');
    }
    expect(() => check(at(18, 9, 45), { leaves })).not.to.throw();
    expect(() => check(at(18, 10, 45), { leaves })).not.to.throw();
  });

  it('begins a leave from a midnight that the clocks skip at the first time shown', () => {
    const day = wallMinute({ year: 2027, month: 3, day: 28 }, 0, 0);
    const beirut = { now: Date.UTC(2027, 2, 1), zone: 'Asia/Beirut' };
    const given = { ...beirut, openings: [], slotMinutes: 30, leaves: [{ from: day, to: day + 1440 }] };
    expect(() => check(day - 30, given)).not.to.throw();
    expect(refusalOf(() => check(day + 60, given)).resultCode).to.equal(ResultCode.DoctorNotAvailable);
  });

  it('accepts any time for a doctor without opening hours, except during leave', () => {
    expect(() => check(at(17, 3, 7), { openings: [] })).not.to.throw();
    expect(() => check(at(17, 3, 7), { openings: [], leaves: [{ from: at(17, 3, 20), to: at(17, 4, 0) }] })).to.throw();
  });

  it('uses a range on the days on which it is valid, including the first and last', () => {
    const openings = [range(1, 9, 13, { validFrom: '2027-01-18', validTo: '2027-01-25' })];
    expect(() => check(at(18, 10, 0), { openings })).not.to.throw();
    expect(() => check(at(25, 10, 0), { openings })).not.to.throw();
    expect(() => check(at(11, 12, 15), { openings })).to.throw();
    expect(() => check(wallMinute({ year: 2027, month: 2, day: 1 }, 10, 0), { openings })).to.throw();
  });

  it('accepts a range that ends at midnight', () => {
    expect(() => check(at(18, 23, 45), { openings: [range(1, 20, 24)] })).not.to.throw();
  });

  it('accepts every time that it proposes', () => {
    const opening = fc
      .tuple(fc.integer({ min: 1, max: 7 }), fc.nat(1380), fc.integer({ min: 1, max: 600 }))
      .map(([weekday, from, length]) => ({ weekday, from, to: Math.min(from + length, 1440) }));
    const leave = fc
      .tuple(fc.nat(14 * 1440), fc.integer({ min: 1, max: 600 }))
      .map(([from, length]) => ({ from: at(18, 0, 0) + from, to: at(18, 0, 0) + from + length }));
    fc.assert(
      fc.property(
        fc.array(opening, { minLength: 1, maxLength: 8 }),
        fc.array(leave, { maxLength: 3 }),
        fc.integer({ min: 5, max: 240 }),
        fc.nat(7 * 1440),
        (openings, leaves, slotMinutes, ahead) => {
          const start = at(18, 0, 0) + ahead;
          const changes = { now: clockAt(at(18, 6, 0)), openings, leaves, slotMinutes };
          try {
            check(start, changes);
          } catch (error) {
            const proposed =
              /nearest free slots? (?:is|are) (.*)\.$/.exec((error as Error).message)?.[1]?.split(' and ') ?? [];
            for (const clock of proposed) {
              const minutes = Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
              expect(() => check(Math.floor(start / 1440) * 1440 + minutes, changes), clock).not.to.throw();
            }
          }
        },
      ),
    );
  });
});

describe('describeOpenings', () => {
  it('lists days and hours separately if all days are alike', () => {
    expect(describeOpenings(MONDAY_TO_SATURDAY)).to.deep.equal({
      OPDays: 'Mon-Sat',
      OPTimings: '09:00-13:00, 17:00-20:00',
    });
  });

  it('names the days with their hours if they differ', () => {
    const openings = [...[1, 2, 3, 4, 5].map((weekday) => range(weekday, 9, 13)), range(6, 10, 12)];
    expect(describeOpenings(openings)).to.deep.equal({
      OPDays: 'Mon-Sat',
      OPTimings: 'Mon-Fri 09:00-13:00; Sat 10:00-12:00',
    });
  });

  it('lists days that are not consecutive', () => {
    const openings = [1, 3, 5, 6].map((weekday) => range(weekday, 9, 13));
    expect(describeOpenings(openings)).to.deep.equal({ OPDays: 'Mon, Wed, Fri, Sat', OPTimings: '09:00-13:00' });
  });

  it('sorts ranges and lists each once', () => {
    const openings = [range(1, 17, 24), range(1, 9, 13), range(1, 9, 13, { validFrom: '2027-01-01' })];
    expect(describeOpenings(openings)).to.deep.equal({ OPDays: 'Mon', OPTimings: '09:00-13:00, 17:00-24:00' });
  });

  it('returns nothing without opening hours', () => expect(describeOpenings([])).to.deep.equal({}));
});

describe('describeHours', () => {
  const today = at(18, 12, 0);

  it('returns nothing for a doctor who accepts any time', () => expect(describeHours([], today)).to.deep.equal({}));

  it('lists the current hours, not those that begin later', () => {
    const openings = [range(1, 9, 13), range(2, 9, 13, { validFrom: '2027-02-01' })];
    expect(describeHours(openings, today)).to.deep.equal({ OPDays: 'Mon', OPTimings: '09:00-13:00' });
  });

  it('lists hours that begin later, with their first day', () => {
    const openings = [
      range(1, 9, 13, { validFrom: '2027-02-01' }),
      range(2, 10, 12, { validFrom: '2027-03-01' }),
      range(3, 8, 9, { validTo: '2026-12-31' }),
    ];
    expect(describeHours(openings, today)).to.deep.equal({ OPDays: 'Mon', OPTimings: '09:00-13:00 from 2027-02-01' });
  });

  it('returns None if all hours have ended', () => {
    const openings = [range(1, 9, 13, { validTo: '2026-12-31' })];
    expect(describeHours(openings, today)).to.deep.equal({ OPDays: 'None', OPTimings: 'None' });
  });
});
