import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type IpNetworks, ipNetworks, isLoopback, plainAddress, subscriberNetwork } from '../vocabulary/ip-address.ts';

export type RequestOrigin = Readonly<ReturnType<typeof originAt>>;

export type OriginOf = (request: IncomingMessage) => RequestOrigin;

/** What proxies add to the requests that they pass on. */
const PROXY_HEADERS = ['x-forwarded-for', 'forwarded', 'via'];

/**
 * Determines the origin of requests: once for each connection or, behind a proxy, for each request. Every proxy appends to X-Forwarded-For,
 * so the list is read from the right, and only as far as trusted proxies wrote it: anyone may have written what is further left.
 * `onUnknownProxy` is called once if a proxy on this machine is not trusted: all of its callers then count as this machine.
 */
export function createOriginOf(trustedProxies: readonly string[], onUnknownProxy = (_address: string) => {}): OriginOf {
  const trusted = ipNetworks(trustedProxies);
  let isReported = false;
  /** A connection that is closed no longer has an address. */
  const known = new WeakMap<IncomingMessage | Socket, RequestOrigin>();
  return (request) => {
    let origin = known.get(request.socket) ?? known.get(request);
    if (origin === undefined) {
      origin = originBehind(request, trusted);
      if (origin.isLocal && !origin.viaProxy && !isReported && PROXY_HEADERS.some((name) => name in request.headers)) {
        isReported = true;
        onUnknownProxy(origin.address);
      }
      known.set(origin.viaProxy ? request : request.socket, origin);
    }
    return origin;
  };
}

function originBehind({ socket, headers }: IncomingMessage, trusted: IpNetworks): RequestOrigin {
  let address = plainAddress(socket.remoteAddress ?? '');
  const encrypted = (socket as Partial<TLSSocket>).encrypted === true;
  if (!trusted(address)) return originAt(address, encrypted, false);
  for (const element of elementsFromTheRight(headers['x-forwarded-for'])) {
    const hop = readAddress(element);
    // If a proxy hides its caller, its own address is the last one known.
    if (hop === undefined) break;
    address = hop;
    if (!trusted(hop)) break;
  }
  // As reported by the proxy closest to us.
  const [scheme] = elementsFromTheRight(headers['x-forwarded-proto']);
  return originAt(address, scheme === undefined ? encrypted : scheme.toLowerCase() === 'https', true);
}

/** For an address in the form that `plainAddress` returns. */
export const originAt = (address: string, secure: boolean, viaProxy: boolean) => ({
  /** IP address of the client: of the connection's peer or, behind trusted proxies, of the last hop that is not one of them. */
  address,
  network: subscriberNetwork(address),
  isLocal: isLoopback(address),
  /** Whether it was sent over TLS, to us or to a trusted proxy. */
  secure,
  /** Whether the connection is from a trusted proxy. */
  viaProxy,
});

/** The elements of a comma-separated header that are not empty; a header that was sent several times is one list. */
const elementsFromTheRight = (header: string | readonly string[] = ''): readonly string[] =>
  String(header)
    .split(',')
    .map((element) => element.trim())
    .filter((element) => element !== '')
    .reverse();

/** `10.0.0.1`, `10.0.0.1:4711`, `fd00::1`, `[fd00::1]`, `[fd00::1]:4711`; undefined for names, `unknown` and the like. */
function readAddress(text: string): string | undefined {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  const address = bracketed ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(address) === 0 ? undefined : plainAddress(address);
}
