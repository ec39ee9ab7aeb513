import { expect } from 'chai';
import fc from 'fast-check';
import { appointmentDay, appointmentStart, inZone } from '../../../src/appointments/appointment-start.ts';
import type { DateTimeValue } from '../../../src/contract/contract.ts';
import { parseFormDateTime } from '../../../src/contract/form-date-time.ts';
import { ResultCode } from '../../../src/vocabulary/result-codes.ts';
import { wallMinute } from '../../../src/vocabulary/wall-minute.ts';
import { refusalOf } from './refusal-of.ts';
import { ZONES } from './zones.ts';

function dateTimeOf(text: string): DateTimeValue {
  const value = parseFormDateTime(text);
  if (typeof value === 'string') throw new Error(`${text}: ${value}`);
  return value;
}

function datedOf(text: string) {
  const { date, ...rest } = dateTimeOf(text);
  if (date === undefined) throw new Error(text);
  return { ...rest, date };
}

const minuteOf = (text: string): number => {
  const { date, time } = datedOf(text);
  return wallMinute(date, time?.hour ?? 0, time?.minute ?? 0);
};

const read = (date: string, time: string, zone = 'Asia/Kolkata') =>
  appointmentStart({ app_date: dateTimeOf(date), app_time: dateTimeOf(time) }, ['app_date', 'app_time'], zone);
const start = (...given: Parameters<typeof read>) => read(...given).start;

describe('inZone', () => {
  it('leaves a value without an offset unchanged', () => {
    const value = datedOf('2027-01-18T10:15:30');
    expect(inZone(value, 'Asia/Kolkata')).to.deep.equal(value);
  });

  it('converts a value in UTC, even across midnight', () => {
    const converted = inZone(datedOf('2027-01-18T20:15:30.5Z'), 'Asia/Kolkata');
    expect(converted).to.deep.equal(dateTimeOf('2027-01-19T01:45:30.5'));
  });

  it('converts an offset by the rules of that day', () => {
    expect(inZone(datedOf('2027-01-18T10:15:00Z'), 'Europe/Berlin')).to.deep.equal(dateTimeOf('2027-01-18T11:15:00'));
    expect(inZone(datedOf('2027-07-18T10:15:00Z'), 'Europe/Berlin')).to.deep.equal(dateTimeOf('2027-07-18T12:15:00'));
  });

  it('keeps the time of day of a placeholder date with the zone’s standard offset', () => {
    for (const date of ['0001-01-02', '1753-01-01', '1899-12-30', '1900-01-01']) {
      for (const [offset, zone] of Object.entries({ '+05:30': 'Asia/Kolkata', '+01:00': 'Europe/Berlin' })) {
        const { time } = inZone(datedOf(`${date}T10:15:00${offset}`), zone);
        expect(time, date).to.deep.equal(dateTimeOf('10:15').time);
      }
    }
  });

  it('converts any value that the contract accepts, without throwing', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9999 }),
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
        // Another one may be a zone's local mean time.
        fc.integer({ min: -56, max: 56 }).map((quarters) => quarters * 15),
        fc.constantFrom(...ZONES),
        (epochSeconds, offset, zone) => {
          const instant = Temporal.Instant.fromEpochMilliseconds(epochSeconds * 1000);
          const sent = instant.add({ minutes: offset }).toString().slice(0, -1);
          expect(inZone({ ...datedOf(sent), offset }, zone)).to.deep.equal(
            dateTimeOf(instant.toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'second' })),
          );
        },
      ),
    );
  });
});

describe('appointmentDay', () => {
  it('is midnight of the day in the zone, at any time of day', () => {
    const day = minuteOf('2027-01-19');
    expect(appointmentDay(dateTimeOf('2027-01-19T10:15:30'), 'Asia/Kolkata', 'appdate')).to.equal(day);
    expect(appointmentDay(dateTimeOf('2027-01-18T20:00:00Z'), 'Asia/Kolkata', 'appdate')).to.equal(day);
    expect(appointmentDay(dateTimeOf('19-Jan-2027'), 'Asia/Kolkata', 'appdate')).to.equal(day);
  });

  it('refuses an unset value and one without a date, and names the parameter', () => {
    for (const value of [undefined, ...['0001-01-01', '0001-01-01T10:15:00Z', '10:15'].map(dateTimeOf)]) {
      const refusal = refusalOf(() => appointmentDay(value, 'Asia/Kolkata', 'appdate'));
      expect(refusal).to.include({ resultCode: ResultCode.InvalidInput, parameter: 'appdate' });
      expect(refusal.message).to.equal('Parameter appdate: a date is required, such as 2027-01-18.');
    }
  });
});

