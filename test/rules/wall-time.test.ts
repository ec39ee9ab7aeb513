import { expect } from 'chai';
import fc from 'fast-check';
import type { DateTimeValue } from '../../src/contract/contract.ts';
import { parseFormDateTime } from '../../src/contract/form-date-time.ts';
import {
  appointmentDay,
  appointmentStart,
  dayOf,
  formatClock,
  formatWallDay,
  formatWallMinute,
  inZone,
  isoWeekday,
  isTimeZone,
  isUnset,
  minuteOfDay,
  spellDay,
  wallMinute,
  wallMinuteAt,
  wallSecondTextAt,
} from '../../src/rules/wall-time.ts';
import { ResultCode } from '../../src/vocabulary/result-codes.ts';
import { refusalOf } from './refusal-of.ts';

const ZONES = [
  'Asia/Kolkata',
  'Europe/Berlin',
  'Europe/Dublin',
  'America/New_York',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Africa/Casablanca',
  'Asia/Gaza',
  'UTC',
] as const;

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

const start = (date: string, time: string, zone = 'Asia/Kolkata') =>
  appointmentStart({ value: dateTimeOf(date), name: 'app_date' }, { value: dateTimeOf(time), name: 'app_time' }, zone);

describe('wallMinute', () => {
  it('counts from 1970-01-01T00:00', () => {
    expect(wallMinute({ year: 1970, month: 1, day: 1 }, 0, 0)).to.equal(0);
    expect(wallMinute({ year: 1970, month: 1, day: 2 }, 0, 1)).to.equal(1441);
    expect(wallMinute({ year: 1969, month: 12, day: 31 }, 23, 59)).to.equal(-1);
  });

  it('comes back from its text', () => {
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

  it('writes minutes, days and clock times with all their digits', () => {
    const minute = wallMinute({ year: 2027, month: 1, day: 8 }, 9, 5);
    expect(formatWallMinute(minute)).to.equal('2027-01-08T09:05:00');
    expect(formatWallDay(minute)).to.equal('2027-01-08');
    expect(formatWallDay(wallMinute({ year: 12027, month: 1, day: 8 }, 0, 0))).to.equal('12027-01-08');
    expect(formatWallDay(wallMinute({ year: -44, month: 3, day: 15 }, 0, 0))).to.equal('-0044-03-15');
    expect(formatClock(1440)).to.equal('24:00');
    expect(spellDay(minute)).to.equal('Friday 8 January 2027');
  });
});

describe('wallMinuteAt', () => {
  const of = (text: string): number => Temporal.Instant.from(text).epochMilliseconds;

  it('gives the minute on the wall of the zone', () => {
    expect(formatWallMinute(wallMinuteAt(of('2027-01-18T04:45:59Z'), 'Asia/Kolkata'))).to.equal('2027-01-18T10:15:00');
  });

  it('follows daylight saving time to the minute', () => {
    expect(formatWallMinute(wallMinuteAt(of('2027-03-28T00:59:59Z'), 'Europe/Berlin'))).to.equal('2027-03-28T01:59:00');
    expect(formatWallMinute(wallMinuteAt(of('2027-03-28T01:00:00Z'), 'Europe/Berlin'))).to.equal('2027-03-28T03:00:00');
    expect(formatWallMinute(wallMinuteAt(of('2027-10-31T00:59:59Z'), 'Europe/Berlin'))).to.equal('2027-10-31T02:59:00');
    expect(formatWallMinute(wallMinuteAt(of('2027-10-31T01:00:00Z'), 'Europe/Berlin'))).to.equal('2027-10-31T02:00:00');
  });

  it('follows a change that is not on a quarter hour', () => {
    // Until 2011 the clocks of St John's changed at 00:01.
    expect(formatWallMinute(wallMinuteAt(of('2010-03-14T03:30:59Z'), 'America/St_Johns'))).to.equal(
      '2010-03-14T00:00:00',
    );
    expect(formatWallMinute(wallMinuteAt(of('2010-03-14T03:31:00Z'), 'America/St_Johns'))).to.equal(
      '2010-03-14T01:01:00',
    );
  });

  it('agrees with Temporal at any instant from 1970 to 2100, in any order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), fc.constantFrom(...ZONES), (epochMs, zone) => {
        const wall = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(zone).toPlainDateTime();
        expect(formatWallMinute(wallMinuteAt(epochMs, zone))).to.equal(
          wall.round({ smallestUnit: 'minute', roundingMode: 'floor' }).toString(),
        );
        expect(wallSecondTextAt(epochMs, zone)).to.equal(
          wall.toString({ smallestUnit: 'second', roundingMode: 'floor' }),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('agrees with Temporal around the changes of offset', () => {
    for (const zone of ZONES) {
      let change = Temporal.Instant.from('2005-01-01T00:00Z').toZonedDateTimeISO(zone).getTimeZoneTransition('next');
      for (let count = 0; count < 20 && change !== null; count++) {
        for (const seconds of [-86_400, -901, -61, -1, 0, 1, 59, 901, 86_400]) {
          const at = change.add({ seconds });
          expect(wallSecondTextAt(at.epochMilliseconds, zone), `${zone} ${at}`).to.equal(
            at.toPlainDateTime().toString({ smallestUnit: 'second' }),
          );
        }
        change = change.getTimeZoneTransition('next');
      }
    }
  });

  it('throws for a zone that does not exist', () => {
    expect(() => wallMinuteAt(0, 'Asia/Calcuta')).to.throw(RangeError);
  });
});

describe('isTimeZone', () => {
  it('knows IANA names, links included', () => {
    for (const name of [...ZONES, 'Asia/Calcutta']) expect(isTimeZone(name), name).to.equal(true);
  });

  it('refuses other names, offsets and texts with a zone inside', () => {
    for (const name of ['', 'Asia', 'Asia/Calcuta', '+05:30', '-0530', '2027-01-18T00:00[Asia/Kolkata]', ' UTC']) {
      expect(isTimeZone(name), name).to.equal(false);
    }
  });
});

describe('inZone', () => {
  it('leaves a value without offset alone', () => {
    const value = dateTimeOf('2027-01-18T10:15:30');
    expect(inZone(value, 'Asia/Kolkata')).to.equal(value);
  });

  it('converts a value in UTC, over midnight as well', () => {
    expect(inZone(dateTimeOf('2027-01-18T20:15:30.5Z'), 'Asia/Kolkata')).to.deep.equal(
      dateTimeOf('2027-01-19T01:45:30.5'),
    );
  });

  it('converts an offset by the rules of the day', () => {
    expect(inZone(dateTimeOf('2027-01-18T10:15:00Z'), 'Europe/Berlin')).to.deep.equal(
      dateTimeOf('2027-01-18T11:15:00'),
    );
    expect(inZone(dateTimeOf('2027-07-18T10:15:00Z'), 'Europe/Berlin')).to.deep.equal(
      dateTimeOf('2027-07-18T12:15:00'),
    );
  });

  it('keeps the time of day of a placeholder date that carries the zone’s standard offset', () => {
    for (const date of ['0001-01-02', '1753-01-01', '1899-12-30', '1900-01-01']) {
      expect(inZone(dateTimeOf(`${date}T10:15:00+05:30`), 'Asia/Kolkata').time, date).to.deep.equal(
        dateTimeOf('10:15').time,
      );
      expect(inZone(dateTimeOf(`${date}T10:15:00+01:00`), 'Europe/Berlin').time, date).to.deep.equal(
        dateTimeOf('10:15').time,
      );
    }
  });

  it('converts any value that the contract lets through, without throwing', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -999_999, max: 999_999 }),
        fc.integer({ min: -840, max: 840 }),
        fc.constantFrom(...ZONES),
        (year, offset, zone) => {
          const value = { ...dateTimeOf('2027-12-31T23:59:59'), date: { year, month: 12, day: 31 }, offset };
          expect(inZone(value, zone).offset).to.equal(undefined);
        },
      ),
    );
  });

  it('agrees with Temporal for any instant and offset', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 86_400, max: 4_102_444_800 }),
        fc.integer({ min: -840, max: 840 }),
        fc.constantFrom(...ZONES),
        (epochSeconds, offset, zone) => {
          const instant = Temporal.Instant.fromEpochMilliseconds(epochSeconds * 1000);
          const sent = instant.add({ minutes: offset }).toString().slice(0, -1);
          expect(inZone({ ...dateTimeOf(sent), offset }, zone)).to.deep.equal(
            dateTimeOf(instant.toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'second' })),
          );
        },
      ),
    );
  });

  it('refuses a time with an offset but no date', () => {
    const refusal = refusalOf(() => inZone({ ...dateTimeOf('10:15'), offset: 330 }, 'Asia/Kolkata', 'app_time'));
    expect(refusal).to.include({ resultCode: ResultCode.InvalidInput, parameter: 'app_time' });
  });
});

