import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { writePrivateFile } from '../../src/commands/write-private-file.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';

describe('writePrivateFile', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  it('leaves nothing beside what it cannot replace', async () => {
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
});
