import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { newPostgresDatabase, ON_POSTGRES } from '../../support/database/test-database.ts';
import { freePort } from '../../support/process/free-port.ts';
import { runByNode, startProcess } from '../../support/process/service-process.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { startSmppServer } from './smpp-server-process.ts';

const HASTY_SERVICE = runByNode(fileURLToPath(new URL('hasty-service.ts', import.meta.url)));
const SEGMENTS = 3;

describe('A process that sends, stopped for longer than its lease and continued', () => {
  it('loses no message, and submits nothing of a message that another process has taken over', async () => {
    const folder = temporaryFolder();
    const center = await startSmppServer();
    const database = ON_POSTGRES ? await newPostgresDatabase() : undefined;
    const settings = {
      DATABASE_URL: database?.url ?? 'sqlite:outbox.db',
      SMS_GATEWAY: `smpp://127.0.0.1:${center.port}`,
      SMS_USERNAME: 'hospital',
      SMS_PASSWORD: 'secret',
      // A segment per second, so that a message is being sent for two seconds.
      SMS_RATE: '1',
    };
    const start = async () => {
      const port = await freePort();
      const service = startProcess(folder.path, { ...settings, PORT: String(port) }, HASTY_SERVICE);
      await service.printed('"msg":"ready"');
      return { ...service, port };
    };
    const first = await start();
    await first.printed('gateway connected');
    const second = await start();
    try {
      const texts = ['first', 'second'].map((word) => word.padEnd(SEGMENTS * 153, '.'));
      for (const [n, text] of texts.entries()) await queue(second.port, `984501234${n}`, text);
      await center.counts({ submits: 1 });
      first.signal('SIGSTOP');
      const before = (await center.submits()).length;
      await second.printed('message submitted', texts.length);
      first.signal('SIGCONT');
      await first.printed('another process sends the messages');
      const submitted = await center.submits();
      // Nobody can take back what was submitted before.
      expect(submitted).to.have.length(before + texts.length * SEGMENTS);
      const received = (await center.messages()).map(({ text }) => text);
      expect([...new Set(received)].sort()).to.deep.equal(texts.sort());
    } finally {
      first.signal('SIGCONT');
      await Promise.all([first.stop(), second.stop()]);
      await center.stop();
      await database?.remove();
      folder.remove();
    }
  });
});

async function queue(port: number, number: string, text: string): Promise<void> {
  const body = new URLSearchParams({ Mobileno: number, Message: text, tempid: '0', SMSmode: '1' });
  const answer = await fetch(`http://127.0.0.1:${port}/TPWebServices.asmx/Sent_SMS`, { method: 'POST', body });
  expect(answer.status).to.equal(200);
}
