import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { FOLLOWED_ELSEWHERE } from '../nights/runbook/entries.ts';
import { RUNBOOK } from '../nights/runbook/runbook.ts';
import { root } from './source-files.ts';

const read = (file: string) => readFileSync(new URL(file, root), 'utf8');

describe('The runbook', () => {
  const suites = readdirSync(new URL('test/nights/runbook/', root)).filter((file) => file.endsWith('.suite.ts'));
  const followed = suites.flatMap((file) =>
    [...read(`test/nights/runbook/${file}`).matchAll(/operatorAt\(\s*'([^']+)'/g)].map(([, entry]) => entry),
  );

  it('is followed entry by entry, here or by the test of another suite', () => {
    expect(RUNBOOK.size).to.be.above(15);
    expect([...new Set([...followed, ...Object.keys(FOLLOWED_ELSEWHERE)])].sort()).to.deep.equal(
      [...RUNBOOK.keys()].sort(),
    );
  });

  for (const [entry, elsewhere] of Object.entries(FOLLOWED_ELSEWHERE)) {
    it(`names the test of ${entry}`, () => expect(read(elsewhere.file)).to.include(elsewhere.test));
  }
});
