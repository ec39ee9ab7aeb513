import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { root } from '../../house/source-files.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { summaryCounts } from '../../support/reporter/run-summary.ts';

/** Fails in every way that a test can: with an error, with a text, with nothing, in a hook, twice, and too late. */
const FAILING = `
  describe('a suite', () => {
    it('passes', () => {});
    it('throws', () => { throw new Error('wrong'); });
    it('compares', () => { throw Object.assign(new Error('not the same'), { expected: 'one', actual: 'two', showDiff: true }); });
    it('throws a text', () => { throw 'only words'; });
    it('rejects with nothing', () => Promise.reject());
    it('fails twice', (done) => { setImmediate(() => { throw new Error('later'); }); done(new Error('first')); });
    it('is too late', (done) => {}).timeout(20);
    it('is to come');
    describe('with a hook', () => {
      before(() => { throw new Error('hook'); });
      it('never runs', () => {});
    });
  });`;

describe("The tests' reporter", () => {
  for (const parallel of [[], ['--parallel', '--jobs', '2']]) {
    it(`reports every kind of failure, and ends with the summary ${parallel.length > 0 ? 'in parallel' : 'alone'}`, () => {
      const folder = temporaryFolder();
      const files = ['one', 'two'].map((name) => join(folder.path, `${name}.cjs`));
      for (const file of files) writeFileSync(file, FAILING);
      const options = ['--no-config', '--no-color', '--reporter', 'test/support/reporter/plain-reporter.ts'];
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['node_modules/mocha/bin/mocha.js', ...options, ...parallel, ...files],
        { cwd: fileURLToPath(root), encoding: 'utf8' },
      );
      folder.remove();
      expect(stderr).to.equal('');
      expect(status).to.be.above(0);
      for (const text of ['wrong', 'not the same', 'only words', 'hook', 'Timeout of 20ms'])
        expect(stdout).to.include(text);
      expect(summaryCounts(stdout)?.passed).to.equal(2);
      expect(summaryCounts(stdout)?.failed).to.be.at.least(14);
      expect(stdout).to.match(/\n2 tests did not run here, which is no failure\.[^\n]*:\n {2}2: a suite is to come\n$/);
    });
  }
});
