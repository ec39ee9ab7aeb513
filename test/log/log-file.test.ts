import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openLogFile } from '../../src/log/log-file.ts';
import { skipOnWindows } from '../support/process/on-windows.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';

describe('The log file', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let path: string;
  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder.path, 'log');
  });
  const opened = new Set<number>();
  afterEach(() => {
    // Windows does not delete a file that is open.
    for (const descriptor of opened) closeSync(descriptor);
    opened.clear();
    folder.remove();
  });
  const open = (): number => {
    const descriptor = openSync(path, 'a');
    opened.add(descriptor);
    return descriptor;
  };

  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise((resume) => setTimeout(resume, 10));
  }

  it('writes every line in order, in the background', async () => {
    const log = openLogFile(open());
    const lines = Array.from({ length: 1000 }, (_, n) => `${n} आशा\n`);
    for (const line of lines) log.write(line);
    expect(readFileSync(path, 'utf8')).to.equal('');
    await until(() => readFileSync(path, 'utf8') === lines.join(''));
  });

  it('writes what is waiting when it is flushed', () => {
    const log = openLogFile(open());
    log.write('last\n');
    log.flush();
    expect(readFileSync(path, 'utf8')).to.equal('last\n');
  });

  it('drops lines on a full disk, throws nothing, and ends at once', async function () {
    skipOnWindows(this, 'it has no /dev/full');
    // Every write to it fails as on a full disk. Source: full(4).
    const log = openLogFile(openSync('/dev/full', 'a'));
    log.write('one\n');
    log.write('two\n');
    await until(() => log.dropped === 2);
    log.write('three\n');
    log.flush();
    expect(log.dropped).to.be.at.least(3);
  });

  it('says how many lines were dropped once it can write again', async () => {
    const descriptor = open();
    closeSync(descriptor);
    const log = openLogFile(descriptor);
    log.write('lost\n');
    await until(() => log.dropped === 1);
    // The system assigns the lowest free number, which is that of the closed file.
    const again = open();
    expect(again).to.equal(descriptor);
    log.write('kept\n');
    log.flush();
    expect(readFileSync(path, 'utf8')).to.equal('{"level":40,"msg":"log lines dropped","count":1}\nkept\n');
  });

  it('never mixes lines of processes that share a pipe', async function () {
    skipOnWindows(this, 'it has no shell that lets two programs write to one pipe');
    const writer = `
      import { openLogFile } from ${JSON.stringify(new URL('../../src/log/log-file.ts', import.meta.url).href)};
      const log = openLogFile(1, { shared: true });
      for (let n = 0; n < 4000; n++) log.write(process.argv[1].repeat(20 + (n * 37) % 150) + '\\n');
      setTimeout(() => log.flush(), 300);`;
    const program = ['--input-type=module', '-e', writer];
    // The reader starts late, so that the pipe is full and every write must wait.
    const both = spawn('sh', ['-c', '("$@" a & "$@" b & wait) | (sleep 0.6; cat)', 'sh', process.execPath, ...program]);
    let text = '';
    for await (const chunk of both.stdout) text += chunk;
    const lines = text.split('\n').slice(0, -1);
    expect(lines.filter((line) => !/^(?:a+|b+)$/.test(line))).to.deep.equal([]);
    expect(lines).to.have.length(8000);
  });
});
