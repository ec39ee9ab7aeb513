import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { writePrivateFile } from '../../../src/commands/copies/part-file.ts';
import { root } from '../../house/source-files.ts';
import { perSuite } from '../../support/prepared.ts';
import { skipOnWindows } from '../../support/process/on-windows.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

/** No signal ends this process. */
const ENDLESS = { beforeEnd: () => () => {} };

describe('writePrivateFile', () => {
  const folder = perSuite(temporaryFolder);

  /** The folders in which a file of that name is being written. */
  const unfinished = (name: string) => readdirSync(folder.path).filter((found) => found.startsWith(`${name}.part-`));
  const texts = async function* (...values: string[]) {
    yield* values;
  };

  it('leaves nothing behind if it cannot replace the target', async () => {
    // A folder cannot be replaced on any system; on Windows, neither can a file that is open.
    mkdirSync(join(folder.path, 'asha.json'));
    const writing = writePrivateFile(join(folder.path, 'asha.json'), texts('Asha Rao'), ENDLESS);
    expect(await writing.catch(({ code }) => code)).to.be.oneOf(['EISDIR', 'EPERM', 'EACCES']);
    expect(readdirSync(folder.path)).to.deep.equal(['asha.json']);
  });

  it('leaves nothing behind if a signal ends the process', async function () {
    skipOnWindows(this, 'it has no signals');
    const path = join(folder.path, 'appointments.csv');
    // The test finds the file, interrupts the process, and only then could the rest be written.
    const script = `
      import { thisProcess } from '${new URL('src/commands/this-process.ts', root)}';
      import { writePrivateFile } from '${new URL('src/commands/copies/part-file.ts', root)}';
      async function* texts() {
        yield 'x'.repeat(100_000);
        process.stdout.write('writing');
        await new Promise((resolve) => process.stdin.once('data', resolve));
      }
      await writePrivateFile(${JSON.stringify(path)}, texts(), thisProcess());
    `;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script]);
    await once(child.stdout, 'data');
    expect(unfinished('appointments.csv')).to.have.length(1);
    child.kill('SIGINT');
    const [, signal] = await once(child, 'close');
    expect(signal).to.equal('SIGINT');
    expect(unfinished('appointments.csv')).to.deep.equal([]);
  });

  it('writes whole files for two writers at once, and keeps the one that was finished last', async () => {
    const path = join(folder.path, 'feedback.csv');
    const { promise: secondIsOpen, resolve: openSecond } = Promise.withResolvers<void>();
    const { promise: firstHasEnded, resolve: endFirst } = Promise.withResolvers<void>();
    const second = async function* () {
      openSecond();
      yield 'second, ';
      await firstHasEnded;
      yield 'whole';
    };
    let writing: Promise<void> | undefined;
    const first = async function* () {
      yield 'first, ';
      writing = writePrivateFile(path, second(), ENDLESS);
      await secondIsOpen;
      yield 'whole';
    };
    await writePrivateFile(path, first(), ENDLESS);
    expect(readFileSync(path, 'utf8')).to.equal('first, whole');
    endFirst();
    await writing;
    expect(readFileSync(path, 'utf8')).to.equal('second, whole');
    expect(unfinished('feedback.csv')).to.deep.equal([]);
  });

  it('removes what a killed process left a day ago, but not what another one is writing', async () => {
    const leave = (name: string, text: string, hoursAgo: number) => {
      const path = join(folder.path, name);
      mkdirSync(path);
      writeFileSync(join(path, 'doctors.csv'), text);
      const changed = Date.now() / 1000 - hoursAgo * 3600;
      utimesSync(join(path, 'doctors.csv'), changed, changed);
      utimesSync(path, changed, changed);
    };
    leave('doctors.csv.part-killed', 'half', 25);
    leave('doctors.csv.part-running', 'half', 23);
    leave('other.csv.part-killed', 'half', 25);
    await writePrivateFile(join(folder.path, 'doctors.csv'), texts('whole'), ENDLESS);
    expect(unfinished('doctors.csv')).to.deep.equal(['doctors.csv.part-running']);
    expect(unfinished('other.csv')).to.deep.equal(['other.csv.part-killed']);
  });
});
