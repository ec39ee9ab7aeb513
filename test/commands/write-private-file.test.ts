import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { writePrivateFile } from '../../src/commands/write-private-file.ts';
import { root } from '../house/source-files.ts';
import { skipOnWindows } from '../support/process/on-windows.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';

/** No signal ends this process. */
const ENDLESS = { beforeEnd: () => () => {} };

describe('writePrivateFile', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  it('leaves nothing behind if it cannot replace the target', async () => {
    // A folder cannot be replaced on any system; on Windows, neither can a file that is open.
    mkdirSync(join(folder.path, 'asha.json'));
    const writing = writePrivateFile(
      join(folder.path, 'asha.json'),
      (async function* () {
        yield 'Asha Rao';
      })(),
      ENDLESS,
    );
    expect(await writing.catch(({ code }) => code)).to.be.oneOf(['EISDIR', 'EPERM', 'EACCES']);
    expect(readdirSync(folder.path)).to.deep.equal(['asha.json']);
  });

  it('leaves nothing behind if a signal ends the process', async function () {
    skipOnWindows(this, 'it has no signals');
    const path = join(folder.path, 'appointments.csv');
    // The test finds the file, interrupts the process, and only then could the rest be written.
    const script = `
      import { thisProcess } from '${new URL('scripts/this-process.ts', root)}';
      import { writePrivateFile } from '${new URL('src/commands/write-private-file.ts', root)}';
      async function* texts() {
        yield 'x'.repeat(100_000);
        process.stdout.write('writing');
        await new Promise((resolve) => process.stdin.once('data', resolve));
      }
      await writePrivateFile(${JSON.stringify(path)}, texts(), thisProcess('export'));
    `;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script]);
    await once(child.stdout, 'data');
    expect(existsSync(`${path}.part`)).to.equal(true);
    child.kill('SIGINT');
    const [, signal] = await once(child, 'close');
    expect(signal).to.equal('SIGINT');
    expect(existsSync(`${path}.part`)).to.equal(false);
  });

  it('never publishes what another writer has not finished', async function () {
    skipOnWindows(this, 'the second writer cannot remove a file that is open');
    const path = join(folder.path, 'appointments.csv');
    const { promise: bothOpen, resolve: secondOpen } = Promise.withResolvers<void>();
    const { promise: firstEnded, resolve: endFirst } = Promise.withResolvers<void>();
    let second: Promise<void> | undefined;
    const first = writePrivateFile(
      path,
      (async function* () {
        yield 'first';
        second = writePrivateFile(
          path,
          (async function* () {
            secondOpen();
            yield 'second, ';
            await firstEnded;
            yield 'whole';
          })(),
          ENDLESS,
        );
        await bothOpen;
      })(),
      ENDLESS,
    );
    expect(await first.catch(({ message }) => message)).to.match(/\.part is being written by another program/);
    expect(readdirSync(folder.path)).not.to.include('appointments.csv');
    endFirst();
    await second;
    expect(readFileSync(path, 'utf8')).to.equal('second, whole');
  });
});
