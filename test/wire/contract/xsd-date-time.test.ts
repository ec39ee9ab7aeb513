import { expect } from 'chai';
import fc from 'fast-check';
import type { DateTimeValue } from '../../../src/contract/contract.ts';
import { parseXsdDateTime } from '../../../src/contract/xsd-date-time.ts';
import { listed } from '../../support/listed.ts';
import { growthOf, MORE_THAN_LINEAR } from '../../support/process/cpu-time.ts';
import { anyCharacter } from '../../support/random/any-character.ts';

const value = (
  [year, month, day]: [number, number, number],
  [hour, minute, second]: [number, number, number],
  fraction = '',
  offset?: number,
) => ({ date: { year, month, day }, time: { hour, minute, second, fraction }, offset });

describe('parseXsdDateTime', () => {
  const accepted: [string, ReturnType<typeof value>][] = [
    ['2027-01-18T10:15:00', value([2027, 1, 18], [10, 15, 0])],
    [' \t\r\n2027-01-18T10:15:00 \t\r\n', value([2027, 1, 18], [10, 15, 0])],
    ['2027-01-18T10:15:00Z', value([2027, 1, 18], [10, 15, 0], '', 0)],
    ['2027-01-18T10:15:00+05:30', value([2027, 1, 18], [10, 15, 0], '', 330)],
    ['2027-01-18T10:15:00-03:30', value([2027, 1, 18], [10, 15, 0], '', -210)],
    ['2027-01-18T10:15:00+00:00', value([2027, 1, 18], [10, 15, 0], '', 0)],
    ['2027-01-18T10:15:00-00:00', value([2027, 1, 18], [10, 15, 0], '', 0)],
    ['2027-01-18T10:15:00+14:00', value([2027, 1, 18], [10, 15, 0], '', 840)],
    ['2027-01-18T10:15:00-14:00', value([2027, 1, 18], [10, 15, 0], '', -840)],
    ['2027-01-18T10:15:00.25', value([2027, 1, 18], [10, 15, 0], '25')],
    ['2027-01-18T10:15:00.2500000', value([2027, 1, 18], [10, 15, 0], '25')],
    ['2027-01-18T10:15:00.000', value([2027, 1, 18], [10, 15, 0])],
    ['2027-01-18T10:15:00.0000000000000000000001Z', value([2027, 1, 18], [10, 15, 0], '0000000000000000000001', 0)],
    ['2027-01-18T23:59:59', value([2027, 1, 18], [23, 59, 59])],
    ['2027-01-18T24:00:00', value([2027, 1, 18], [24, 0, 0])],
    ['2027-01-31T24:00:00.000Z', value([2027, 1, 31], [24, 0, 0], '', 0)],
    ['2028-02-29T00:00:00', value([2028, 2, 29], [0, 0, 0])],
    ['2000-02-29T00:00:00', value([2000, 2, 29], [0, 0, 0])],
    ['0001-01-01T00:00:00', value([1, 1, 1], [0, 0, 0])],
    ['2027-01-18t10:15:00', value([2027, 1, 18], [10, 15, 0])],
    ['2027-01-18T10:15:00z', value([2027, 1, 18], [10, 15, 0], '', 0)],
  ];
  const halves: [string, DateTimeValue][] = [
    ['2027-01-18', { date: { year: 2027, month: 1, day: 18 }, time: undefined, offset: undefined }],
    ['2027-01-18Z', { date: { year: 2027, month: 1, day: 18 }, time: undefined, offset: 0 }],
    ['2027-01-18+05:30', { date: { year: 2027, month: 1, day: 18 }, time: undefined, offset: 330 }],
    ['10:15:00', { date: undefined, time: { hour: 10, minute: 15, second: 0, fraction: '' }, offset: undefined }],
    ['10:15:00.500', { date: undefined, time: { hour: 10, minute: 15, second: 0, fraction: '5' }, offset: undefined }],
    [' 10:15:00-05:00 ', { date: undefined, time: { hour: 10, minute: 15, second: 0, fraction: '' }, offset: -300 }],
  ];
  for (const [text, expected] of halves) {
    it(`reads ${JSON.stringify(text)}, with the other half absent`, () => {
      expect(parseXsdDateTime(text)).to.deep.equal(expected);
    });
  }

  for (const [text, expected] of accepted) {
    it(`reads ${JSON.stringify(text)}`, () => expect(parseXsdDateTime(text)).to.deep.equal(expected));
  }

  for (const text of listed(`
    2027-02-29T00:00:00 | 2027-02-30T00:00:00 | 2100-02-29T00:00:00 | 2027-04-31T00:00:00
    2027-01-00T00:00:00 | 2027-01-32T00:00:00 | 2027-00-18T00:00:00 | 2027-13-18T00:00:00
    2027-01-18T25:00:00 | 2027-01-18T24:00:01 | 2027-01-18T24:01:00 | 2027-01-18T24:00:00.001
    2027-01-18T10:60:00 | 2027-01-18T10:15:60 | 2027-01-18T10:15:00+14:01 | 2027-01-18T10:15:00-15:00
    2027-01-18T10:15:00+05:60 | 0000-01-18T10:15:00
  `)) {
    it(`reports that ${text} does not exist`, () => expect(parseXsdDateTime(text)).to.equal('range'));
  }

  for (const text of [
    '',
    ...listed(`
    2027-01-18 10:15:00 | 2027-01-18T10:15 | 2027-01-18T10:15:00. | 2027-01-18T10:15:00,5
    2027-01-18T10:15:00 Z | 2027-01-18T10:15:00+0530 | 2027-01-18T10:15:00+5:30 | 2027-01-18T10:15:00+05
    2027-1-18T10:15:00 | 2027-01-18T9:15:00 | +2027-01-18T10:15:00 | --2027-01-18T10:15:00
    027-01-18T10:15:00 | 02027-01-18T10:15:00 | 12027-01-18T10:15:00 | -0044-03-15T12:00:00 | 18/01/2027 10:15
    2027/01/18T10:15:00 | 2027-01-18T10-15-00 | ２027-01-18T10:15:00 | 2027-01-1aT10:15:00
    2027-01-18T1a:15:00
  `),
    '\u00a02027-01-18T10:15:00',
    '2027-01-18T10:15:00\u0000',
    'today',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => expect(parseXsdDateTime(text)).to.equal('lexical'));
  }

  const year = fc.integer({ min: 1, max: 9999 });
  const two = (number: number) => String(number).padStart(2, '0');
  const four = (number: number) => String(number).padStart(4, '0');

  it('reads every generated value', () => {
    fc.assert(
      fc.property(
        year,
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 28 }),
        fc.nat(23),
        fc.nat(59),
        fc.nat(59),
        fc.stringMatching(/^([0-9]{0,11}[1-9])?$/),
        fc.option(fc.integer({ min: -840, max: 840 }), { nil: undefined }),
        (y, month, day, hour, minute, second, fraction, offset) => {
          const zone =
            offset === undefined
              ? ''
              : `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
          const text = `${four(y)}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}${fraction && `.${fraction}`}${zone}`;
          expect(parseXsdDateTime(text)).to.deep.equal(
            value([y, month, day], [hour, minute, second], fraction, offset === undefined ? undefined : offset + 0),
          );
        },
      ),
    );
  });

  it('agrees with Temporal on which days exist', () => {
    fc.assert(
      fc.property(year, fc.nat(14), fc.nat(33), (y, month, day) => {
        let exists = true;
        try {
          Temporal.PlainDate.from({ year: y, month, day }, { overflow: 'reject' });
        } catch {
          exists = false;
        }
        const read = parseXsdDateTime(`${four(y)}-${two(month)}-${two(day)}T00:00:00`);
        expect(read !== 'range', `${y}-${month}-${day}`).to.equal(exists);
      }),
      { numRuns: 1000 },
    );
  });

  it('never throws, whatever the text', () => {
    const unit = fc.oneof(fc.constantFrom(...'0123456789-+:TZ. '), anyCharacter);
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), (text) => {
        const read = parseXsdDateTime(text);
        if (typeof read === 'object') expect(text).to.match(/^\s*\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/);
      }),
    );
  });

  it('refuses every text that differs from a dateTime by one character', () => {
    const good = '2027-01-18T10:15:00';
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.constantFrom(...'x/ -:T٣²'), (at, character) => {
        fc.pre(good[at] !== character);
        expect(parseXsdDateTime(good.slice(0, at) + character + good.slice(at + 1))).to.be.oneOf(['lexical', 'range']);
      }),
    );
  });

  it('takes time proportional to the length of the text', () => {
    for (const text of [
      (length: number) => `2027-01-18T10:15:00.${'0'.repeat(length)}1`,
      (length: number) => `${' '.repeat(length)}x${' '.repeat(length)}`,
      (length: number) => `${'9'.repeat(length)}-01-18T10:15:00`,
    ]) {
      const growth = growthOf((length) => parseXsdDateTime(text(length)), 500_000);
      expect(growth, text(1)).to.be.below(MORE_THAN_LINEAR);
    }
  });
});
