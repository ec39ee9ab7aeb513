import { spawnSync } from 'node:child_process';
import { expect } from 'chai';

/** What `npm test -- …` prints and its exit code; tests are found, but not run. */
function npmTest(...parameters: readonly string[]) {
  const command = ['scripts/run.js', 'test', ...parameters, '--dry-run'];
  const { stdout, stderr, status } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  return { output: stdout + stderr, status };
}

describe('npm test', () => {
  it('runs the tests of a folder, and of a file, and takes mocha’s options', () => {
    const [folder, file, one] = [
      ['test/unit/vocabulary'],
      ['test/unit/vocabulary/patients.test.ts'],
      ['test/unit/vocabulary', '-g', 'nameKey ignores case'],
    ].map((parameters) => Number(/^(\d+) tests? passed/m.exec(npmTest(...parameters).output)?.[1]));
    expect(folder).to.be.greaterThan(file ?? 0);
    expect(file).to.be.greaterThan(one ?? 0);
    expect(one).to.equal(1);
  });

  for (const path of ['test/clients/packaging/supervisors.suite.ts', 'test/fixtures', 'test/no-such.test.ts']) {
    it(`refuses ${path}, which has no tests`, () => {
      expect(npmTest(path)).to.deep.equal({
        output: `'${path}' has no tests; "npm test -- test/FOLDER" runs some.\n`,
        status: 2,
      });
    });
  }
});
