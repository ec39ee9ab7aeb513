import { setTimeout as pause } from 'node:timers/promises';
import type { GatewayDependencies } from '../gateway.ts';
import { type Pdu, statusName } from './pdu.ts';
import { openConnection, type SmppAddress, type SmppConnection } from './smpp-connection.ts';

export const SMPP_TIMES = {
  /** Timeout for the connection. */
  connectMs: 10_000,
  /** Timeout for the answer to bind or enquire_link. */
  answerMs: 10_000,
  /** Timeout for the answer to unbind, for which a process that ends waits. */
  unbindMs: 4000,
  /** Timeout for the answer to a submission: long, because after it nobody knows whether the SMS center has the message. */
  submitMs: 60_000,
  /** The delay before a segment is submitted again is random, up to twice this value, then up to four times, and so on. */
  segmentRetryMs: 500,
  /** Interval between two enquire_link. */
  enquireLinkMs: 30_000,
  /** The delay before reconnecting is random, up to this value, then up to twice this value, and so on. */
  reconnectMs: 1000,
  longestReconnectMs: 60_000,
};
export type SmppTimes = Readonly<typeof SMPP_TIMES>;

export interface SmppAccount {
  readonly address: SmppAddress;
  readonly systemId: string;
  readonly password: string;
  readonly systemType: string;
}

interface LinkOptions extends SmppAccount, Pick<GatewayDependencies, 'clock' | 'random' | 'report'> {
  readonly times: SmppTimes;
  readonly onDelivery: (pdu: Pdu) => Promise<void>;
}

type Opened = SmppConnection | { readonly code: string };

/**
 * Keeps one connection bound as transceiver until it is closed: connects and binds immediately, checks the other side with enquire_link at
 * intervals, and reconnects after growing random delays.
 */
export function openBoundLink(options: LinkOptions) {
  const { times, report } = options;
  /** The bound connection, or the attempt to bind one that is under way, or the last reason why there is none. */
  let current: Opened | Promise<Opened> = { code: 'not-connected' };
  /** Aborted when there must be no more attempts. An existing connection may still unbind. */
  const closing = new AbortController();
  const stop = new AbortController();

  async function run(): Promise<void> {
    let failures = 0;
    let reported: string | undefined;
    while (!closing.signal.aborted) {
      current = bind(options, stop.signal);
      const opened = await current;
      current = opened;
      let code = 'code' in opened ? opened.code : 'closed';
      if (!('code' in opened) && !closing.signal.aborted) {
        report('connected', undefined);
        reported = undefined;
        const since = options.clock();
        code = await endOf(opened);
        // A connection that ends as soon as it is bound does not count as a success.
        if (options.clock() - since > times.enquireLinkMs) failures = 0;
      }
      current = { code };
      if (closing.signal.aborted) break;
      if (code !== reported) report('disconnected', code);
      reported = code;
      const longestMs = Math.min(times.longestReconnectMs, times.reconnectMs * 2 ** Math.min(failures, 30));
      await pause(options.random() * longestMs, undefined, { signal: closing.signal }).catch(() => {});
      failures++;
    }
  }

  /** Checks the connection until it ends. Resolves with the code with which it ended. */
  async function endOf(connection: SmppConnection): Promise<string> {
    const timer = setInterval(async () => {
      const { kind } = await connection.request('enquire_link', {}, times.answerMs);
      if (kind === 'timeout') connection.end('enquire_link-unanswered');
    }, times.enquireLinkMs);
    try {
      return await connection.closed;
    } finally {
      clearInterval(timer);
    }
  }

  const running = run();

  return {
    /** The bound connection. Waits for an attempt that is under way. If there is neither, returns the reason. */
    connection: async (): Promise<Opened> => (closing.signal.aborted ? { code: 'closed' } : current),
    /** Unbinds. */
    close: async (): Promise<void> => {
      closing.abort();
      if ('request' in current) {
        await current.request('unbind', {}, times.unbindMs);
        current.end('unbound');
      }
      stop.abort();
      await running;
    },
  };
}

async function bind(options: LinkOptions, signal: AbortSignal): Promise<Opened> {
  const { systemId, password, systemType, times } = options;
  const connection = await openConnection({ ...options, timeoutMs: times.connectMs, signal });
  if ('code' in connection) return connection;
  const fields = { system_id: systemId, password, system_type: systemType, interface_version: 0x34 };
  const answer = await connection.request('bind_transceiver', fields, times.answerMs);
  if (answer.kind === 'answered' && answer.status === 0) return connection;
  const code =
    answer.kind === 'answered' ? statusName(answer.status) : 'code' in answer ? answer.code : 'bind-unanswered';
  connection.end(code);
  return { code };
}
