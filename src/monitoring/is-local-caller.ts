import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../access/ip-address.ts';

const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/**
 * Whether a request comes from a program of this machine that asks for itself. A reverse proxy on this machine comes from there too, for
 * anybody: its headers and the name that it was asked for tell it apart, mostly. nginx, left as it is, has no such header and asks for the
 * address that it calls, but in HTTP/1.0.
 */
export const isLocalCaller = ({ socket, headers, httpVersion }: IncomingMessage): boolean =>
  httpVersion !== '1.0' &&
  isLoopback(socket.remoteAddress ?? '') &&
  isLoopback(headers.host?.replace(/:\d+$/, '') ?? '') &&
  PROXY_HEADERS.every((name) => headers[name] === undefined);
