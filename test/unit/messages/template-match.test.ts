import { expect } from 'chai';
import fc from 'fast-check';
import { mismatchText, templateMismatch } from '../../../src/messages/template-match.ts';
import { noVariableIn } from '../../../src/vocabulary/template-variables.ts';
import { withLineFeeds } from '../../../src/vocabulary/text.ts';

const TEMPLATE = 'Dear {#var#}, your visit to {#var#} is at {#var#}.';

/** The message for a mismatch; undefined if there is none. */
const told = (template: string, text: string): string | undefined => {
  const mismatch = templateMismatch(template, text);
  return mismatch && `Parameter Message: ${mismatchText(5, mismatch)}`;
};

describe('A message and its template', () => {
  for (const [what, template, text] of [
    ['the same words', 'See you.', 'See you.'],
    ['values for all variables', TEMPLATE, 'Dear Asha, your visit to Dr. Rao is at 10:15.'],
    ['no value at all', TEMPLATE, 'Dear , your visit to  is at .'],
    ['a value of 30 characters', 'Hi {#var#}!', `Hi ${'a'.repeat(30)}!`],
    ['a value of 30 emoji', 'Hi {#var#}!', `Hi ${'😀'.repeat(30)}!`],
    ['a value that looks like the text after it', 'a{#var#} is at b', 'a is at is at b'],
    ['a value in two adjacent variables', 'Hi {#var#}{#var#}!', `Hi ${'a'.repeat(60)}!`],
    ['a variable at both ends', '{#var#} is due {#var#}', 'Rs. 500 is due today'],
    ['Hindi', 'प्रिय {#var#}, समय {#var#} है।', 'प्रिय आशा, समय १०:१५ है।'],
    ['special characters of regular expressions', 'a.*(b) [{#var#}] $^', 'a.*(b) [x] $^'],
    ['a line end in a value', 'a {#var#} b', 'a x\ny b'],
    ['nothing at all', '', ''],
  ] as const) {
    it(`match with ${what}`, () => expect(told(template, text)).to.equal(undefined));
  }

  for (const [what, template, text, position, character, expected] of [
    ['another word', 'See you soon.', 'See you later.', 9, 'l', '"soon."'],
    ['another case', 'See you.', 'see you.', 1, 's', '"See you."'],
    ['more text', 'See you.', 'See you. Bye', 9, ' ', 'the end of the text'],
    ['a wrong word after a value', 'Hi {#var#}, see you.', 'Hi Asha, bye.', 10, 'b', '"see you."'],
    [
      'another spelling, which a value could swallow',
      'Visit {#var#} is cancelled.',
      'Visit 1 is canceled.',
      18,
      'e',
      '"led."',
    ],
    [
      'a blank too many at the end, which a value could swallow',
      'Hi {#var#}.',
      'Hi Asha. ',
      9,
      ' ',
      'the end of the text',
    ],
    ['characters beyond the first plane before it, counted as one each', '😀😀 a', '😀😀 b', 4, 'b', '"a"'],
    ['a control character, which is not shown as such', 'a b', 'a\u0007b', 2, '\ufffd', '" b"'],
    ['a line feed too many', 'See\nyou', 'See\n\nyou', 5, '\\n', '"you"'],
    ['a missing line feed', 'See\nyou', 'See you', 4, ' ', '"\\nyou"'],
    ['another emoji, half of which is the same', '😀', '😁', 1, '😁', '"😀"'],
  ] as const) {
    it(`do not match with ${what}`, () =>
      expect(told(template, text)).to.equal(
        `Parameter Message: character ${position} "${character}" does not fit template 5; expected ${expected}.`,
      ));
  }

  for (const [template, after] of [
    ['Hi {#var#}!', '"!"'],
    ['Hi {#var#}', 'the end of the text'],
  ] as const) {
    it(`do not match with a value of 31 characters before ${after}`, () =>
      expect(told(template, `Hi ${'a'.repeat(31)}${template.slice(10)}`)).to.equal(
        `Parameter Message: character 34 "a" does not fit template 5; {#var#} stands for 0 to 30 characters, and must be followed by ${after}.`,
      ));
  }

  for (const [template, text, position, character, after] of [
    // A part of the words after the value is also within it.
    [TEMPLATE, 'Dear Asha, your visit to Dr. (Mrs.) Sunita Deshpande-Kulkarni is at 10:15.', 56, 'l', '" is at "'],
    ['{#var#}. Bye {#var#}', 'Dr. Sunita Deshpande-Kulkarni (ENT). Bye now', 31, '(', '". Bye "'],
    // The end of the template is also within the value.
    ['Hi {#var#}.', 'Hi Dr. Sunita Deshpande-Kulkarni (ENT).', 34, '(', '"."'],
  ] as const) {
    it(`do not match with a longer value than 30 characters, although a part of it fits: ${text}`, () =>
      expect(told(template, text)).to.equal(
        `Parameter Message: character ${position} "${character}" does not fit template 5; {#var#} stands for 0 to 30 characters, and must be followed by ${after}.`,
      ));
  }

  for (const [word, values] of [
    ['var', ['', 'Dr. Rao (ENT)', 'a'.repeat(30)]],
    ['alphanumeric', ['', '1 Dec, 10:00', 'a'.repeat(40)]],
    ['numeric', ['7', '123456', '1'.repeat(40)]],
    ['number', ['7', '1'.repeat(40)]],
    ['url', ['https://tp.example/v?id=7#a', 'a'.repeat(255)]],
    ['urlott', ['https://tp.example/app.apk']],
    ['cbn', ['+91 (80) 4012-3456', '1800.103.1111']],
    ['email', ['desk@hospital.example']],
  ] as const) {
    it(`match with each value that {#${word}#} allows`, () => {
      for (const value of values) {
        expect(told(`Hi {#${word}#}!`, `Hi ${value}!`), value).to.equal(undefined);
        expect(told(`{#${word}#}`, value), value).to.equal(undefined);
      }
    });
  }

  const DIGITS = '{#numeric#} stands for 1 to 40 digits';
  const ADDRESS = 'stands for 1 to 255 characters of an address, none of them a blank';
  for (const [template, text, where, expected] of [
    ['OTP {#numeric#}.', 'OTP 12A456.', 'character 7 "A" does not fit', `${DIGITS}, and must be followed by "."`],
    [
      'OTP {#numeric#}',
      'OTP 12A',
      'character 7 "A" does not fit',
      `${DIGITS}, and must be followed by the end of the text`,
    ],
    ['OTP {#numeric#}.', 'OTP .', 'character 5 "." does not fit', `${DIGITS}, and must be followed by "."`],
    [
      'OTP {#numeric#}',
      'OTP ',
      'the text ends after character 4, too early for',
      `${DIGITS}, and must be followed by the end of the text`,
    ],
    [
      'Hi {#var#}{#numeric#}.',
      'Hi Asha.',
      'the text ends after character 8, too early for',
      `${DIGITS}, and must be followed by "."`,
    ],
    [
      'See {#url#} now',
      'See a b now',
      'character 6 " " does not fit',
      `{#url#} ${ADDRESS}, and must be followed by " now"`,
    ],
    [
      'Hi {#alphanumeric#}!',
      `Hi ${'a'.repeat(41)}!`,
      'character 44 "a" does not fit',
      '{#alphanumeric#} stands for 0 to 40 characters, and must be followed by "!"',
    ],
  ] as const) {
    it(`do not match with a value that its variable does not allow: ${text}`, () =>
      expect(told(template, text)).to.equal(`Parameter Message: ${where} template 5; ${expected}.`));
  }

  it('may contain only variables that exist, each written exactly so', () => {
    for (const wrong of ['{#VAR#}', '{#name#}', '{#var}', '{#', 'var#}', '##var##', '{#नाम#}']) {
      expect(noVariableIn(`Dear {#var#}, ${wrong} {#numeric#}`)).to.equal(wrong);
    }
    expect(noVariableIn('Dial *#06# or ##002#, {1} #1 #health#, {#var#}{#urlott#}')).to.equal(undefined);
  });

  it('do not match if the text ends early', () =>
    expect(told('See you.', 'See')).to.equal(
      'Parameter Message: the text ends after character 3, too early for template 5; expected " you.".',
    ));

  it('are compared with line ends LF', () => expect(withLineFeeds('a\r\nb\rc\nd')).to.equal('a\nb\nc\nd'));

  const piece = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 4 });
  const value = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 30 });

  /** The words of some variables, with the characters and the length of their values. */
  const KINDS = { var: '[ab1]{0,30}', alphanumeric: '[ab1]{0,40}', numeric: '1{1,40}' } as const;
  const WORDS = Object.keys(KINDS) as (keyof typeof KINDS)[];

  it('match for any values of the variables', () => {
    const filled = fc
      .constantFrom(...WORDS)
      .chain((word) =>
        fc.tuple(fc.constant(word), word === 'numeric' ? fc.stringMatching(/^\d{1,40}$/) : value, piece),
      );
    fc.assert(
      fc.property(piece, fc.array(filled, { maxLength: 6 }), (first, rest) => {
        const template = first + rest.map(([word, , literal]) => `{#${word}#}${literal}`).join('');
        expect(told(template, first + rest.map(([, given, literal]) => given + literal).join(''))).to.equal(undefined);
      }),
    );
  });

  it('match like a regular expression, and the text before a mismatch could begin a matching text', () => {
    const token = fc.constantFrom('a', 'b', '1', ...WORDS);
    fc.assert(
      fc.property(
        fc.array(token, { maxLength: 6 }),
        fc.string({ unit: fc.constantFrom('a', 'b', '1'), maxLength: 40 }),
        (tokens, text) => {
          const pattern = tokens.map((each) => (each in KINDS ? KINDS[each as keyof typeof KINDS] : each));
          const mismatch = templateMismatch(
            tokens.map((each) => (each in KINDS ? `{#${each}#}` : each)).join(''),
            text,
          );
          expect(mismatch === undefined).to.equal(new RegExp(`^${pattern.join('')}$`).test(text));
          if (mismatch === undefined) return;
          const begins = (length: number) =>
            tokens.some((_, count) =>
              new RegExp(`^${pattern.slice(0, count + 1).join('')}$`).test(text.slice(0, length)),
            ) ||
            tokens.some((_, count) => new RegExp(`^${pattern.slice(0, count).join('')}$`).test(text.slice(0, length)));
          expect(length(mismatch.position - 1), 'fits so far').to.equal(true);
          function length(count: number): boolean {
            return count === 0 || begins(count);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
