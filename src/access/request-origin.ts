import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { plainAddress } from './ip-address.ts';
import { ipNetworks } from './ip-networks.ts';

/** The two ways in which proxies say who called them: `X-Forwarded-For` and `X-Forwarded-Proto`, or `Forwarded` (RFC 7239). */
export type ProxyHeaders = 'x-forwarded' | 'forwarded';

/** Where a request comes from. */
export interface RequestOrigin {
  /** IP address of the client: of the connection's other end, or, behind trusted proxies, of the last one that none of them is. */
  readonly address: string;
  /** It came over TLS, to us or to a trusted proxy. */
  readonly secure: boolean;
  /** The connection is a trusted proxy's. */
  readonly viaProxy: boolean;
}

export type OriginOf = (request: IncomingMessage) => RequestOrigin;

/**
 * Reads where requests come from. Every proxy adds to the right of what it was sent, so the list is read from there, and only as far
 * as trusted proxies wrote it: what stands further left is anybody's.
 */
export function createOriginOf(trustedProxies: readonly string[], headers: ProxyHeaders): OriginOf {
  if (trustedProxies.length === 0) {
    return ({ socket }) => ({ address: addressOf(socket), secure: isEncrypted(socket), viaProxy: false });
  }
  const trusted = ipNetworks(trustedProxies);
  const hopsOf = headers === 'forwarded' ? forwardedHops : xForwardedHops;
  return (request) => {
    const peer = addressOf(request.socket);
    const encrypted = isEncrypted(request.socket);
    if (!trusted(peer)) return { address: peer, secure: encrypted, viaProxy: false };
    const hops = hopsOf(request);
    let address = peer;
    for (const hop of hops.addresses.toReversed()) {
      // A proxy that hides who called it leaves its own address as the last thing known.
      if (hop === undefined) break;
      address = hop;
      if (!trusted(hop)) break;
    }
    return { address, secure: hops.scheme === 'https' || (hops.scheme === undefined && encrypted), viaProxy: true };
  };
}

const addressOf = ({ remoteAddress = '' }: Socket): string => plainAddress(remoteAddress);

const isEncrypted = (socket: Socket): boolean => (socket as Partial<TLSSocket>).encrypted === true;

interface Hops {
  /** From the client's end to ours; undefined for what is no address. */
  readonly addresses: readonly (string | undefined)[];
  /** As the proxy next to us says; lower case. */
  readonly scheme: string | undefined;
}

function xForwardedHops({ headers }: IncomingMessage): Hops {
  return {
    addresses: listOf(headers['x-forwarded-for']).map(readAddress),
    scheme: listOf(headers['x-forwarded-proto']).at(-1)?.toLowerCase(),
  };
}

/** Source: RFC 7239, 4. */
function forwardedHops({ headers }: IncomingMessage): Hops {
  const elements = listOf(headers.forwarded).map(
    (element) =>
      new Map(
        [...element.matchAll(/([\w-]+)=(?:"([^"]*)"|([^;\s"]*))/g)].map(([, name = '', quoted, plain]) => [
          name.toLowerCase(),
          quoted ?? plain ?? '',
        ]),
      ),
  );
  return {
    addresses: elements.map((element) => readAddress(element.get('for') ?? '')),
    scheme: elements.at(-1)?.get('proto')?.toLowerCase(),
  };
}

/** A header that is a list; one that was sent several times is one list. Quotes hold no comma in what is read here. */
function listOf(header: string | readonly string[] | undefined): readonly string[] {
  if (header === undefined) return [];
  return (typeof header === 'string' ? header : header.join(','))
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** `10.0.0.1`, `10.0.0.1:4711`, `fd00::1`, `[fd00::1]`, `[fd00::1]:4711`; undefined for names, `unknown` and the like. */
function readAddress(text: string): string | undefined {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  const address = bracketed ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(address) === 0 ? undefined : plainAddress(address);
}
