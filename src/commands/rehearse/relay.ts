import { connect, createServer, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { listenOn } from '../../http/listen-on.ts';
import type { CopiedRequest, OpenTap } from './request-tap.ts';

export interface OldAnswer {
  readonly status: number;
  /** Milliseconds from the end of the request to the first byte of the answer. */
  readonly milliseconds: number;
}

export interface RelayOptions {
  /** Where the old service listens. Only scheme, host and port are used. */
  readonly old: URL;
  readonly host: string;
  /** 0 selects a free one. */
  readonly port: number;
  readonly openTap: OpenTap;
  /** Monotonic time in milliseconds. */
  readonly stopwatch: () => number;
  /** A request has passed. `answered` resolves with the old service's answer, or with undefined if that can't be determined. */
  readonly onRequest: (request: CopiedRequest, answered: Promise<OldAnswer | undefined>) => void;
  /** There were bytes that are not HTTP. */
  readonly onBroken: () => void;
}

export interface Relay {
  readonly port: number;
  /** Accepts no more connections, and cuts those that are open. */
  close(): Promise<void>;
}

/** How long a caller's connection that the old service has ended may be idle. */
const LINGER_MS = 60_000;

/**
 * Passes bytes between callers and the old service, and examines a copy of what the callers send. Nothing is parsed and rewritten on the
 * way: a caller gets the old service's bytes, whatever they are, and nothing that happens to the copy can delay them.
 */
export async function openRelay(options: RelayOptions): Promise<Relay> {
  const open = new Set<Socket>();
  // Half-open on both sides: a caller may say that it will send no more, and still wait for its answer.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (caller) => {
    const old = connectTo(options.old);
    for (const socket of [caller, old]) {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
    }
    join(caller, old);
    watch(caller, old, options);
  });
  const port = await listenOn(server, options.host, options.port, `--listen ${options.host}:${options.port}`);
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

function connectTo({ protocol, hostname, port }: URL): Socket {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol !== 'https:') return connect({ host, port: Number(port || 80), allowHalfOpen: true, noDelay: true });
  // The callers already trust this address. The rehearsal must not change who answers there, so the name in the certificate is checked.
  const options = { host, port: Number(port || 443), allowHalfOpen: true };
  // A server name is that of a host, so an IP address has none. Source: RFC 6066, 3.
  return connectTls(isIP(host) === 0 ? { ...options, servername: host } : options);
}

function join(caller: Socket, old: Socket): void {
  // Each pipe ends the other side when its own side has ended.
  caller.pipe(old);
  old.pipe(caller);
  for (const [one, other] of [
    [caller, old],
    [old, caller],
  ] as const) {
    // A connection that is refused or reset on one side is reset on the other, so that the caller sees what it would have seen.
    one.on('error', () => other.resetAndDestroy());
    // If it ended normally, an answer may still be on its way to the other side.
    one.on('close', () => {
      if (!one.readableEnded) other.destroy();
    });
  }
  old.on('end', () => caller.setTimeout(LINGER_MS, () => caller.destroy()));
}

function watch(caller: Socket, old: Socket, { openTap, stopwatch, onRequest, onBroken }: RelayOptions): void {
  const answers = timeAnswers(stopwatch);
  const tap = openTap(caller.remoteAddress, {
    request: (request) => onRequest(request, answers.requested()),
    broken: onBroken,
  });
  caller.on('data', (chunk: Buffer) => tap.take(chunk));
  caller.on('end', tap.end);
  caller.on('close', tap.end);
  old.on('data', (chunk: Buffer) => answers.received(chunk));
  old.on('close', () => answers.settle(undefined));
}

const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})/;
/** An interim answer, such as 100 Continue, which the answer itself follows. */
const INTERIM = /^HTTP\/1\.[01] 1\d\d[\s\S]*?\r\n\r\n/;

/**
 * Takes the old service's status and time for each request of one connection, without parsing its answers. A request that a caller sent
 * before the previous one was answered has no result, because there is no telling which bytes belong to which request.
 */
function timeAnswers(stopwatch: () => number) {
  let waiting: { readonly began: number; readonly resolve: (answer: OldAnswer | undefined) => void } | undefined;
  const settle = (answer: OldAnswer | undefined): void => {
    waiting?.resolve(answer);
    waiting = undefined;
  };
  return {
    settle,
    /** A whole request has been sent. Resolves when its answer begins, with undefined if no answer can be attributed to it. */
    requested: (): Promise<OldAnswer | undefined> => {
      const { promise, resolve } = Promise.withResolvers<OldAnswer | undefined>();
      const isPipelined = waiting !== undefined;
      settle(undefined);
      if (isPipelined) resolve(undefined);
      else waiting = { began: stopwatch(), resolve };
      return promise;
    },
    received: (chunk: Buffer): void => {
      if (waiting === undefined) return;
      const text = chunk.toString('latin1').replace(INTERIM, '');
      if (text === '') return;
      const status = Number(STATUS_LINE.exec(text)?.[1]);
      settle(Number.isNaN(status) ? undefined : { status, milliseconds: stopwatch() - waiting.began });
    },
  };
}
