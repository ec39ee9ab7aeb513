import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readPrivateFile } from '../../../src/access/load-clients.ts';
import { SetUpError } from '../../../src/vocabulary/errors.ts';
import { skipOnWindows } from '../../support/process/on-windows.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/process/temporary-folder.ts';

describe('readPrivateFile', () => {
  let folder: TemporaryFolder;
  let file: string;
  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder.path, 'secret.txt');
  });

  it('returns the text without the last line end', () => {
    for (const [text, secret] of [
      ['pass word', 'pass word'],
      [' pass word \n', ' pass word '],
      ['pass word\r\n', 'pass word'],
      ['pass word\n\n', 'pass word\n'],
    ] as const) {
      writeFileSync(file, text, { mode: 0o600 });
      expect(readPrivateFile(file)).to.equal(secret);
    }
  });

  it('accepts files readable by an owner and a group, and no others', function () {
    skipOnWindows(this, 'it has no file modes');
    writeFileSync(file, 'secret');
    for (const mode of [0o400, 0o600, 0o440, 0o660]) {
      chmodSync(file, mode);
      expect(readPrivateFile(file)).to.equal('secret');
    }
    for (const mode of [0o604, 0o644, 0o602, 0o601]) {
      chmodSync(file, mode);
      expect(() => readPrivateFile(file)).to.throw(SetUpError, 'only its owner and group');
    }
  });

  it('throws if the file does not exist', () => {
    expect(() => readPrivateFile(join(folder.path, 'none'))).to.throw('ENOENT');
  });
});
