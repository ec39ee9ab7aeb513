import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type ElementStart, plainElementStart, quotedElementStart, readForwardedElement } from './forwarded-element.ts';
import { plainAddress } from './ip-address.ts';
import { type IpNetworks, ipNetworks } from './ip-networks.ts';

/** Maximum length in characters of an IPv6 address with a zone, brackets and a port. */
const LONGEST_ADDRESS = 100;

/** The two ways in which proxies report who called them: `X-Forwarded-For` and `X-Forwarded-Proto`, or `Forwarded` (RFC 7239). */
export type ProxyHeaders = 'x-forwarded' | 'forwarded';

/** The origin of a request. */
export interface RequestOrigin {
  /** IP address of the client: of the connection's peer or, behind trusted proxies, of the last hop that is not one of them. */
  readonly address: string;
  /** Whether it was sent over TLS, to us or to a trusted proxy. */
  readonly secure: boolean;
  /** Whether the connection is from a trusted proxy. */
  readonly viaProxy: boolean;
}

export type OriginOf = (request: IncomingMessage) => RequestOrigin;

/**
 * Determines the origin of requests, once per request, or once per connection if there are no proxies. Every proxy appends to the list that
 * it received, so the list is read from the right, and only as far as trusted proxies wrote it: anyone may have written what is further
 * left.
 */
export function createOriginOf(trustedProxies: readonly string[], headers: ProxyHeaders): OriginOf {
  if (trustedProxies.length === 0) {
    const known = new WeakMap<Socket, RequestOrigin>();
    return ({ socket }) => {
      let origin = known.get(socket);
      if (origin === undefined) {
        origin = { address: addressOf(socket), secure: isEncrypted(socket), viaProxy: false };
        known.set(socket, origin);
      }
      return origin;
    };
  }
  const trusted = ipNetworks(trustedProxies);
  const read = headers === 'forwarded' ? readForwarded : readXForwarded;
  const known = new WeakMap<IncomingMessage, RequestOrigin>();
  return (request) => {
    let origin = known.get(request);
    if (origin === undefined) {
      origin = originBehind(request, trusted, read);
      known.set(request, origin);
    }
    return origin;
  };
}

function originBehind(request: IncomingMessage, trusted: IpNetworks, read: ReadProxyHeaders): RequestOrigin {
  const peer = addressOf(request.socket);
  const encrypted = isEncrypted(request.socket);
  if (!trusted(peer)) return { address: peer, secure: encrypted, viaProxy: false };
  const { list, elementStart, addressIn, scheme } = read(request);
  let address = peer;
  for (let end = list.length; end > 0; ) {
    const start = elementStart(list, end);
    const element = list.slice(start, end).trim();
    end = start - 1;
    if (element === '') continue;
    const hop = addressIn(element);
    // If a proxy hides its caller, its own address is the last one known.
    if (hop === undefined) break;
    address = hop;
    if (!trusted(hop)) break;
  }
  return { address, secure: scheme === 'https' || (scheme === undefined && encrypted), viaProxy: true };
}

const addressOf = ({ remoteAddress = '' }: Socket): string => plainAddress(remoteAddress);

const isEncrypted = (socket: Socket): boolean => (socket as Partial<TLSSocket>).encrypted === true;

/** What proxies report about a request. */
interface ProxyWords {
  /** Comma-separated, from the client's end to ours. */
  readonly list: string;
  readonly elementStart: ElementStart;
  /** The address that an element of the list names; undefined if it is not an address. */
  readonly addressIn: (element: string) => string | undefined;
  /** As reported by the proxy closest to us, in lower case. */
  readonly scheme: string | undefined;
}

type ReadProxyHeaders = (request: IncomingMessage) => ProxyWords;

const readXForwarded: ReadProxyHeaders = ({ headers }) => ({
  list: oneList(headers['x-forwarded-for']),
  elementStart: plainElementStart,
  addressIn: readAddress,
  scheme: lastElement(oneList(headers['x-forwarded-proto']), plainElementStart)?.toLowerCase(),
});

const readForwarded: ReadProxyHeaders = ({ headers }) => {
  const list = oneList(headers.forwarded);
  const last = lastElement(list, quotedElementStart);
  return {
    list,
    elementStart: quotedElementStart,
    addressIn: (element) => readAddress(readForwardedElement(element).for ?? ''),
    scheme: last === undefined ? undefined : readForwardedElement(last).proto?.toLowerCase(),
  };
};

/** Joins a header that was sent several times into one list. */
const oneList = (header: string | readonly string[] | undefined): string =>
  typeof header === 'string' ? header : (header?.join(',') ?? '');

/** The right-most element that is not empty. */
function lastElement(list: string, elementStart: ElementStart): string | undefined {
  for (let end = list.length; end > 0; ) {
    const start = elementStart(list, end);
    const element = list.slice(start, end).trim();
    if (element !== '') return element;
    end = start - 1;
  }
  return undefined;
}

/** `10.0.0.1`, `10.0.0.1:4711`, `fd00::1`, `[fd00::1]`, `[fd00::1]:4711`; undefined for names, `unknown` and the like. */
function readAddress(text: string): string | undefined {
  if (text.length > LONGEST_ADDRESS) return undefined;
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  const address = bracketed ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(address) === 0 ? undefined : plainAddress(address);
}
