import type { IncomingMessage } from 'node:http';
import { ANONYMOUS, type Client } from './client.ts';

const callers = new WeakMap<IncomingMessage, Client>();

/** Remembers which client is calling. */
export const setCaller = (request: IncomingMessage, client: Client): void => {
  callers.set(request, client);
};

/** The client that is calling; anonymous unless one was identified. */
export const callerOf = (request: IncomingMessage): Client => callers.get(request) ?? ANONYMOUS;
