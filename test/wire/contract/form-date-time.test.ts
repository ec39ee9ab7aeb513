import { expect } from 'chai';
import fc from 'fast-check';
import type { DateTimeValue } from '../../../src/contract/contract.ts';
import { parseFormDateTime } from '../../../src/contract/form-date-time.ts';
import { parseXsdDateTime } from '../../../src/contract/xsd-date-time.ts';
import { listed } from '../../support/listed.ts';
import { anyCharacter } from '../../support/random/any-character.ts';

type Triple = [number, number, number];

const value = (date: Triple | undefined, time: Triple | undefined): DateTimeValue => ({
  date: date && { year: date[0], month: date[1], day: date[2] },
  time: time && { hour: time[0], minute: time[1], second: time[2], fraction: '' },
  offset: undefined,
});

describe('parseFormDateTime', () => {
  const day: Triple = [2026, 11, 20];
  const accepted: [string, DateTimeValue][] = [
    ['2026-11-20', value(day, undefined)],
    ['\t2026-11-20 ', value(day, undefined)],
    ['20-Nov-2026', value(day, undefined)],
    ['20-nov-2026', value(day, undefined)],
    ['20-NOV-2026', value(day, undefined)],
    ['20-November-2026', value(day, undefined)],
    ['5-May-2027', value([2027, 5, 5], undefined)],
    ['29-Feb-2028', value([2028, 2, 29], undefined)],
    ['10:15', value(undefined, [10, 15, 0])],
    ['00:00', value(undefined, [0, 0, 0])],
    ['23:59:59', value(undefined, [23, 59, 59])],
    ['10:15 AM', value(undefined, [10, 15, 0])],
    ['10:15am', value(undefined, [10, 15, 0])],
    ['10:15 pm', value(undefined, [22, 15, 0])],
    ['9:05 Pm', value(undefined, [21, 5, 0])],
    ['12:00 AM', value(undefined, [0, 0, 0])],
    ['12:00 PM', value(undefined, [12, 0, 0])],
    ['13:15 PM', value(undefined, [13, 15, 0])],
    ['0:15 AM', value(undefined, [0, 15, 0])],
    ['00:30 PM', value(undefined, [12, 30, 0])],
    ['10:15:30 AM', value(undefined, [10, 15, 30])],
    ['2026-11-20 10:15', value(day, [10, 15, 0])],
    ['2026-11-20 10:15:30', value(day, [10, 15, 30])],
    ['2026-11-20T10:15', value(day, [10, 15, 0])],
    ['2026-11-20 10:15 PM', value(day, [22, 15, 0])],
    ['20-Nov-2026 10:15 AM', value(day, [10, 15, 0])],
    ['20-Oct-2026 10:15', value([2026, 10, 20], [10, 15, 0])],
    ['2026-11-20T10:15:00', value(day, [10, 15, 0])],
    ['2026-11-20T10:15:00Z', { ...value(day, [10, 15, 0]), offset: 0 }],
    ['2026/11/20', value(day, undefined)],
    ['2026/11/20 9:15', value(day, [9, 15, 0])],
    ['20 Nov 2026', value(day, undefined)],
    ['5 september 2027', value([2027, 9, 5], undefined)],
    ['20 Nov 2026 10:15 AM', value(day, [10, 15, 0])],
    ['20 Nov 2026  9:15', value(day, [9, 15, 0])],
    ['9:15', value(undefined, [9, 15, 0])],
    ['9:15:30', value(undefined, [9, 15, 30])],
    ['10:15:00.000', value(undefined, [10, 15, 0])],
    ['9:15:30.250', { ...value(undefined, undefined), time: { hour: 9, minute: 15, second: 30, fraction: '25' } }],
    ['2026-1-8', value([2026, 1, 8], undefined)],
    ['2026/1/8 9:15', value([2026, 1, 8], [9, 15, 0])],
    ['10 AM', value(undefined, [10, 0, 0])],
    ['20 Nov 2026 10pm', value(day, [22, 0, 0])],
    ['10:15Z', { ...value(undefined, [10, 15, 0]), offset: 0 }],
    ['2026-11-20 10:15:00 Z', { ...value(day, [10, 15, 0]), offset: 0 }],
    ['2026-11-20 10:15 -05:00', { ...value(day, [10, 15, 0]), offset: -300 }],
    ['20-Nov-2026 10:15 PM +05:30', { ...value(day, [22, 15, 0]), offset: 330 }],
    ['10 AM +05:30', { ...value(undefined, [10, 0, 0]), offset: 330 }],
    ['2026-11-20 10:15:00+0530', { ...value(day, [10, 15, 0]), offset: 330 }],
    ['20-Nov-2026 10:15:00 AM +05:30', { ...value(day, [10, 15, 0]), offset: 330 }],
    ['Fri, 20 Nov 2026 10:15:00 GMT', { ...value(day, [10, 15, 0]), offset: 0 }],
    ['Friday, 20 November 2026', value(day, undefined)],
    ['01/01/0001 00:00:00', value([1, 1, 1], [0, 0, 0])],
    ['10:15:00Z', { ...value(undefined, [10, 15, 0]), offset: 0 }],
    ['Dec 10 2026 10:15AM', value([2026, 12, 10], [10, 15, 0])],
    ['Thursday, December 10, 2026', value([2026, 12, 10], undefined)],
    ['2026-Dec-10', value([2026, 12, 10], undefined)],
    ['20th Nov 2026', value(day, undefined)],
    ['20 November 2026 at 10:15', value(day, [10, 15, 0])],
    ['Nov 20, 2026, 10:15:00\u202fAM', value(day, [10, 15, 0])],
    ['11:00\u202fAM', value(undefined, [11, 0, 0])],
    ['11:00\u00a0AM', value(undefined, [11, 0, 0])],
    ['10:15 A.M.', value(undefined, [10, 15, 0])],
    ['11 p.m.', value(undefined, [23, 0, 0])],
    ['\u200e20\u200e Nov 2026', value(day, undefined)],
    ['२०२६-११-२०', value(day, undefined)],
    ['24:00', value(undefined, [24, 0, 0])],
    ['9.30 AM', value(undefined, [9, 30, 0])],
    ['1.30 p.m.', value(undefined, [13, 30, 0])],
    ['11.00am', value(undefined, [11, 0, 0])],
    ['12 noon', value(undefined, [12, 0, 0])],
    ['12:00 Noon', value(undefined, [12, 0, 0])],
    ['noon', value(undefined, [12, 0, 0])],
    ['14:00 hrs', value(undefined, [14, 0, 0])],
    ['14.00 Hrs.', value(undefined, [14, 0, 0])],
    ['1400 hrs', value(undefined, [14, 0, 0])],
    ['09:30 hours', value(undefined, [9, 30, 0])],
    ['20 Nov 2026 9.30 AM', value(day, [9, 30, 0])],
    ['20-Nov-2026 12 noon', value(day, [12, 0, 0])],
    ['2026-11-20 1400 hrs', value(day, [14, 0, 0])],
    ['2026-11-20+05:30', { ...value(day, undefined), offset: 330 }],
  ];
  for (const [text, expected] of accepted) {
    it(`reads ${JSON.stringify(text)}`, () => expect(parseFormDateTime(text)).to.deep.equal(expected));
  }

  for (const [reason, texts] of Object.entries({
    ambiguous: ['1/2/2027', '05-05-2027', '11.12.2027', '01/02/2027 10:15 AM', '11-12-2027T10:15:00'],
    'day-first': ['18/01/2027', '18-01-2027 10:15', '18.01.2027'],
    'month-first': ['01/18/2027'],
    'short-year': ['18/01/27', '20-Nov-26', '20 Nov 26', '5-May-27 10:15'],
  })) {
    it(`reports ${reason} for ${texts.join(', ')}`, () => {
      for (const text of texts) expect(parseFormDateTime(text), text).to.equal(reason);
    });
  }

  for (const [order, text, date] of [
    ['dmy', '5/1/2027', [2027, 1, 5]],
    ['dmy', '18.01.27', [2027, 1, 18]],
    ['dmy', '20-Nov-26', [2026, 11, 20]],
    ['mdy', '5-1-2027', [2027, 5, 1]],
    ['mdy', '01/18/27', [2027, 1, 18]],
  ] as const) {
    it(`reads ${text} in the order ${order}`, () => {
      expect(parseFormDateTime(`${text} 10:15`, 'date', order)).to.deep.equal(value([...date], [10, 15, 0]));
    });
  }

  it('reports that a date in the other order does not exist', () => {
    expect(parseFormDateTime('01/18/2027', 'date', 'dmy')).to.equal('range');
    expect(parseFormDateTime('18/01/2027', 'date', 'mdy')).to.equal('range');
  });

  it('leaves out the half that does not count if it cannot be read', () => {
    for (const text of ['1/2/2027 10:15', '18/01/27 10:15', '2027-02-30 10:15', '2027-02-30T10:15:00']) {
      expect(parseFormDateTime(text, 'time'), text).to.deep.equal(value(undefined, [10, 15, 0]));
    }
    expect(parseFormDateTime('2026-11-20T25:00:00', 'date')).to.deep.equal(value(day, undefined));
    expect(parseFormDateTime('1/2/2027', 'time')).to.deep.equal(value(undefined, undefined));
    expect(parseFormDateTime('today 10:15', 'time')).to.equal('lexical');
  });

  for (const text of listed(`
    2027-02-30 | 2027/02/30 | 30 Feb 2027 | 30-Feb-2027 | 31-Apr-2027 | 0-Jan-2027 | 0000-01-01 | 24:01
    10:60 | 10:15:60 | 13:00 AM | 24:00 PM | 11 noon | 25:00 hrs | 2027-02-30 10:15 | 2027-02-28 25:15 | 2027-02-30T00:00:00
    99/99/9999 | Sat, 20 Nov 2026 | 2026-11-20 10:15:00 +15:00
  `)) {
    it(`reports that ${text} does not exist`, () => expect(parseFormDateTime(text)).to.equal('range'));
  }

  for (const text of [
    '',
    ...listed(`
    2027-01/18 | 20270118 | 20-Nof-2026 | 20-No-2026 | Nov 2026 | Nov 2026 2026 | 10 | 10.15 | 10 hrs | 1400 | 0.25 | 10:15 XM
    10:15-10:30 | 10:15 -10:30 | 10:15 AM -10:30 | 2026-11-20 10:15-10:30 | Foo, 20 Nov 2026
    2026-11-20 foo | 10:15 2026-11-20 | 2026-11-20 2026-11-20 | today | 12:00 AM PM
  `),
    `2026-11-20${' '.repeat(70)}10:15`,
  ]) {
    it(`refuses ${JSON.stringify(text.slice(0, 30))}`, () => expect(parseFormDateTime(text)).to.equal('lexical'));
  }

  it('agrees with the reader of XSD dateTime on every such text', () => {
    fc.assert(
      fc.property(fc.nat(9999), fc.nat(13), fc.nat(32), fc.nat(25), fc.nat(61), (year, month, day, hour, minute) => {
        const two = (number: number) => String(number).padStart(2, '0');
        const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:00`;
        expect(parseFormDateTime(text)).to.deep.equal(parseXsdDateTime(text));
      }),
    );
  });

  it('never throws, whatever the text', () => {
    const unit = fc.oneof(fc.constantFrom(...'0123456789-/.: TAPMNov'), anyCharacter);
    fc.assert(fc.property(fc.string({ unit, maxLength: 30 }), (text) => void parseFormDateTime(text)));
  });
});
