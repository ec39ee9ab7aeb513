import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../access/ip-address.ts';

const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/**
 * Whether a request comes from a program on this machine that acts for itself. A reverse proxy on this machine also connects from here, but
 * on behalf of anyone. Its headers and the host name that it requests usually reveal that. nginx with its default settings sends no such
 * header and requests the address that it connects to, but in HTTP/1.0.
 */
export const isLocalCaller = ({ socket, headers, httpVersion }: IncomingMessage): boolean =>
  httpVersion !== '1.0' &&
  isLoopback(socket.remoteAddress ?? '') &&
  isLoopback(headers.host?.replace(/:\d+$/, '') ?? '') &&
  PROXY_HEADERS.every((name) => headers[name] === undefined);
