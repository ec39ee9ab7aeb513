import type { Random } from '../../test/support/random/random.ts';
import {
  ACTIONS,
  ALL_EDGE_VALUES,
  CONTENT_TYPES,
  EDGE_VALUES,
  EXTRA_HEADERS,
  METHODS,
  ODD_NAMES,
  PATHS,
  TOKENS,
} from './dictionary.ts';
import { bodyOf, type Exchange } from './valid-exchange.ts';

export type HttpMutation = (exchange: Exchange, random: Random) => void;

function withHeader(exchange: Exchange, name: string, value: string | undefined): void {
  const lower = name.toLowerCase();
  exchange.headers = exchange.headers.filter(([key]) => key.toLowerCase() !== lower);
  if (value !== undefined) exchange.headers.push([name, value]);
}

const encoded = (text: string) => encodeURIComponent(text.toWellFormed());

export const HTTP_MUTATIONS: Readonly<Record<string, HttpMutation>> = {
  'content type': (exchange, random) =>
    withHeader(exchange, 'Content-Type', random.oneIn(10) ? undefined : random.pick(CONTENT_TYPES)),
  action: (exchange, random) => withHeader(exchange, 'SOAPAction', random.oneIn(5) ? undefined : random.pick(ACTIONS)),
  'add header': (exchange, random) => {
    const [name = '', value = ''] = random.pick(EXTRA_HEADERS).split(/:(.*)/s);
    exchange.headers.push([name, value]);
  },
  'drop header': (exchange, random) => {
    exchange.headers.splice(random.below(exchange.headers.length), 1);
  },
  'double header': (exchange, random) => {
    if (exchange.headers.length > 0) exchange.headers.push([...random.pick(exchange.headers)]);
  },
  'many headers': (exchange, random) => {
    const count = random.pick([100, 900, 3000]);
    for (let i = 0; i < count; i++) exchange.headers.push([`X-${i}`, '1']);
  },
  method: (exchange, random) => {
    exchange.method = random.pick(METHODS);
  },
  path: (exchange, random) => {
    exchange.path = random.pick(PATHS);
  },
  chunked: (exchange, random) => {
    exchange.framing = 'chunked';
    exchange.chunkSize = random.pick([0, 1, 7, 1000]);
  },
  'told length': (exchange, random) => {
    const length = (exchange.body ?? bodyOf(exchange)).length;
    const near = [length + 1, Math.max(0, length - 1), `0x${length.toString(16)}`, `${length}, ${length}`].map(String);
    exchange.toldLength = random.pick([...near, '0', '-1', '65537', '99999999999999999999', 'abc', '']);
  },
};

export const FORM_MUTATIONS: Readonly<Record<string, HttpMutation>> = {
  'drop field': (exchange, random) => {
    exchange.fields.splice(random.below(Math.max(1, exchange.fields.length)), 1);
  },
  'double field': (exchange, random) => {
    if (exchange.fields.length > 0) exchange.fields.push([...random.pick(exchange.fields)]);
  },
  'rename field': (exchange, random) => {
    if (exchange.fields.length === 0) return;
    const field = random.pick(exchange.fields);
    field[0] = random.pick([field[0].toUpperCase(), field[0].toLowerCase(), '', ...ODD_NAMES.map(encoded)]);
  },
  'add fields': (exchange, random) => {
    const count = random.pick([1, 2, 90, 101, 1000]);
    const name = random.pick(['x', 'centerid', '__proto__', 'a[b]', 'a.b', '']);
    for (let i = 0; i < count; i++) exchange.fields.push([name, '1']);
  },
  'edge field': (exchange, random) => {
    if (exchange.fields.length === 0) return;
    const field = random.pick(exchange.fields);
    const type = exchange.operation.parameters.find((p) => p.name === field[0])?.type ?? 'string';
    const value = random.pick(random.oneIn(6) ? ALL_EDGE_VALUES : EDGE_VALUES[type]);
    field[1] = encoded(value);
  },
  'raw field': (exchange, random) => {
    if (exchange.fields.length === 0) return;
    const field = random.pick(exchange.fields);
    const token = Buffer.from(random.pick(TOKENS)).toString('latin1');
    const at = random.below(field[1].length + 1);
    field[1] = field[1].slice(0, at) + token + field[1].slice(at);
  },
  'reorder fields': (exchange) => {
    exchange.fields.reverse();
  },
};

/** Changes bytes regardless of what they mean. */
export function mutateBytes(bytes: Buffer, random: Random): Buffer {
  if (bytes.length === 0) return Buffer.from(random.pick(TOKENS));
  const at = random.below(bytes.length);
  const length = 1 + random.below(Math.min(40, bytes.length - at));
  const before = bytes.subarray(0, at);
  const after = bytes.subarray(at);
  switch (random.below(7)) {
    case 0: {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] as number) ^ (1 << random.below(8));
      return flipped;
    }
    case 1:
      return Buffer.from(before);
    case 2:
      return Buffer.concat([before, after.subarray(length)]);
    case 3:
      return Buffer.concat([before, after.subarray(0, length), after]);
    case 4:
      return Buffer.concat([before, Buffer.from(random.pick(TOKENS)), after]);
    case 5:
      return Buffer.concat([before, Buffer.from([random.below(256)]), after.subarray(1)]);
    default: {
      const from = random.below(bytes.length);
      return Buffer.concat([before, bytes.subarray(from, from + 1 + random.below(60)), after]);
    }
  }
}