describe('isUnset', () => {
  it('holds for nothing and for .NET’s unset DateTime', () => {
    expect(isUnset(undefined)).to.equal(true);
    for (const text of ['0001-01-01T00:00:00', '0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000-00:00', '0001-01-01']) {
      expect(isUnset(dateTimeOf(text)), text).to.equal(true);
    }
  });

  it('does not hold for anything else', () => {
    for (const text of [
      '0001-01-01T10:15:00',
      '0001-01-01T00:00:01',
      '0001-01-01T00:00:00.1',
      '0001-01-01T00:00:00+05:30',
      '0001-01-02T00:00:00',
      '2001-01-01T00:00:00',
      '00:00',
    ]) {
      expect(isUnset(dateTimeOf(text)), text).to.equal(false);
    }
  });
});

describe('appointmentDay', () => {
  it('is midnight of the day in the zone, whatever the time', () => {
    const day = minuteOf('2027-01-19');
    expect(appointmentDay(dateTimeOf('2027-01-19T10:15:30'), 'Asia/Kolkata', 'appdate')).to.equal(day);
    expect(appointmentDay(dateTimeOf('2027-01-18T20:00:00Z'), 'Asia/Kolkata', 'appdate')).to.equal(day);
    expect(appointmentDay(dateTimeOf('19-Jan-2027'), 'Asia/Kolkata', 'appdate')).to.equal(day);
  });

  it('refuses an unset value and one without a date, by name', () => {
    for (const value of [undefined, dateTimeOf('0001-01-01T00:00:00'), dateTimeOf('10:15')]) {
      const refusal = refusalOf(() => appointmentDay(value, 'Asia/Kolkata', 'appdate'));
      expect(refusal).to.include({ resultCode: ResultCode.InvalidInput, parameter: 'appdate' });
      expect(refusal.message).to.equal('Parameter appdate: a date is needed, such as 2027-01-18.');
    }
  });
});

