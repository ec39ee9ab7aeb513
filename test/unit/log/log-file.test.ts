import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { LogFile } from '../../../src/log/log-file.ts';
import { perTest } from '../../support/prepared.ts';
import { skipOnWindows } from '../../support/process/on-windows.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { until } from '../../support/process/until.ts';

const MIB = 1024 * 1024;
const LINE = `${'-'.repeat(1023)}\n`;

describe('The log file', () => {
  afterEach(() => {
    // Windows does not delete a file that is open.
    for (const descriptor of opened) closeSync(descriptor);
    opened.clear();
  });
  const folder = perTest(temporaryFolder);
  const path = () => join(folder.path, 'log');
  const opened = new Set<number>();
  const open = (flags: string | number): number => {
    const descriptor = openSync(path(), flags);
    opened.add(descriptor);
    return descriptor;
  };

  /** How many lines were written. */
  async function writeUntilDropped(log: LogFile): Promise<number> {
    let lines = 0;
    await until(() => {
      if (log.dropped > 0) return true;
      for (let n = 0; n < 40; n++) log.write(LINE);
      lines += 40;
      return false;
    });
    return lines;
  }

  it('writes every line in order', async () => {
    const log = new LogFile(open('a'));
    const lines = Array.from({ length: 1000 }, (_, n) => `${n} आशा\n`);
    for (const line of lines) log.write(line);
    await until(() => readFileSync(path(), 'utf8') === lines.join(''));
  });

  it('has written what was waiting when it is closed', async () => {
    const log = new LogFile(openSync(path(), 'a'));
    log.write('last\n');
    await log.close();
    expect(readFileSync(path(), 'utf8')).to.equal('last\n');
  });

  it('drops lines beyond 4 MiB on a full disk, throws nothing, and closes nevertheless', async function () {
    skipOnWindows(this, 'it has no /dev/full');
    // Every write to it fails as on a full disk. Source: full(4).
    const log = new LogFile(openSync('/dev/full', 'a'));
    const lines = await writeUntilDropped(log);
    expect((lines - log.dropped) * LINE.length).to.be.within(3.9 * MIB, 4 * MIB);
    await log.close();
  });

  it('keeps what a slow reader has not read, and says how many lines were dropped', async function () {
    skipOnWindows(this, 'it has no named pipes in the file system');
    execFileSync('mkfifo', [path()]);
    const reader = open(constants.O_RDONLY | constants.O_NONBLOCK);
    const log = new LogFile(open(constants.O_WRONLY | constants.O_NONBLOCK), 400 * 1024);
    const lines = await writeUntilDropped(log);
    const { dropped } = log;
    let text = '';
    const buffer = Buffer.alloc(1 << 16);
    await until(() => {
      try {
        text += buffer.toString('utf8', 0, readSync(reader, buffer));
      } catch (error) {
        expect(error).to.have.property('code', 'EAGAIN');
      }
      return text.includes('dropped');
    });
    expect(text).to.equal(`${LINE.repeat(lines - dropped)}{"level":40,"msg":"log lines dropped","count":${dropped}}\n`);
  });
});
