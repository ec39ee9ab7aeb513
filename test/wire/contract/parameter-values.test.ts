import { expect } from 'chai';
import fc from 'fast-check';
import type { Parameter, ParameterType } from '../../../src/contract/contract.ts';
import { type Lexicon, parseXsdInt, readParameterValue } from '../../../src/contract/parameter-values.ts';
import { ServiceError } from '../../../src/vocabulary/errors.ts';
import { anyCharacter } from '../../support/random/any-character.ts';

const parameter = (name: string, type: ParameterType, maxLength?: number): Parameter => ({
  name,
  type,
  required: true,
  mustHaveValue: true,
  mayBeOmitted: false,
  leftEmpty: false,
  example: '',
  patientData: false,
  documentation: '',
  ...(maxLength === undefined ? {} : { maxLength }),
});

const centerid = parameter('centerid', 'int');
const appdate = parameter('appdate', 'dateTime');
const name = parameter('Name', 'string', 5);

function errorOf(of: Parameter, text: string, lexicon: Lexicon): ServiceError {
  try {
    readParameterValue(of, text, lexicon);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error(`${of.name} took ${JSON.stringify(text)}`);
}

describe('readParameterValue', () => {
  it('returns nothing for white space if an int or a dateTime is optional, and refuses it if one is required', () => {
    for (const lexicon of ['xsd', 'form'] as const) {
      for (const text of ['', ' \r\n']) {
        for (const asked of [centerid, appdate]) {
          expect(readParameterValue({ ...asked, required: false }, text, lexicon)).to.equal(undefined);
          expect(errorOf(asked, text, lexicon).code).to.equal('InvalidValue');
        }
        expect(readParameterValue({ ...name, required: false }, text, lexicon)).to.equal(text);
      }
    }
  });

  it('returns a number for an int', () => expect(readParameterValue(centerid, ' 12 ', 'xsd')).to.equal(12));

  it('returns date, time and offset for a dateTime', () => {
    expect(readParameterValue(appdate, '2027-01-18T10:15:00Z', 'xsd')).to.deep.equal({
      date: { year: 2027, month: 1, day: 18 },
      time: { hour: 10, minute: 15, second: 0, fraction: '' },
      offset: 0,
    });
  });

  it('returns a string unchanged, including white space and empty text', () => {
    for (const text of ['', ' a ', '\t\n', '\r\n', '<&>', '\u{1f600}', 'é', '\u{1fffe}']) {
      expect(readParameterValue(name, text, 'form')).to.equal(text);
    }
  });

  it('reads a typed date from a form', () => {
    expect(readParameterValue(appdate, '20-Nov-2026', 'form')).to.have.deep.property('date', {
      year: 2026,
      month: 11,
      day: 20,
    });
  });

  it('refuses a typed date in SOAP', () => {
    expect(errorOf(appdate, '20-Nov-2026', 'xsd').message).to.equal(
      'Parameter appdate: "20-Nov-2026" is not a dateTime; expected YYYY-MM-DDThh:mm:ss, such as 2027-01-18T10:15:00.',
    );
  });

  it('says why a date in numbers is refused, and offers only what the half accepts', () => {
    const dates = 'YYYY-MM-DD, YYYY/MM/DD, 20-Nov-2026, 20 Nov 2026';
    const times = 'HH:mm, HH:mm:ss, hh:mm AM, hh:mm PM';
    const whole = 'YYYY-MM-DDThh:mm:ss';
    const day = { ...appdate, half: 'date' as const };
    for (const [parameter, text, problem, forms] of [
      [appdate, '5/1/2027', 'refused because dd/mm/yyyy cannot be distinguished from mm/dd/yyyy', `${dates}, ${times}`],
      [day, '18/01/2027', 'refused because dd/mm/yyyy is not accepted here', dates],
      [day, '01/18/2027', 'refused because mm/dd/yyyy is not accepted here', dates],
      [day, '20-Nov-26', 'refused because a year of two digits is ambiguous', dates],
      [{ ...appdate, half: 'time' as const }, '25:00', 'a date or time that does not exist', times],
    ] as const) {
      expect(errorOf(parameter, text, 'form').message).to.equal(
        `Parameter appdate: "${text}" is ${problem}; expected one of ${forms}, ${whole}.`,
      );
    }
    expect(() => readParameterValue(day, '01/18/2027', 'form', 'dmy')).to.throw(`${dates}, DD/MM/YYYY, ${whole}.`);
  });

  it('shows at most 64 characters of the value', () => {
    expect(errorOf(centerid, 'x'.repeat(10_000), 'xsd').message).to.include(`"${'x'.repeat(64)}…"`);
  });

  it('refuses characters that XML forbids in a string, and does not repeat them', () => {
    for (const text of ['\u0000', 'a\u0008', '\u001b[31m', '\ufffe', '\ud83d', '\ude00a', '\ude00\ud83d']) {
      const { message } = errorOf(name, text, 'form');
      expect(message).to.match(
        /^Parameter Name: ".*" contains U\+[0-9A-F]{4}; expected only characters that XML 1\.0 allows\.$/,
      );
      expect(message.isWellFormed()).to.equal(true);
    }
  });

  it('refuses a string that is too long, counting code points', () => {
    expect(readParameterValue(name, '\u{1f600}'.repeat(5), 'xsd')).to.have.length(10);
    expect(errorOf(name, '\u{1f600}'.repeat(6), 'xsd').message).to.include(
      'is too long; expected at most 5 characters.',
    );
    expect(errorOf(name, 'abcdef', 'form').message).to.include('is too long');
  });

  it('accepts exactly the strings that XML 1.0 can contain', () => {
    const free = parameter('area', 'string');
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { maxLength: 6 }), (units) => {
        const text = String.fromCharCode(...units);
        const allowed = Array.from(text).every((character) => {
          const code = character.codePointAt(0) ?? 0;
          return (
            code === 9 ||
            code === 10 ||
            code === 13 ||
            (code >= 0x20 && code <= 0xd7ff) ||
            (code >= 0xe000 && code <= 0xfffd) ||
            code >= 0x10000
          );
        });
        if (allowed) expect(readParameterValue(free, text, 'form')).to.equal(text);
        else expect(errorOf(free, text, 'form').code).to.equal('InvalidValue');
      }),
    );
  });

  it('throws only InvalidValue, with one sentence that names the parameter', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(centerid, appdate, name),
        fc.string({ unit: anyCharacter, maxLength: 100 }),
        fc.constantFrom<Lexicon>('xsd', 'form'),
        (of, text, lexicon) => {
          try {
            readParameterValue(of, text, lexicon);
          } catch (error) {
            expect(error).to.be.instanceOf(ServiceError).and.include({ code: 'InvalidValue', parameter: of.name });
            expect((error as ServiceError).message).to.match(new RegExp(`^Parameter ${of.name}: ".*\\.$`, 's'));
          }
        },
      ),
    );
  });
});

