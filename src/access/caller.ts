import type { IncomingMessage } from 'node:http';
import { ANONYMOUS, type Client } from './client.ts';

const callers = new WeakMap<IncomingMessage, Client>();

/** Remembers who was found to be calling. */
export const setCaller = (request: IncomingMessage, client: Client): void => {
  callers.set(request, client);
};

/** Who is calling; anonymous unless somebody was found. */
export const callerOf = (request: IncomingMessage): Client => callers.get(request) ?? ANONYMOUS;
