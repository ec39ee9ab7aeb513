import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { fakeTime } from '../../support/process/fake-time.ts';
import { freePort } from '../../support/process/free-port.ts';
import { gatewayAt } from '../../unit/messages/example-gateways.ts';
import { otherNumber } from '../../unit/messages/new-message.ts';
import type { Figure } from './figures.ts';
import { ServiceUnderTest } from './service-under-test.ts';

/** Its leases last two seconds, so that the damage of a wrong clock soon shows. */
const HASTY_SERVICE = fileURLToPath(new URL('../../unit/messages/hasty-service.ts', import.meta.url));
/** Milliseconds: a process takes over what others were sending once it has listened for the length of a lease. */
const LEASE = 2500;
/** How long the gateway takes per message, in milliseconds: long enough for a message being sent to be taken over wrongly. */
const SENDING = 400;
const LIMIT = 120_000;
/** The seconds by which the replicas' clocks are ahead of the machine's. */
const AHEAD = [0, 120, -120];

/** Three replicas, two with clocks two minutes ahead and behind, all queueing messages: each message is sent once. `library` is libfaketime. */
export async function differingClocks(folder: string, url: string, library: string, messages: number): Promise<Figure> {
  const sent: string[] = [];
  const gateway = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    sent.push(text);
    setTimeout(() => response.writeHead(202).end('0: Accepted for delivery'), SENDING);
  }).listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  const settings = {
    DATABASE_URL: url,
    RATE_LIMIT: '0',
    SMS_GATEWAY: `http:${gatewayAt(folder, `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`)}`,
    SMS_USERNAME: 'u',
    SMS_PASSWORD: 'p',
    SMS_RATE: '30',
  };
  const replicas: ServiceUnderTest[] = [];
  const texts = Array.from({ length: messages }, (_, n) => `Token ${n} is called.`);
  try {
    for (const seconds of AHEAD) {
      const replica = new ServiceUnderTest(folder, await freePort(), { ...settings, ...fakeTime(library, seconds) }, [
        HASTY_SERVICE,
      ]);
      replicas.push(replica);
      await replica.start();
    }
    await pause(LEASE);
    for (const [n, text] of texts.entries()) await queue(replicas[n % replicas.length]?.port ?? 0, text);
    for (const late = AbortSignal.timeout(LIMIT); sent.length < messages && !late.aborted; ) await pause(50);
    // Anything taken over wrongly is sent again within a few turns.
    await pause(LEASE + SENDING);
  } finally {
    await Promise.all(replicas.map((replica) => replica.stop()));
    gateway.closeAllConnections();
    gateway.close();
  }
  const lost = texts.filter((text) => !sent.includes(text)).length;
  const doubled = sent.length - new Set(sent).size;
  return {
    what: 'three replicas, the clocks of two 120 s ahead and behind, messages queued at all',
    figures: { 'messages queued': messages, 'messages lost': lost, 'messages sent twice': doubled },
    ok: lost === 0 && doubled === 0,
  };
}

const pause = (milliseconds: number) => new Promise((resume) => setTimeout(resume, milliseconds));

async function queue(port: number, text: string): Promise<void> {
  const body = new URLSearchParams({ Mobileno: otherNumber(), Message: text, tempid: '0', SMSmode: '1' });
  const answer = await fetch(`http://127.0.0.1:${port}/TPWebServices.asmx/Sent_SMS`, { method: 'POST', body });
  if (answer.status !== 200) throw new Error(`a message is not queued: ${answer.status} ${await answer.text()}`);
}
