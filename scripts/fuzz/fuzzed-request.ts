import type { Contract, Transport } from '../../src/contract/contract.ts';
import { Random } from '../../test/support/random/random.ts';
import { FORM_MUTATIONS, HTTP_MUTATIONS, mutateBytes } from './mutate-http.ts';
import { XML_MUTATIONS } from './mutate-xml.ts';
import { bodyOf, type Exchange, encode, validExchange } from './valid-exchange.ts';

export interface FuzzedRequest {
  readonly bytes: Buffer;
  /** Of the exchange that it was made from. */
  readonly transport: Transport;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** What was done to it, in order. */
  readonly mutations: readonly string[];
  /** True if the bytes are one whole HTTP request, so that the connection can be used again. */
  readonly isWhole: boolean;
}

const FRAMING = ['content-length', 'transfer-encoding', 'connection', 'upgrade', 'trailer', 'expect', 'host'];

/** The request with this number in a run: the same seed, number and days produce the same bytes. */
export function fuzzedRequest(
  contract: Contract,
  seed: number,
  number: number,
  days: readonly string[],
): FuzzedRequest {
  const random = new Random(Math.imul(seed, 0x9e3779b1) + number);
  const exchange = validExchange(contract, random, days);
  const rounds = random.pick([0, 1, 1, 1, 1, 2, 2, 3]);
  for (let round = 0; round < rounds; round++) mutate(exchange, random);
  let bytes = encode(exchange);
  let isWhole = isWholeRequest(exchange);
  if (random.oneIn(40)) {
    exchange.mutations.push('bytes of the request');
    bytes = mutateBytes(bytes, random);
    isWhole = false;
  }
  const { transport, method, path, headers, mutations } = exchange;
  return { bytes, transport, method, path, headers, mutations, isWhole };
}

function mutate(exchange: Exchange, random: Random): void {
  const { envelope } = exchange;
  const kind = random.below(10);
  const pick = <Mutation>(mutations: Readonly<Record<string, Mutation>>): Mutation => {
    const name = random.pick(Object.keys(mutations));
    exchange.mutations.push(name);
    return mutations[name] as Mutation;
  };
  if (kind < 2) pick(HTTP_MUTATIONS)(exchange, random);
  else if (kind < 4 && exchange.transport !== 'httpGet') {
    exchange.mutations.push('bytes of the body');
    exchange.body = mutateBytes(exchange.body ?? bodyOf(exchange), random);
  } else if (envelope !== undefined) pick(XML_MUTATIONS)(exchange, envelope, random);
  else pick(FORM_MUTATIONS)(exchange, random);
}

function isWholeRequest(exchange: Exchange): boolean {
  const { method, path, headers, fields, transport, toldLength, framing } = exchange;
  if (toldLength !== undefined || !/^(GET|POST|PUT|DELETE|PATCH|OPTIONS|TRACE|HEAD|PROPFIND)$/.test(method))
    return false;
  const target = path + (transport === 'httpGet' ? fields.flat().join('') : '');
  if (!/^[/][!-~]*$/.test(target) || target.length > 8000) return false;
  if (framing === 'chunked' && method !== 'POST') return false;
  // Exactly one Host, no other header that determines where the request ends, and fewer headers than the service refuses.
  if (headers.filter(([name]) => name === 'Host').length !== 1 || headers.length > 90) return false;
  if (headers.some(([name]) => name !== 'Host' && FRAMING.includes(name.toLowerCase()))) return false;
  const size = headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  return (
    size < 8000 && headers.every(([name, value]) => /^[\w-]+$/.test(name) && /^[\t -~\u0080-\u00ff]*$/.test(value))
  );
}
