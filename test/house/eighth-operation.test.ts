import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { root } from './source-files.ts';

const diff = readFileSync(new URL('docs/developers/eighth-operation.diff', root), 'utf8');

/** The files of the diff, each with the lines that its hunks expect, without those that they add. */
const files = diff
  .split(/^diff --git .*\n/m)
  .slice(1)
  .map((part) => {
    const [head = '', ...hunks] = part.split(/^@@ .*\n/m);
    const [, old = ''] = /^--- (?:a\/)?(.*)$/m.exec(head) ?? [];
    const [, path = ''] = /^\+\+\+ b\/(.*)$/m.exec(head) ?? [];
    const expected = hunks.map((hunk) => hunk.replace(/^\+.*\n/gm, '').replace(/^[ -]/gm, ''));
    return { path, isNew: old === '/dev/null', expected };
  });

describe('The example of an eighth operation', () => {
  for (const { path, isNew, expected } of files) {
    it(`can be applied: ${path}`, () => {
      expect(existsSync(new URL(path, root))).to.equal(!isNew);
      if (isNew) return;
      const text = readFileSync(new URL(path, root), 'utf8');
      expect(expected.filter((lines) => !text.includes(lines))).to.deep.equal([]);
    });
  }
});
