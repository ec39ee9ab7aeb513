import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { root } from '../../house/source-files.ts';
import { skipOnWindows } from '../../support/process/on-windows.ts';

const TPWS = fileURLToPath(new URL('src/tpws.js', root));
const run = (...args: readonly string[]) => spawnSync(process.execPath, [TPWS, ...args], { encoding: 'utf8' });

/** The commands that the help of the program lists. */
const listed = [...run('--help').stdout.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name = '']) => name);

describe('tpws', () => {
  it('is the program that npm and npx find under this name', () => {
    const { bin } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
    expect(bin).to.deep.equal({ tpws: 'src/tpws.js' });
    expect(readFileSync(TPWS, 'utf8')).to.match(/^#!\/usr\/bin\/env node\n/);
  });

  it('lists its commands', () => {
    expect(listed).to.include.members([
      'import',
      'export',
      'backup',
      'restore',
      'migrate',
      'doctor',
      'audit',
      'outbox',
    ]);
    expect(listed).to.include.members(['patient', 'smoke', 'hash-secret']);
  });

  for (const name of listed) {
    it(`${name} --help describes the command, and ends quietly if nothing reads it`, async () => {
      const { status, stdout } = run(name, '--help');
      expect(status).to.equal(0);
      expect(stdout).to.match(new RegExp(`^Usage: tpws ${name} `));
      expect(stdout, 'values written as JSON').to.not.match(/"|\[\]/);

      const cut = spawn(process.execPath, [TPWS, name, '--help']);
      cut.stdout.destroy();
      let errors = '';
      cut.stderr.on('data', (chunk) => (errors += chunk));
      const [code] = await once(cut, 'close');
      expect({ code, errors }).to.deep.equal({ code: 0, errors: '' });
    });

    it(`${name} refuses an unknown option in one sentence`, () => {
      const { status, stdout, stderr } = run(name, '--no-such-option');
      expect({ status, stdout }).to.deep.equal({ status: 2, stdout: '' });
      expect(stderr).to.match(/^error: (?:unknown option '--no-such-option'|required option [^\n]+)\n$/);
    });
  }

  it('fails with a sentence if its output cannot be written', function () {
    skipOnWindows(this, 'it has no /dev/full');
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [TPWS, '--help'], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    expect(status).to.equal(1);
    expect(stderr).to.equal('Standard output cannot be written: ENOSPC: no space left on device, write\n');
  });

  it('prints its help for "help" too', () => {
    expect(run('help')).to.deep.include({ status: 0, stdout: run('--help').stdout });
  });

  it('prints the help of a command, and of a command of it, for "help COMMAND"', () => {
    for (const names of [['doctor'], ['patient', 'find']]) {
      expect(run('help', ...names)).to.deep.include({ status: 0, stdout: run(...names, '--help').stdout });
    }
    expect(run('help', 'docter')).to.deep.include({ status: 2, stdout: '', stderr: run('docter').stderr });
  });

  it('lets a service on the same CPU run first, unless it answers callers itself', () => {
    const print =
      'data:text/javascript,import os from "node:os"; process.on("exit", () => console.error(os.getPriority()))';
    const priorityOf = (command: string) =>
      Number(spawnSync(process.execPath, ['--import', print, TPWS, command, '--help'], { encoding: 'utf8' }).stderr);
    expect(priorityOf('backup')).to.equal(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
    expect(priorityOf('rehearse')).to.equal(getPriority());
  });

  it('leaves the start of the service to its own program, which takes no argument but --help', () => {
    const start = (arg: string) =>
      spawnSync(process.execPath, [fileURLToPath(new URL('src/start.js', root)), arg], { encoding: 'utf8' });
    const help = start('--help');
    expect(help).to.include({ status: 0, stderr: '' });
    expect(help.stdout).to.match(/^Usage: node src\/start\.js\n/);
    expect(start('8080')).to.include({ status: 2, stdout: '', stderr: help.stdout });
  });

  it('answers an unknown command with a sentence', () => {
    const { status, stdout, stderr } = run('imprt', 'doctors.csv');
    expect({ status, stdout, stderr }).to.deep.equal({
      status: 2,
      stdout: '',
      stderr: "error: unknown command 'imprt'\n(Did you mean import?)\n",
    });
  });

  it('without a command, lists them as an error', () => {
    const { status, stdout, stderr } = run();
    expect({ status, stdout }).to.deep.equal({ status: 2, stdout: '' });
    expect(stderr).to.include('  import ');
  });
});
