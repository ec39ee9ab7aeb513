import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../support/process/free-port.ts';
import { runByNode, type ServiceProcess, startProcess } from '../../support/process/service-process.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { seededRandom } from '../../support/random/seeded-random.ts';
import { gatewayAt } from './example-gateways.ts';
import { startFailingProxy } from './failing-proxy.ts';
import { startKannel } from './kannel.ts';
import { type OutboxRow, outboxRows } from './outbox-file.ts';
import { startSmppServer } from './smpp-server-process.ts';

export interface EnduranceOptions {
  readonly messages: number;
  readonly kills: number;
  readonly seed: number;
}

export interface EnduranceFigures {
  /** Messages whose SMSID a caller received. */
  readonly acknowledged: number;
  /** Of them, those that reached the SMS center. */
  readonly arrived: number;
  /** SMSIDs that never reached it. */
  readonly lost: readonly number[];
  /** SMSIDs that reached it twice or more. */
  readonly duplicates: readonly number[];
  /** Of those, the ones that were being sent at a kill and were taken over after it. */
  readonly explained: readonly number[];
  /** Of those, the ones whose takeover is in the log; a kill loses the last lines of the log. */
  readonly logged: readonly number[];
  /** Messages that the service had claimed and not marked at a kill. */
  readonly interrupted: number;
  /** Of them, those that were sent once and not taken over, because a receipt settled them. */
  readonly settled: number;
  readonly takeovers: number;
  readonly kills: number;
  /** Calls that a caller repeated because the answer was lost in a kill. */
  readonly repeatedCalls: number;
  readonly requests: number;
  readonly refused: number;
  readonly broken: number;
  /** Messages by status number at the end. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly milliseconds: number;
}

const HASTY_SERVICE = fileURLToPath(new URL('hasty-service.ts', import.meta.url));

const SENDING = 2;
/** Milliseconds between two calls, minimum and maximum between ready and kill, and limit for the queue to empty at the end. */
const CALL_INTERVAL = 50;
const SHORTEST_LIFE = 300;
const LONGEST_LIFE = 5000;
const LAST_LIMIT = 90_000;
const CALLERS = 4;

const pause = (milliseconds: number) => new Promise((resume) => setTimeout(resume, milliseconds));

/**
 * Sends messages through a service that is killed again and again, by way of a proxy that fails 30 % of its requests, to Kannel and an SMS
 * center, and counts what arrived there. Receipts from phones are sent in the first half only; Kannel always reports that the center
 * accepted a message. Both prevent an interrupted message from being sent twice, unless they arrive after another process takes it over.
 */
export async function endurance({ messages, kills, seed }: EnduranceOptions): Promise<EnduranceFigures> {
  const began = performance.now();
  const random = seededRandom(seed);
  const folder = temporaryFolder();
  const ends: (() => unknown)[] = [() => folder.remove()];
  try {
    const center = await startSmppServer();
    ends.unshift(() => center.stop());
    await center.behave({ receipts: { stat: 'DELIVRD', form: 'both', delay: 30 } });
    const kannel = await startKannel(folder.path, center.port);
    ends.unshift(() => kannel.stop());
    const proxy = await startFailingProxy(kannel.url, {
      refused: 0.2,
      broken: 0.1,
      delay: 80,
      random: seededRandom(seed + 1),
    });
    ends.unshift(() => proxy.stop());
    const port = await freePort();
    const database = join(folder.path, 'endurance.db');
    const endpoint = `http://127.0.0.1:${port}/TPWebServices.asmx/Sent_SMS`;

    const lives: ServiceProcess[] = [];
    const start = async () => {
      const settings = {
        PORT: String(port),
        DATABASE_URL: `sqlite:${database}`,
        SMS_GATEWAY: `http:${gatewayAt(folder.path, proxy.url)}`,
        SMS_USERNAME: kannel.username,
        SMS_PASSWORD: kannel.password,
        SMS_CALLBACK_SECRET: 'endurance-secret-01',
        SMS_RATE: '40',
      };
      const service = startProcess(folder.path, settings, runByNode(HASTY_SERVICE));
      lives.push(service);
      await service.printed('"msg":"ready"');
      return service;
    };
    let service = await start();
    const killed = () => service.signal('SIGKILL');
    process.once('exit', killed);
    ends.unshift(async () => {
      process.removeListener('exit', killed);
      await service.stop();
    });

    const ids = new Map<string, number>();
    let repeatedCalls = 0;
    let next = 0;
    const firstCall = performance.now();
    const call = async (text: string, mobile: string): Promise<number | undefined> => {
      const body = new URLSearchParams({ Mobileno: mobile, Message: text, tempid: '0', SMSmode: '1' });
      const response = await fetch(endpoint, { method: 'POST', body, headers: { Accept: 'application/json' } }).catch(
        () => undefined,
      );
      const answer = await response?.text().catch(() => undefined);
      if (response?.status !== 200 || answer === undefined) return undefined;
      return JSON.parse(answer).SMSID;
    };
    const caller = async () => {
      for (let index = next++; index < messages; index = next++) {
        await pause(Math.max(0, firstCall + index * CALL_INTERVAL - performance.now()));
        const text = `Message ${index} of ${seed}`;
        let id = await call(text, String(9_845_000_000 + index));
        for (; id === undefined; id = await call(text, String(9_845_000_000 + index))) {
          repeatedCalls++;
          await pause(50);
        }
        ids.set(text, id);
      }
    };
    const calling = Promise.all(Array.from({ length: CALLERS }, caller));

    const interrupted = new Set<number>();
    for (let kill = 1; kill <= kills; kill++) {
      await pause(SHORTEST_LIFE + random() * (LONGEST_LIFE - SHORTEST_LIFE));
      service.signal('SIGKILL');
      await service.exited();
      for (const { id, status, leased_by } of outboxRows(database)) {
        if (status === SENDING && leased_by !== null) interrupted.add(id);
      }
      if (kill === Math.ceil(kills / 2)) await center.behave({ receipts: null });
      service = await start();
    }
    await calling;
    let rows: readonly OutboxRow[] = outboxRows(database);
    for (
      const late = performance.now() + LAST_LIMIT;
      rows.some(({ status }) => status <= SENDING);
      rows = outboxRows(database)
    ) {
      if (performance.now() > late) break;
      await pause(200);
    }

    const acknowledged = new Set(ids.values());
    const arrivals = new Map<number, number>();
    // The last ones may still be inside Kannel.
    for (const { text } of await center.messages(new Set(ids.values()).size)) {
      const id = ids.get(text);
      if (id !== undefined) arrivals.set(id, (arrivals.get(id) ?? 0) + 1);
    }
    const byId = new Map(rows.map((row) => [row.id, row]));
    const inLog = takenOver(lives);
    const duplicates = [...arrivals].filter(([, count]) => count > 1).map(([id]) => id);
    const statuses: Record<number, number> = {};
    for (const { status } of rows) statuses[status] = (statuses[status] ?? 0) + 1;
    return {
      acknowledged: acknowledged.size,
      arrived: [...acknowledged].filter((id) => arrivals.has(id)).length,
      lost: [...acknowledged].filter((id) => !arrivals.has(id)),
      duplicates,
      explained: duplicates.filter((id) => interrupted.has(id) && (byId.get(id)?.takeovers ?? 0) > 0),
      logged: duplicates.filter((id) => inLog.has(id)),
      interrupted: interrupted.size,
      settled: [...interrupted].filter((id) => byId.get(id)?.takeovers === 0 && arrivals.get(id) === 1).length,
      takeovers: rows.reduce((sum, row) => sum + row.takeovers, 0),
      kills,
      repeatedCalls,
      ...proxy.counts,
      statuses,
      milliseconds: performance.now() - began,
    };
  } finally {
    for (const end of ends) await end();
  }
}

/** SMSIDs whose takeover is in a log. The last line of a killed process may be truncated. */
function takenOver(lives: readonly ServiceProcess[]): ReadonlySet<unknown> {
  const ids = new Set<unknown>();
  for (const life of lives) {
    for (const line of life.output().split('\n')) {
      if (!line.includes('"msg":"message taken over') || !line.endsWith('}')) continue;
      ids.add(JSON.parse(line).messageId);
    }
  }
  return ids;
}
