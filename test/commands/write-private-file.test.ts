import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { writePrivateFile } from '../../src/commands/write-private-file.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';

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
    );
    expect(await writing.catch(({ code }) => code)).to.be.oneOf(['EISDIR', 'EPERM', 'EACCES']);
    expect(readdirSync(folder.path)).to.deep.equal(['asha.json']);
  });

  // Windows does not remove a file that is open, so the second one fails there.
  it('never publishes what another writer has not finished', async function () {
    if (platform() === 'win32') this.skip();
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
        );
        await bothOpen;
      })(),
    );
    expect(await first.catch(({ message }) => message)).to.match(/\.part is being written by another program/);
    expect(readdirSync(folder.path)).not.to.include('appointments.csv');
    endFirst();
    await second;
    expect(readFileSync(path, 'utf8')).to.equal('second, whole');
  });
});
