import { expect } from 'chai';
import fc from 'fast-check';
import { type DoctorTimes, WantedSlot } from '../../../src/appointments/wanted-slot.ts';
import { LONGEST_SPAN_MINUTES, MINUTES_PER_DAY } from '../../../src/vocabulary/appointments.ts';
import { lastInstantOf, wallEnd, wallMinuteAt } from '../../../src/vocabulary/time-zone.ts';
import { dayOf, type WallMinute, wallMinute } from '../../../src/vocabulary/wall-minute.ts';
import { changesIn2027, ZONES } from './zones.ts';

const MINUTE = 60_000;

/** A minute of local time in a zone according to Temporal: undefined if the clocks skip it, otherwise the later instant. */
function laterInstant(minute: WallMinute, zone: string): number | undefined {
  const epoch = Temporal.PlainDateTime.from('1970-01-01T00:00').add({ minutes: minute });
  const later = epoch.toZonedDateTime(zone, { disambiguation: 'later' });
  return later.toPlainDateTime().equals(epoch) ? later.epochMilliseconds : undefined;
}

const around = ZONES.flatMap((zone) => changesIn2027(zone).map((change) => ({ zone, change })));
const nearChange = fc.record({
  at: fc.constantFrom(...around),
  minutes: fc.integer({ min: -180, max: 180 }),
});

const wanted = (start: WallMinute, times: Pick<DoctorTimes, 'now' | 'zone'> & Partial<DoctorTimes>) =>
  new WantedSlot({ slotMinutes: 10, openings: [], leaves: [], doctorId: 1, ...times }, start);

/** Whether a slot of 10 minutes may still be booked then, and exists. */
function isBookable(start: WallMinute, now: number, zone: string): boolean {
  try {
    wanted(start, { now, zone }).require();
    return true;
  } catch {
    return false;
  }
}

describe('Around clock changes', () => {
  it('the tests use zones with clock changes', () => expect(around.length).to.be.above(8));

  it('a local time has the same instant as in Temporal, the later one of two, and none if it is skipped', () => {
    fc.assert(
      fc.property(nearChange, ({ at: { zone, change }, minutes }) => {
        const minute = wallMinuteAt(change, zone) + minutes;
        expect(lastInstantOf(minute, zone)).to.equal(laterInstant(minute, zone));
      }),
      { numRuns: 500 },
    );
  });

  it('two spans overlap in wall minutes exactly if they do in real minutes', () => {
    const length = fc.integer({ min: 5, max: 240 });
    fc.assert(
      fc.property(nearChange, length, fc.integer({ min: -240, max: 240 }), length, (near, minutes, later, others) => {
        const { zone, change } = near.at;
        const first = wallMinuteAt(change, zone) + near.minutes;
        const second = first + later;
        const [from, otherFrom] = [laterInstant(first, zone), laterInstant(second, zone)];
        fc.pre(from !== undefined && otherFrom !== undefined);
        const inReality = from < otherFrom + others * MINUTE && otherFrom < from + minutes * MINUTE;
        const [end, otherEnd] = [wallEnd(first, minutes, zone), wallEnd(second, others, zone)];
        expect(first < otherEnd && second < end, `${first}-${end}, ${second}-${otherEnd}`).to.equal(inReality);
        expect(end - first).to.be.within(1, LONGEST_SPAN_MINUTES);
      }),
      { numRuns: 2000 },
    );
  });

  it('no slot is proposed that the clocks skip or that is past', () => {
    fc.assert(
      fc.property(nearChange, fc.integer({ min: 0, max: 1439 }), ({ at: { zone, change }, minutes }, minute) => {
        const now = change + minutes * MINUTE;
        const midnight = dayOf(wallMinuteAt(change, zone)) * MINUTES_PER_DAY;
        const openings = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, from: 0, to: 1440 }));
        const text = wanted(midnight + minute, { now, zone, openings }).nearest(() => false);
        for (const [, h = '', m = ''] of text.matchAll(/(\d\d):(\d\d)(?= and |$)/g)) {
          const slot = midnight + Number(h) * 60 + Number(m);
          if (text.startsWith('the nearest')) expect(isBookable(slot, now, zone), text).to.equal(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('New York, 14 March 2027: after 01:50, 03:00 is proposed and not 02:00', () => {
    const zone = 'America/New_York';
    const at = (hour: number, minute: number) => wallMinute({ year: 2027, month: 3, day: 14 }, hour, minute);
    const openings = [{ weekday: 7, from: 0, to: 1440 }];
    const now = Date.UTC(2027, 2, 14, 6, 0);
    const text = wanted(at(1, 50), { now, zone, openings }).nearest(({ start }) => start === at(1, 50));
    expect(text).to.equal('the nearest free slots are 01:40 and 03:00');
  });

  it('a time that occurs twice may be booked until the slot of its second occurrence has ended', () => {
    const zone = 'America/New_York';
    const at = wallMinute({ year: 2027, month: 11, day: 7 }, 1, 30);
    // 01:30 occurs at 05:30 and at 06:30 UTC.
    expect(isBookable(at, Date.UTC(2027, 10, 7, 6, 39), zone)).to.equal(true);
    expect(isBookable(at, Date.UTC(2027, 10, 7, 6, 40), zone)).to.equal(false);
  });
});
