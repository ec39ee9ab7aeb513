import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { openFile } from '../../../src/store/sqlite/database-file.ts';
import type { Figure } from './figures.ts';
import type { Setting } from './setting.ts';

const LONGEST_STOP = 10_000;
/** Longer than the service waits for its database. */
const LIMIT = 15_000;

/** A gateway that accepts connections and never answers. */
export interface SilentGateway {
  readonly url: string;
  /** Resolves when a message is being sent to it. */
  readonly asked: Promise<unknown>;
  close(): void;
}

export async function silentGateway(): Promise<SilentGateway> {
  const sockets = new Set<Socket>();
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('data', () => resolve());
    socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** SIGTERM while everything that a stop waits for hangs: a call whose body never ends, a silent gateway, a locked database. */
export async function worstStop({ service, database }: Setting, gateway: SilentGateway): Promise<Figure> {
  await service.start();
  const message = { Mobileno: '9845012345', Message: 'Namaste', tempid: '0', SMSmode: '0' };
  const answer = await fetch(`http://127.0.0.1:${service.port}/TPWebServices.asmx/Sent_SMS`, {
    method: 'POST',
    body: new URLSearchParams(message),
    headers: { Connection: 'close' },
  });
  const late = AbortSignal.timeout(LIMIT);
  await Promise.race([gateway.asked, once(late, 'abort')]);
  if (late.aborted || answer.status !== 200) throw new Error(`no message is on its way: ${answer.status}`);
  const caller = connect(service.port, '127.0.0.1');
  caller.on('error', () => {});
  caller.write(
    'POST /TPWebServices.asmx HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/xml\r\nContent-Length: 9\r\n\r\n<',
  );
  await once(caller, 'connect');
  const stranger = database.kind === 'sqlite' ? openFile(database.path) : undefined;
  stranger?.exec('BEGIN IMMEDIATE');
  try {
    const { code, milliseconds } = await service.stop();
    return {
      what: 'SIGTERM while a call, the gateway and the database hang',
      figures: { 'exit code': code ?? 'none', 'end in ms': milliseconds },
      ok: code === 0 && milliseconds < LONGEST_STOP,
    };
  } finally {
    stranger?.close();
    caller.destroy();
  }
}
