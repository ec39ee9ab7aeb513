import { appendFileSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createFileGateway } from '../../../src/messages/gateways/file-gateway.ts';
import { perTest } from '../../support/prepared.ts';
import { expectMode } from '../../support/process/on-windows.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { skipTest } from '../../support/skip-test.ts';
import { type GatewayUnderTest, gatewaySuite, outgoing } from './gateway-suite.ts';

const linesOf = (path: string): Record<string, unknown>[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : [];

async function fileUnderTest(): Promise<GatewayUnderTest> {
  const { path: folder, remove } = temporaryFolder();
  const path = join(folder, 'data', 'sms.jsonl');
  return {
    open: (dependencies) => createFileGateway(path, dependencies),
    received: async () =>
      linesOf(path).map(({ to, text, flash }) => ({ to: String(to), text: String(text), flash: flash === true })),
    // A folder is where the file was.
    makeUnavailable: async () => {
      renameSync(path, `${path}.away`);
      renameSync(join(folder, 'data'), join(folder, 'away'));
      appendFileSync(join(folder, 'data'), '');
    },
    makeAvailable: async () => {
      rmSync(join(folder, 'data'));
      renameSync(join(folder, 'away'), join(folder, 'data'));
      renameSync(`${path}.away`, path);
    },
    dispose: async () => remove(),
  };
}

gatewaySuite('file', fileUnderTest);

describe('The file gateway', () => {
  const folder = perTest(temporaryFolder);
  const path = () => join(folder.path, 'new', 'sms.jsonl');
  const open = () => createFileGateway(path(), { clock: () => 1_800_000_000_000, maySubmit: () => true });

  it('creates neither file nor folder before the first message', async () => {
    await open().close();
    expect(existsSync(join(folder.path, 'new'))).to.equal(false);
  });

  it('writes everything that a reader needs, readable only by its owner', async () => {
    const dlt = { header: 'HOSPTL', dltTemplateId: '1107160000000000001', principalEntityId: '1101000000000000001' };
    await open().send(outgoing({ id: 7, flash: true, ...dlt }));
    expect(linesOf(path())).to.deep.equal([
      {
        SMSID: 7,
        to: '+919845012345',
        text: 'Your appointment is at 10:15.',
        encoding: 'GSM-7',
        flash: true,
        ...dlt,
        writtenOn: 1_800_000_000_000,
      },
    ]);
    expectMode(path(), 0o600);
    expectMode(join(folder.path, 'new'), 0o700);
  });

  it('begins a new line after a partial line left by a killed process', async () => {
    await open().send(outgoing({ id: 1 }));
    appendFileSync(path(), '{"SMSID":2,"to"');
    await open().send(outgoing({ id: 3 }));
    const lines = readFileSync(path(), 'utf8').split('\n');
    expect(lines).to.have.length(4);
    expect(JSON.parse(lines[2] ?? '')).to.include({ SMSID: 3 });
  });

  it('continues in a new file when the old one was moved away', async () => {
    const gateway = open();
    await gateway.send(outgoing({ id: 1 }));
    renameSync(path(), `${path()}.1`);
    await gateway.send(outgoing({ id: 2 }));
    expect(linesOf(path())).to.have.length(1);
  });

  it("reports the system's error, without a path(), if the line cannot be written to the disk", async function () {
    // Root can write to every file, so a device that is always full is used.
    if (!existsSync('/dev/full')) {
      skipTest(this, 'this system has no /dev/full');
    }
    const gateway = createFileGateway('/dev/full', { clock: () => 0, maySubmit: () => true });
    expect(await gateway.send(outgoing())).to.deep.include({ kind: 'unavailable' });
  });
});
