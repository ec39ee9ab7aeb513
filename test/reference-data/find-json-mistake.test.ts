import { expect } from 'chai';
import { findJsonMistake } from '../../src/reference-data/find-json-mistake.ts';
import { seededRandom } from '../support/random/seeded-random.ts';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('A mistake in JSON', () => {
  for (const [text, line, column, found, expected] of [
    ['', 1, 1, undefined, 'a value'],
    ['[', 1, 2, undefined, 'a value or ]'],
    ['[{"a": 1},\n]', 2, 1, ']', 'a value'],
    ['[{"a": 1}\n {"a": 2}]', 2, 2, '{', 'a comma or the closing bracket'],
    ['[{"a": 1,\n}]', 2, 1, '}', 'a name in double quotes; no comma may come before }'],
    ['[{a: 1}]', 1, 3, 'a', 'a name in double quotes or }'],
    ['[{"a" 1}]', 1, 7, '1', 'a colon'],
    ['[{"a": 007}]', 1, 9, '07', 'a comma or the closing bracket'],
    ['[{"a":\n yes}]', 2, 2, 'yes', 'a value'],
    ['[{"a": "x\n"}]', 1, 8, '"', 'a string that is closed on its line'],
    ['[{"a": "C:\\data"}]', 1, 11, '\\', 'a backslash doubled, or an escape such as \\n'],
    ['[{"a": "\t"}]', 1, 9, '\t', 'control characters in a string as \\u and four digits'],
    ['[]\n[]', 2, 1, '[', 'the end of the file'],
    ['[{"a": 1]', 1, 9, ']', 'a comma or the closing bracket'],
  ] as const) {
    it(`is found in ${JSON.stringify(text)}`, () => {
      expect(findJsonMistake(text)).to.deep.equal({ line, column, found, expected });
    });
  }

  it('is found within the text for everything that JSON.parse refuses', () => {
    const random = seededRandom(18);
    const parts = ['[', ']', '{', '}', ',', ':', '"a"', '"', '1', '-', '0.5', 'e', 'true', 'nul', ' ', '\\', '\\u12'];
    const texts = Array.from({ length: 20_000 }, () =>
      Array.from({ length: Math.floor(random() * 12) }, () => parts[Math.floor(random() * parts.length)]).join(''),
    );
    const refused = texts.filter((text) => !isJson(text));
    expect(refused).to.have.length.above(1000);
    for (const text of refused) expect(findJsonMistake(text).column).to.be.within(1, text.length + 1);
  });
});
