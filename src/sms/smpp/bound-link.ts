import { setTimeout as pause } from 'node:timers/promises';
import { type Pdu, statusName } from './pdu.ts';
import { openConnection, type SmppAddress, type SmppConnection } from './smpp-connection.ts';

/** All in milliseconds. */
export interface LinkTimes {
  /** Timeout for the connection. */
  readonly connect: number;
  /** Timeout for the answer to bind, enquire_link or unbind. */
  readonly answer: number;
  /** Interval between two enquire_link. */
  readonly enquireLink: number;
  /** The delay before reconnecting is random, up to this value, then up to twice this value, and so on. */
  readonly reconnect: number;
  readonly longestReconnect: number;
}

export interface LinkOptions {
  readonly address: SmppAddress;
  readonly systemId: string;
  readonly password: string;
  readonly systemType: string;
  readonly times: LinkTimes;
  readonly onDelivery: (pdu: Pdu) => Promise<void>;
  readonly clock: () => number;
  readonly random: () => number;
  readonly report: (event: 'connected' | 'disconnected', code: string | undefined) => void;
}

/** Keeps one connection bound as transceiver until it is closed. */
export interface BoundLink {
  /** The bound connection. Waits for an attempt that is under way. If there is neither, returns the reason. */
  connection(): Promise<SmppConnection | { readonly code: string }>;
  /** Unbinds. */
  close(): Promise<void>;
}

/** Connects and binds immediately, checks the other side with enquire_link at intervals, and reconnects after growing random delays. */
export function openBoundLink(options: LinkOptions): BoundLink {
  const { times, report } = options;
  let current: SmppConnection | undefined;
  let attempt: Promise<unknown> | undefined;
  let failure = 'not-connected';
  /** Aborted when there must be no more attempts. An existing connection may still unbind. */
  const closing = new AbortController();
  const stop = new AbortController();

  async function run(): Promise<void> {
    let failures = 0;
    let told: string | undefined;
    while (!closing.signal.aborted) {
      const opening = bind(options, stop.signal);
      attempt = opening;
      const opened = await opening;
      if ('code' in opened) {
        failure = opened.code;
      } else if (!closing.signal.aborted) {
        current = opened;
        report('connected', undefined);
        told = undefined;
        const since = options.clock();
        failure = await lifeOf(opened);
        current = undefined;
        // A connection that ends as soon as it is bound does not count as a success.
        if (options.clock() - since > times.enquireLink) failures = 0;
      }
      attempt = undefined;
      if (closing.signal.aborted) break;
      if (failure !== told) report('disconnected', failure);
      told = failure;
      const longest = Math.min(times.longestReconnect, times.reconnect * 2 ** Math.min(failures, 30));
      await pause(options.random() * longest, undefined, { signal: closing.signal }).catch(() => {});
      failures++;
    }
  }

  /** The code with which the connection ended. */
  async function lifeOf(connection: SmppConnection): Promise<string> {
    const timer = setInterval(async () => {
      const { kind } = await connection.request('enquire_link', {}, { timeout: times.answer });
      if (kind === 'timeout') connection.end('enquire_link-unanswered');
    }, times.enquireLink);
    try {
      return await connection.closed;
    } finally {
      clearInterval(timer);
    }
  }

  const running = run();

  return {
    connection: async () => {
      if (current === undefined) await attempt;
      return current ?? { code: closing.signal.aborted ? 'closed' : failure };
    },
    close: async () => {
      closing.abort();
      if (current !== undefined) await unbind(current, times.answer);
      stop.abort();
      await running;
    },
  };
}

async function bind(options: LinkOptions, signal: AbortSignal): Promise<SmppConnection | { code: string }> {
  const { address, systemId, password, systemType, times, onDelivery } = options;
  const connection = await openConnection({ address, timeout: times.connect, onDelivery, signal });
  if ('code' in connection) return connection;
  const fields = { system_id: systemId, password, system_type: systemType, interface_version: 0x34 };
  const answer = await connection.request('bind_transceiver', fields, { timeout: times.answer });
  if (answer.kind === 'answered' && answer.status === 0) return connection;
  const code =
    answer.kind === 'answered'
      ? statusName(answer.status)
      : answer.kind === 'timeout'
        ? 'bind-unanswered'
        : answer.code;
  connection.end(code);
  return { code };
}

async function unbind(connection: SmppConnection, timeout: number): Promise<void> {
  await connection.request('unbind', {}, { timeout });
  connection.end('unbound');
}