describe('appointmentStart', () => {
  it('takes the day of the first and the time of day of the second', () => {
    expect(start('2027-01-18T23:59:59', '1900-01-01T10:15:00')).to.equal(minuteOf('2027-01-18T10:15:00'));
    expect(start('2027-01-18', '10:15 PM')).to.equal(minuteOf('2027-01-18T22:15:00'));
    expect(start('2027-01-18', '0001-01-01T10:15:00')).to.equal(minuteOf('2027-01-18T10:15:00'));
  });

  it('converts each half to the zone first', () => {
    expect(start('2027-01-17T20:00:00Z', '2027-01-18T04:45:00Z')).to.equal(minuteOf('2027-01-18T10:15:00'));
  });

  it('refuses a missing half by the name of its parameter', () => {
    const cases = [
      ['0001-01-01T00:00:00', '10:15', 'app_date'],
      ['10:15', '10:15', 'app_date'],
      ['2027-01-18', '0001-01-01T00:00:00', 'app_time'],
      ['2027-01-18', '2027-01-18', 'app_time'],
    ] as const;
    for (const [date, time, parameter] of cases) {
      expect(refusalOf(() => start(date, time))).to.include({ resultCode: ResultCode.InvalidInput, parameter });
    }
  });

  it('takes midnight on a real date as a time', () => {
    expect(start('2027-01-18', '2027-01-18T00:00:00')).to.equal(minuteOf('2027-01-18'));
  });

  it('refuses seconds and fractions', () => {
    for (const time of ['2027-01-18T10:15:30', '2027-01-18T10:15:00.001']) {
      const refusal = refusalOf(() => start('2027-01-18', time));
      expect(refusal).to.include({ resultCode: ResultCode.DoctorNotAvailable, parameter: 'app_time' });
      expect(refusal.message).to.include('whole minutes, such as 10:15:00');
    }
  });

  it('refuses a time that the clocks skip', () => {
    for (const [date, time, zone] of [
      ['2027-03-28', '02:00', 'Europe/Berlin'],
      ['2027-03-28', '02:59', 'Europe/Berlin'],
      ['2027-03-14', '02:30', 'America/New_York'],
      ['2027-10-03', '02:15', 'Australia/Lord_Howe'],
      ['2011-12-30', '10:00', 'Pacific/Apia'],
    ] as const) {
      const refusal = refusalOf(() => start(date, time, zone));
      expect(refusal, zone).to.include({ resultCode: ResultCode.DoctorNotAvailable, parameter: 'app_time' });
      expect(refusal.message).to.include(`does not exist in ${zone}`);
    }
  });

  it('takes a time that the clocks show twice, and those beside a gap', () => {
    for (const [date, time] of [
      ['2027-10-31', '02:00'],
      ['2027-10-31', '02:59'],
      ['2027-03-28', '01:59'],
      ['2027-03-28', '03:00'],
    ] as const) {
      expect(start(date, time, 'Europe/Berlin')).to.equal(minuteOf(`${date} ${time}`));
    }
  });

  it('agrees with Temporal on which times exist', () => {
    const around = ZONES.flatMap((zone) => {
      const changes: [string, Temporal.PlainDateTime][] = [];
      let change = Temporal.Instant.from('2009-06-01T00:00Z').toZonedDateTimeISO(zone).getTimeZoneTransition('next');
      for (let count = 0; count < 12 && change !== null; count++) {
        changes.push([zone, change.toPlainDateTime()]);
        change = change.getTimeZoneTransition('next');
      }
      return changes;
    });
    fc.assert(
      fc.property(fc.constantFrom(...around), fc.integer({ min: -180, max: 180 }), ([zone, change], minutes) => {
        const wall = change.add({ minutes }).round({ smallestUnit: 'minute', roundingMode: 'floor' });
        const exists = wall.toZonedDateTime(zone).toPlainDateTime().equals(wall);
        const text = wall.toString({ smallestUnit: 'second' });
        if (exists) expect(start(text, text, zone), `${text} ${zone}`).to.equal(minuteOf(text));
        else expect(refusalOf(() => start(text, text, zone)).resultCode).to.equal(ResultCode.DoctorNotAvailable);
      }),
      { numRuns: 1000 },
    );
  });
});