describe('parseXsdInt', () => {
  for (const [text, value] of [
    ['0', 0],
    ['7', 7],
    ['+7', 7],
    ['-7', -7],
    ['007', 7],
    ['-000', 0],
    ['+0', 0],
    [' \t\r\n42 \t\r\n', 42],
    ['2147483647', 2147483647],
    ['-2147483648', -2147483648],
    ['00000000000000000002147483647', 2147483647],
  ] as const) {
    it(`reads ${JSON.stringify(text)} as ${value}`, () => {
      // Deep equality distinguishes -0, which would be written with its sign, from 0.
      expect(parseXsdInt(text)).to.deep.equal(value);
    });
  }

  for (const text of ['2147483648', '-2147483649', '9'.repeat(400), `-${'9'.repeat(400)}`]) {
    it(`reports that ${text.slice(0, 12)} (${text.length} characters) is out of range`, () => {
      expect(parseXsdInt(text)).to.equal('range');
    });
  }

  it('refuses what only looks like an integer', () => {
    const texts = ['', ' ', '+', '--1', '1 2', '1.0', '1e3', '0x10', 'NaN', 'Infinity', '1_0', '\u00a01', '\ufeff1'];
    for (const text of [...texts, '\u0661', '\uff11', '\u22121']) expect(parseXsdInt(text), text).to.equal('lexical');
  });

  it('reads every int that it is given in decimal', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat({ max: 5 }), fc.constantFrom('', ' ', '\n\t'), (value, zeros, space) => {
        const digits = `${'0'.repeat(zeros)}${Math.abs(value)}`;
        expect(parseXsdInt(`${space}${value < 0 ? '-' : ''}${digits}${space}`)).to.equal(value);
      }),
    );
  });

  it('agrees with BigInt on which integers are in range', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 33n), max: 2n ** 33n }), (value) => {
        const inRange = BigInt.asIntN(32, value) === value;
        expect(parseXsdInt(String(value))).to.equal(inRange ? Number(value) : 'range');
      }),
    );
  });

  it('never throws, and accepts only what the XSD pattern accepts', () => {
    const unit = fc.oneof(fc.constantFrom(...'0123456789+- \t\n\r.eE'), anyCharacter);
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
        const isInteger = /^[ \t\n\r]*[+-]?[0-9]+[ \t\n\r]*$/.test(text);
        expect(parseXsdInt(text) !== 'lexical').to.equal(isInteger);
      }),
    );
  });
});
