import { expect } from 'chai';
import { checkEmail } from '../../src/rules/email.ts';
import { ResultCode } from '../../src/vocabulary/result-codes.ts';
import { refusalOf } from './refusal-of.ts';

describe('checkEmail', () => {
  for (const text of [undefined, '', '  ', 'a@b.c', "o'brien+x@mail.example.org", 'आशा@उदाहरण.भारत']) {
    it(`takes ${text === undefined ? 'an absent one' : JSON.stringify(text)}`, () => {
      expect(() => checkEmail(text)).not.to.throw();
    });
  }

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
      expect(refusalOf(() => checkEmail(text))).to.include({ resultCode: ResultCode.InvalidInput, parameter: 'email' });
    });
  }
});
