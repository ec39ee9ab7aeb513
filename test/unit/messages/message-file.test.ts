import { existsSync, linkSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { forgetMessageFiles } from '../../../src/messages/message-file.ts';
import { perTest } from '../../support/prepared.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 20, 3);

describe('The files of old messages', () => {
  const folder = perTest(temporaryFolder);
  const path = () => join(folder.path, 'sms.jsonl');
  const writeLine = (file: string) => writeFileSync(file, `${JSON.stringify({ writtenOn: NOW - DAY_MS })}\n`);

  it('are moved away also after a kill in the middle of a move', async () => {
    writeLine(path());
    linkSync(path(), `${path()}.2026-11-19`);
    await forgetMessageFiles(path(), NOW, 0);
    expect(existsSync(path())).to.equal(false);
    utimesSync(`${path()}.2026-11-19`, 1, 1);
    expect(await forgetMessageFiles(path(), NOW, NOW)).to.equal(2);
    expect(readdirSync(folder.path)).to.deep.equal([]);
  });

  it('are moved away although a kill left an incomplete first line', async () => {
    writeFileSync(path(), `{"SMSID":1,"to":\n${JSON.stringify({ writtenOn: NOW - DAY_MS })}\n`);
    await forgetMessageFiles(path(), NOW, 0);
    expect(existsSync(path())).to.equal(false);
  });

  it('are the only ones that are deleted: neither a folder nor a copy with another name stops it or is lost', async () => {
    mkdirSync(`${path()}.2020-01-01`);
    writeLine(`${path()}.copy.2020-01-01`);
    expect(await forgetMessageFiles(path(), NOW, Number.MAX_SAFE_INTEGER)).to.equal(0);
    expect(readdirSync(folder.path)).to.have.members(['sms.jsonl.2020-01-01', 'sms.jsonl.copy.2020-01-01']);
  });
});
