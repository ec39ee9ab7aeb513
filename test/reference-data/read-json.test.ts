import { expect } from 'chai';
import { readJson } from '../../src/reference-data/read-json.ts';

describe('The JSON of an import', () => {
  const linesOf = (text: string) => [...readJson(text, 'any.json', true).rows].map(({ line }) => line);

  for (const [title, part] of [
    ['letters', 'x'],
    ['escapes', '\\n'],
    ['quotes', '\\"'],
  ] as const) {
    it(`may hold a string of 20 MB of ${title}`, () => {
      const text = part.repeat(20_000_000 / part.length);
      expect(linesOf(`[{"a": "${text}"},\n\n{"a": "b"}]`)).to.deep.equal([1, 3]);
    });
  }

  it('reports line numbers correctly, whatever its strings contain', () => {
    expect(linesOf('[\n{"a": "\\\\"},\n{"{[": "\\"]}"}\n,\n{"a": "\\\\\\""}]')).to.deep.equal([2, 3, 5]);
  });
});
