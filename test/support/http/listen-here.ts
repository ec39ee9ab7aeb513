import type { Express } from 'express';
import { type HttpServer, listen } from '../../../src/http/http-server.ts';
import type { ConnectionLimits } from '../../../src/http/limit-connections.ts';

const PATIENT: ConnectionLimits = {
  headers: 10_000,
  request: 15_000,
  keepAlive: 65_000,
  stalled: 60_000,
  answer: 60_000,
  most: 10_000,
  mostPerAddress: 0,
  isProxy: () => false,
};

/** Listens on loopback, on a free port unless one is given, without TLS, with the service's own limits unless a test overrides them. */
export const listenHere = (app: Express, limits: Partial<ConnectionLimits> = {}, port = 0): Promise<HttpServer> =>
  listen(app, '127.0.0.1', port, { ...PATIENT, ...limits }, undefined);
