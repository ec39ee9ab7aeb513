import { expect } from 'chai';
import fc from 'fast-check';
import {
  formatInstant,
  instantsOfDay,
  isSameZone,
  isTimeZone,
  wallMinuteAt,
  wallSecondTextAt,
} from '../../../src/vocabulary/time-zone.ts';
import { formatWallMinute } from '../../../src/vocabulary/wall-minute.ts';
import { listed } from '../../support/listed.ts';
import { ZONES } from '../appointments/zones.ts';

describe('isSameZone', () => {
  for (const [a, b] of [
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['Asia/Katmandu', 'Asia/Kathmandu'],
    ['Europe/Kiev', 'Europe/Kyiv'],
    ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['US/Eastern', 'America/New_York'],
    ['GB', 'Europe/London'],
    ['asia/kolkata', 'Asia/Kolkata'],
  ] as const) {
    it(`knows that ${a} is ${b}`, () => expect(isSameZone(a, b)).to.equal(true));
  }

  it('tells zones apart that show the same time', () =>
    expect(isSameZone('Asia/Kolkata', 'Asia/Colombo')).to.equal(false));
});

describe('wallMinuteAt', () => {
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

  it('throws for a zone that does not exist', () => expect(() => wallMinuteAt(0, 'Asia/Calcuta')).to.throw(RangeError));
});

describe('isTimeZone', () => {
  it('accepts IANA names, including links', () => {
    for (const name of [...ZONES, 'Asia/Calcutta']) expect(isTimeZone(name), name).to.equal(true);
  });

  it('refuses other names, offsets and texts that contain a zone', () => {
    for (const name of [
      '',
      ' UTC',
      ...listed(`IST | PST | Asia | Asia/Calcuta | +05:30 | -0530 | 2027-01-18T00:00[Asia/Kolkata]`),
    ]) {
      expect(isTimeZone(name), name).to.equal(false);
    }
  });
});

describe('formatInstant', () => {
  it('writes in UTC, to the millisecond', () => {
    expect(formatInstant(Date.UTC(2026, 10, 20, 3, 0, 0, 7))).to.equal('2026-11-20T03:00:00.007Z');
  });
});

describe('instantsOfDay', () => {
  const HOUR = 3_600_000;

  it('begins and ends at midnight in its zone', () => {
    const begin = Date.UTC(2026, 10, 19, 18, 30);
    expect(instantsOfDay('2026-11-20', 'Asia/Kolkata')).to.deep.equal([begin, begin + 24 * HOUR]);
  });

  it('is an hour shorter or longer if the clocks change', () => {
    for (const [day, hours] of [
      ['2026-03-29', 23],
      ['2026-10-25', 25],
    ] as const) {
      const [from = 0, to = 0] = instantsOfDay(day, 'Europe/Berlin') ?? [];
      expect((to - from) / HOUR).to.equal(hours);
    }
  });

  for (const text of ['2026-02-30', '20-11-2026', '2026-11-20T00:00', '2026-13-01', 'today', '']) {
    it(`is not "${text}"`, () => expect(instantsOfDay(text, 'Asia/Kolkata')).to.equal(undefined));
  }
});
