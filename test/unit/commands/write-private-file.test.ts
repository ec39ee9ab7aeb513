import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { writePrivateFile } from '../../../src/commands/copies/part-file.ts';
import { SetUpError } from '../../../src/vocabulary/errors.ts';
import { mountSmallDisk } from '../../databases/durability/small-disk.ts';
import { root } from '../../house/source-files.ts';
import { perSuite } from '../../support/prepared.ts';
import { skipOnWindows } from '../../support/process/on-windows.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { skipTest } from '../../support/skip-test.ts';

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

  it('removes what killed processes left there a day ago, but neither what another one is writing nor what is somebody else’s', async () => {
    const leave = (name: string, file: string, hoursAgo: number) => {
      const path = join(folder.path, name);
      mkdirSync(path);
      writeFileSync(join(path, file), 'half');
      const changed = Date.now() / 1000 - hoursAgo * 3600;
      utimesSync(path, changed, changed);
    };
    leave('night-20.part-killed', 'night-20', 25);
    leave('night-21.part-killed', 'night-21', 25);
    leave('night-21.part-writes', 'night-21', 23);
    leave('night-20.part-copied', 'holiday.jpg', 25);
    leave('night-20.part-of-a-film', 'night-20', 25);
    await writePrivateFile(join(folder.path, 'night-21'), texts('whole'), ENDLESS);
    expect(unfinished('night-21')).to.deep.equal(['night-21.part-writes']);
    expect(unfinished('night-20')).to.deep.equal(['night-20.part-copied', 'night-20.part-of-a-film']);
  });

  it('names the file whose disk is full', async function () {
    const disk = mountSmallDisk(join(folder.path, 'disk'), 1);
    if (disk === undefined) skipTest(this, 'no small disk can be mounted here');
    try {
      const path = join(disk.path, 'audit.csv');
      const writing = writePrivateFile(path, texts('x'.repeat(2_000_000)), ENDLESS);
      const error = await writing.catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(SetUpError);
      expect(error).to.have.property('message', `The disk of ${path} is full: nothing was written there.`);
      expect(readdirSync(disk.path)).to.deep.equal([]);
    } finally {
      disk.remove();
    }
  });
});
