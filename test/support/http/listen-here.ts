import type { Express } from 'express';
import type { ConnectionLimits } from '../../../src/http/connection-limits.ts';
import { type HttpServer, listen } from '../../../src/http/http-server.ts';
import type { TlsMaterial } from '../../../src/http/tls-files.ts';
import { cleanUpLater } from '../clean-up.ts';

const PATIENT: ConnectionLimits = {
  quietMs: 30_000,
  requestMs: 120_000,
  keepAliveMs: 120_000,
  answerMs: 60_000,
  most: 10_000,
  isProxy: () => false,
};

/** Listens on loopback, on a free port, without TLS and with the service's own limits, unless a test says otherwise. */
export async function listenHere(
  app: Express,
  limits: Partial<ConnectionLimits> = {},
  port = 0,
  tls: TlsMaterial | undefined = undefined,
): Promise<HttpServer> {
  const server = await listen(app, { host: '127.0.0.1', port }, { ...PATIENT, ...limits }, tls);
  return { ...server, close: cleanUpLater(() => server.close()) };
}
