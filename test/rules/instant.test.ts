import { expect } from 'chai';
import { formatInstant, instantsOfDay } from '../../src/rules/instant.ts';

describe('An instant', () => {
  it('is written in UTC, to the millisecond', () => {
    expect(formatInstant(Date.UTC(2026, 10, 20, 3, 0, 0, 7))).to.equal('2026-11-20T03:00:00.007Z');
  });
});

describe('A day', () => {
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
    it(`is not "${text}"`, () => {
      expect(instantsOfDay(text, 'Asia/Kolkata')).to.equal(undefined);
    });
  }
});
