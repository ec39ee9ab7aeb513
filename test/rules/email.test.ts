import { expect } from 'chai';
import { readEmail } from '../../src/rules/email.ts';
import { ResultCode } from '../../src/vocabulary/result-codes.ts';
import { refusalOf } from './refusal-of.ts';

describe('readEmail', () => {
  for (const text of ['a@b.c', "o'brien+x@mail.example.org", 'आशा@उदाहरण.भारत']) {
    it(`accepts ${text}`, () => expect(readEmail(text)).to.equal(text));
  }

  for (const text of [undefined, '', '  ', 'NA', 'n/a', '-', 'nil', ' None ']) {
    it(`treats ${text === undefined ? 'an absent one' : JSON.stringify(text)} as no address`, () => {
      expect(readEmail(text)).to.equal(undefined);
    });
  }

  it('removes the blanks that pad fixed-width columns', () => {
    expect(readEmail(' a@b.c   ')).to.equal('a@b.c');
  });

  for (const text of [
    'a',
    '@b.c',
    'a@',
    'a@b',
    'a@@b.c',
    'a@b@c.d',
    'a@b.c@d',
    'a b@c.d',
    'a@b .c',
    'a@.c',
    'a@b.',
    'a@b..c',
    'a@b.c\r\nBcc: x@y.z',
    'a@b.c\u0000',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(refusalOf(() => readEmail(text))).to.include({ resultCode: ResultCode.InvalidInput, parameter: 'email' });
    });
  }
});
