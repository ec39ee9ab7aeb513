import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { root } from '../../house/source-files.ts';
import { skipTest } from '../../support/skip-test.ts';

const OLD = '20.20.2';
/** Only the path of this process, as in a user's shell. */
const env = { PATH: process.env.PATH ?? '' };
const run = (node: string, args: readonly string[]) =>
  spawnSync(node, args, { cwd: fileURLToPath(root), env, encoding: 'utf8' });

/** A Node on the host that is too old, if there is one, and a program that finds it. */
const oldNode = (): string | undefined =>
  (spawnSync('which', ['-a', 'node'], { encoding: 'utf8' }).stdout ?? '')
    .split('\n')
    .find((path) => path !== '' && Number(/\d+/.exec(run(path, ['--version']).stdout)?.[0]) < 26);

const SENTENCE =
  /^TPWebServices needs Node 26 or later, and \S+ is Node [\d.]+: [^\n]+ npm ci, [^\n]+ install Node 26 from \S+\n$/;

describe('With a Node that is too old,', () => {
  const pretended = `data:text/javascript,Object.defineProperty(process.versions,"node",{value:"${OLD}"})`;

  for (const args of [['src/start.js'], ['src/tpws.js', 'doctor'], ['scripts/run.js', 'bench/run']]) {
    it(`${args.join(' ')} says in one sentence which version it needs and how to get it`, () => {
      const { status, stdout, stderr } = run(process.execPath, ['--import', pretended, ...args]);
      expect({ status, stdout }).to.deep.equal({ status: 1, stdout: '' });
      expect(stderr).to.match(SENTENCE).and.include(OLD);
    });

    it(`${args.join(' ')} says so with a real old Node`, function () {
      const node = oldNode();
      // Only a host with an old Node can show that it can read these files.
      if (node === undefined) return skipTest(this, 'this machine has no older Node beside ours');
      const { status, stdout, stderr } = run(node, args);
      expect({ status, stdout }).to.deep.equal({ status: 1, stdout: '' });
      expect(stderr).to.match(SENTENCE).and.include(node);
    });
  }

  it('every command of package.json says so, because none bypasses run.js', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
    const own = Object.values<string>(scripts).filter((line) => /^node\b/.test(line));
    expect(own).to.have.length.above(5);
    expect(
      own.filter((line) => !/^node (?:--env-file=\S+ )?(?:src\/start\.js$|scripts\/run\.js \S+$)/.test(line)),
    ).to.deep.equal([]);
  });
});
