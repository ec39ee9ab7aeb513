import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { root } from '../../house/source-files.ts';

const bench = (...args: readonly string[]) => {
  const script = fileURLToPath(new URL('scripts/bench/run.ts', root));
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
};

describe('The arguments of scripts', () => {
  it('are listed for --help, with their defaults', () => {
    const { status, stdout, stderr } = bench('--help');
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    expect(stdout).to.match(/^Usage: npm run bench -- \[--rounds 3\].* \[--peers VALUE\]\n$/);
  });

  it('are refused with one sentence and exit code 2 if one is unknown', () => {
    expect(bench('--round', '3')).to.deep.equal({
      status: 2,
      stdout: '',
      stderr: `Unknown option '--round'; "npm run bench -- --help" lists the options.\n`,
    });
  });

  it('are refused with one sentence and exit code 2 if a number is none', () => {
    for (const value of ['abc', '', '1.5', '0x10']) {
      expect(bench('--rounds', value), value).to.deep.equal({
        status: 2,
        stdout: '',
        stderr: `Option '--rounds' is '${value}'; expected a whole number; "npm run bench -- --help" lists the options.\n`,
      });
    }
  });

  it('are read in one place', () => {
    const readers = globSync(['scripts/**/*.ts', 'test/*/run.ts'], { cwd: root }).filter((path) =>
      readFileSync(new URL(path, root), 'utf8').includes('parseArgs'),
    );
    expect(readers).to.deep.equal(['scripts/ci/read-arguments.ts']);
  });
});
