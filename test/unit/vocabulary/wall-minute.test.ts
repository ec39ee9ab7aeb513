import { expect } from 'chai';
import fc from 'fast-check';
import type { DateTimeValue } from '../../../src/contract/contract.ts';
import { parseFormDateTime } from '../../../src/contract/form-date-time.ts';
import {
  dayOf,
  formatClock,
  formatWallDay,
  formatWallMinute,
  isoWeekday,
  minuteOfDay,
  spellDay,
  wallMinute,
} from '../../../src/vocabulary/wall-minute.ts';

function dateTimeOf(text: string): DateTimeValue {
  const value = parseFormDateTime(text);
  if (typeof value === 'string') throw new Error(`${text}: ${value}`);
  return value;
}

const minuteOf = (text: string): number => {
  const { date, time } = dateTimeOf(text);
  if (date === undefined) throw new Error(text);
  return wallMinute(date, time?.hour ?? 0, time?.minute ?? 0);
};

describe('wallMinute', () => {
  it('counts from 1970-01-01T00:00', () => {
    expect(wallMinute({ year: 1970, month: 1, day: 1 }, 0, 0)).to.equal(0);
    expect(wallMinute({ year: 1970, month: 1, day: 2 }, 0, 1)).to.equal(1441);
    expect(wallMinute({ year: 1969, month: 12, day: 31 }, 23, 59)).to.equal(-1);
  });

  it('is read back from its text', () => {
    const greatest = wallMinute({ year: 9999, month: 12, day: 31 }, 23, 59);
    const least = wallMinute({ year: 1, month: 1, day: 1 }, 0, 0);
    fc.assert(
      fc.property(fc.integer({ min: least, max: greatest }), (minute) => {
        const text = formatWallMinute(minute);
        expect(minuteOf(text)).to.equal(minute);
        expect(dayOf(minute) * 1440 + minuteOfDay(minute)).to.equal(minute);
        expect(minuteOfDay(minute)).to.be.within(0, 1439);
      }),
    );
  });

  it('agrees with Temporal on day number, weekday and text', () => {
    const epoch = Temporal.PlainDate.from('1970-01-01');
    fc.assert(
      fc.property(fc.integer({ min: -700_000, max: 2_900_000 }), (days) => {
        const date = epoch.add({ days });
        const minute = wallMinute({ year: date.year, month: date.month, day: date.day }, 0, 0);
        expect(minute).to.equal(days * 1440);
        expect(isoWeekday(minute)).to.equal(date.dayOfWeek);
        if (date.year >= 0 && date.year <= 9999) expect(formatWallDay(minute)).to.equal(date.toString());
      }),
    );
  });

  it('writes minutes, days and times with all their digits', () => {
    const minute = wallMinute({ year: 2027, month: 1, day: 8 }, 9, 5);
    expect(formatWallMinute(minute)).to.equal('2027-01-08T09:05:00');
    expect(formatWallDay(minute)).to.equal('2027-01-08');
    expect(formatClock(1440)).to.equal('24:00');
    expect(spellDay(minute)).to.equal('Friday 8 January 2027');
  });
});