describe('appointmentStart', () => {
  it('combines the day of the first value with the time of day of the second', () => {
    expect(start('2027-01-18T23:59:59', '1900-01-01T10:15:00')).to.equal(minuteOf('2027-01-18T10:15:00'));
    expect(start('2027-01-18', '10:15 PM')).to.equal(minuteOf('2027-01-18T22:15:00'));
    expect(start('2027-01-18', '0001-01-01T10:15:00')).to.equal(minuteOf('2027-01-18T10:15:00'));
  });

  // Measured in PHP 8.2, Java 17, Node 26, Python 3 and .NET 10 on Linux, each at 10:00 or 11:20 in the zone; +05:53 in 2027 is pytz.
  for (const [zone, wall, times] of [
    ['Asia/Kolkata', '11:20', ['1900-01-01T11:20:00+05:21', '1900-01-01T11:20:00+05:22', '1900-01-01T05:58:50Z']],
    ['Asia/Kolkata', '11:20', ['1900-01-01T05:58:00Z', '1900-01-01T05:50:00Z', '1900-01-01T11:20:00+05:30']],
    ['Asia/Kolkata', '10:00', ['0001-01-01T10:00:00+05:53', '0001-01-01T04:06:32Z', '0001-01-01T04:07:00Z']],
    ['Asia/Kolkata', '10:00', ['2027-01-18T10:00:00+05:53', '1899-12-30T10:00:00+05:30']],
    ['Asia/Dubai', '10:00', ['1900-01-01T10:00:00+03:41', '1900-01-01T10:00:00+03:42', '1900-01-01T06:18:48Z']],
    ['Europe/London', '10:00', ['0001-01-01T10:00:00-00:01', '0001-01-01T10:01:15Z', '0001-01-01T10:00:00Z']],
    ['America/New_York', '10:00', ['0001-01-01T10:00:00-04:56', '0001-01-01T14:56:02Z']],
  ] as const) {
    it(`reads ${times.join(', ')} as ${wall} in ${zone}`, () => {
      for (const time of times) expect(start('2027-01-18', time, zone), time).to.equal(minuteOf(`2027-01-18 ${wall}`));
    });
  }

  it('takes 24:00 in either half, or in both, as the next midnight', () => {
    for (const [date, time] of [
      ['2027-01-18', '2027-01-18T24:00:00'],
      ['2027-01-18', '24:00'],
      ['2027-01-18T24:00:00', '2027-01-18T24:00:00'],
      ['2027-01-18T24:00:00', '00:00'],
    ] as const) {
      expect(start(date, time), `${date} ${time}`).to.equal(minuteOf('2027-01-19'));
    }
  });

  it('converts each half to the zone first', () => {
    expect(start('2027-01-17T20:00:00Z', '2027-01-18T04:45:00Z')).to.equal(minuteOf('2027-01-18T10:15:00'));
  });

  for (const [date, time, parameter] of [
    ['0001-01-01T00:00:00', '10:15', 'app_date'],
    ['10:15', '10:15', 'app_date'],
    ['2027-01-18', '2027-01-18', 'app_time'],
    ['2027-01-18', '0001-01-01', 'app_time'],
    ['2027-01-18', '0001-01-01T00:00:00.000-00:00', 'app_time'],
    ['2027-01-18', '0001-01-01T00:00:00+05:30', 'app_time'],
    ['2027-01-18', '01/01/0001 12:00:00 AM', 'app_time'],
  ] as const) {
    it(`refuses ${date} with ${time}, because ${parameter} says nothing`, () => {
      expect(refusalOf(() => start(date, time))).to.include({ resultCode: ResultCode.InvalidInput, parameter });
    });
  }

  it('accepts midnight on a real date as a time', () => {
    expect(start('2027-01-18', '2027-01-18T00:00:00')).to.equal(minuteOf('2027-01-18'));
  });

  it('cuts seconds and fractions', () => {
    for (const time of ['2027-01-18T10:15:59', '10:15:00.001', `2027-01-18T04:45:59.${'9'.repeat(99)}Z`]) {
      expect(start('2027-01-18', time), time).to.equal(minuteOf('2027-01-18T10:15:00'));
    }
  });

  for (const [date, time, converted] of [
    ['2027-01-18', '10:15', ''],
    ['2027-01-18+05:30', '2027-01-18T10:15:00+05:30', ''],
    ['2027-01-18', '10:00:00Z', ' (10:00Z, 15:30 at the center)'],
    ['2027-01-18T00:00:00Z', '2027-01-18T10:00:00-01:00', ' (10:00-01:00, 16:30 at the center)'],
    ['2027-01-17T18:30:00Z', '10:15', ' (2027-01-17T18:30Z, 2027-01-18 at the center)'],
  ] as const) {
    it(`names the parameters of ${date} and ${time}, with what was converted`, () => {
      expect(read(date, time).subject).to.equal(`Parameters app_date and app_time${converted}: `);
    });
  }

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

  it('accepts a time that occurs twice, and times next to a gap', () => {
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
