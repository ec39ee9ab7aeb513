import { connect, createServer, isIP, type Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { listenOn } from '../../http/listen-on.ts';
import type { CopiedRequest, OpenTap } from './request-tap.ts';

/** The old service's status; `none` if it did not answer; undefined if its answer can't be attributed to a request. */
export type OldAnswer = number | 'none' | undefined;

export interface RelayOptions {
  /** Where the old service listens. Only scheme, host and port are used. */
  readonly old: URL;
  readonly host: string;
  /** 0 selects a free one. */
  readonly port: number;
  readonly openTap: OpenTap;
  /** A request has passed. `answered` resolves when the old service has begun to answer it, or will not. */
  readonly onRequest: (request: CopiedRequest, answered: Promise<OldAnswer>) => void;
  /** A connection to the old service was opened, or could not be opened for a reason. */
  readonly onConnect: (failure: string | undefined) => void;
  /** There were bytes that are not HTTP. */
  readonly onBroken: () => void;
}

/** How long a caller's connection that the old service has ended may be idle: as long as the service lets any be. */
const LINGER_MS = 120_000;
/** How long a caller's request is awaited if it can't be passed on. */
const LAST_REQUEST_MS = 1000;

/**
 * Passes bytes between callers and the old service, and examines a copy of what the callers send. Nothing is parsed and rewritten on the
 * way: a caller gets the old service's bytes, whatever they are, and nothing that happens to the copy can delay them.
 */
export async function openRelay(options: RelayOptions) {
  const open = new Set<Socket>();
  const track = (socket: Socket): Socket => {
    open.add(socket);
    // An error that nobody listens for would end the process.
    return socket.on('error', () => {}).on('close', () => open.delete(socket));
  };
  // Half-open on both sides: a caller may say that it will send no more, and still wait for its answer.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (caller) => {
    const { remoteAddress } = track(caller);
    // It was reset before it was accepted.
    if (remoteAddress === undefined) caller.destroy();
    else joinSockets(caller, remoteAddress, track(connectTo(options.old)), options, () => !server.listening);
  });
  const port = await listenOn(server, options.host, options.port, `--listen ${options.host}:${options.port}`);
  return {
    port,
    /** Accepts no more connections, and cuts those that are open. */
    close: () =>
      new Promise<void>((resolve) => {
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

/**
 * Resets a connection where Node can, and otherwise only closes it. Over TLS, `resetAndDestroy` throws. Between `end` and `finish` it fails,
 * because libuv does not reset a connection that is shutting down, and Node then never closes the descriptor.
 */
function reset(socket: Socket): void {
  const isEnding = socket.writableEnded && !socket.writableFinished;
  if (isEnding || socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})/;
/** An interim answer, such as 100 Continue, which the answer itself follows. */
const INTERIM = /^HTTP\/1\.[01] 1\d\d[\s\S]*?\r\n\r\n/;

function joinSockets(
  caller: Socket,
  address: string,
  old: Socket,
  { openTap, onRequest, onBroken, onConnect }: RelayOptions,
  isClosing: () => boolean,
): void {
  let isUnreachable = false;
  /** Of the request whose answer has not begun. */
  let waiting: ((answer: OldAnswer) => void) | undefined;
  const settle = (answer: OldAnswer): void => {
    waiting?.(answer);
    waiting = undefined;
  };
  const giveUp = (): void => {
    settle('none');
    reset(caller);
  };
  const tap = openTap(address, {
    request: (request) => {
      const { promise, resolve } = Promise.withResolvers<OldAnswer>();
      // There is no telling which bytes answer a request that was sent before the previous one was answered.
      if (waiting === undefined) waiting = resolve;
      else {
        settle(undefined);
        resolve(undefined);
      }
      onRequest(request, promise);
      if (isUnreachable) giveUp();
    },
    broken: onBroken,
  });

  // Each pipe ends the other side when its own side has ended.
  caller.pipe(old);
  old.pipe(caller);
  caller.on('data', (chunk: Buffer) => tap.take(chunk));
  caller.on('end', tap.end);
  // A connection that is refused or reset on one side is reset on the other, so that the caller sees what it would have seen.
  caller.on('error', () => reset(old));
  caller.on('close', () => {
    tap.end();
    if (!caller.readableEnded) old.destroy();
  });
  const failed = ({ code, message }: NodeJS.ErrnoException) => {
    isUnreachable = true;
    onConnect(code ?? message);
    if (waiting !== undefined) return giveUp();
    // Its request is read first, to be counted; the pipe has paused it.
    caller.resume();
    setTimeout(giveUp, LAST_REQUEST_MS).unref();
  };
  old.once('error', failed);
  old.once(old instanceof TLSSocket ? 'secureConnect' : 'connect', () => {
    onConnect(undefined);
    old.off('error', failed).on('error', () => reset(caller));
  });
  old.on('data', (chunk: Buffer) => {
    const text = chunk.toString('latin1').replace(INTERIM, '');
    if (text !== '') settle(Number(STATUS_LINE.exec(text)?.[1]) || undefined);
  });
  old.on('end', () => caller.setTimeout(LINGER_MS, () => caller.destroy()));
  old.on('close', () => {
    if (isUnreachable) return;
    settle(isClosing() ? undefined : 'none');
    // If it ended normally, an answer may still be on its way to the caller.
    if (!old.readableEnded) caller.destroy();
  });
}
