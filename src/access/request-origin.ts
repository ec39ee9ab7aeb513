import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { type IpNetworks, ipNetworks, isLoopback, plainAddress, subscriberNetwork } from '../vocabulary/ip-address.ts';

export type RequestOrigin = Readonly<ReturnType<typeof originAt>>;

/** The other end of a connection. */
export interface Peer {
  /** As `plainAddress` returns it; a socket that is closed no longer has one. */
  readonly address: string;
  readonly isEncrypted: boolean;
  /** That of all its requests, unless it is a proxy's. */
  origin: RequestOrigin | undefined;
}

/** A request with the end that it is from. */
export interface ArrivedRequest extends IncomingMessage {
  readonly peer: Peer;
}

export type OriginOf = (request: ArrivedRequest) => RequestOrigin;

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
  return (request) => {
    const { peer } = request;
    if (peer.origin !== undefined) return peer.origin;
    const origin = originBehind(request, trusted);
    if (origin.isLocal && !origin.viaProxy && !isReported && PROXY_HEADERS.some((name) => name in request.headers)) {
      isReported = true;
      onUnknownProxy(origin.address);
    }
    if (!origin.viaProxy) peer.origin = origin;
    return origin;
  };
}

function originBehind({ peer, headers }: ArrivedRequest, trusted: IpNetworks): RequestOrigin {
  let { address } = peer;
  const { isEncrypted } = peer;
  if (!trusted(address)) return originAt(address, isEncrypted, false);
  for (const element of elementsFromTheRight(headers['x-forwarded-for'])) {
    const hop = readAddress(element);
    // If a proxy hides its caller, its own address is the last one known.
    if (hop === undefined) break;
    address = hop;
    if (!trusted(hop)) break;
  }
  // As reported by the proxy closest to us.
  const [scheme] = elementsFromTheRight(headers['x-forwarded-proto']);
  return originAt(address, scheme === undefined ? isEncrypted : scheme.toLowerCase() === 'https', true);
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
