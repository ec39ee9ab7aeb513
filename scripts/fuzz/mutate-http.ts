import type { Random } from '../../test/support/random/random.ts';
import { ALL_EDGE_VALUES, EDGE_VALUES, ODD_NAMES, TOKENS } from './edge-values.ts';
import { bodyOf, type Exchange } from './valid-exchange.ts';

export type HttpMutation = (exchange: Exchange, random: Random) => void;

const CONTENT_TYPES = [
  'text/xml',
  'text/xml; charset=utf-8',
  'text/xml; charset="utf-8"',
  'TEXT/XML; CHARSET=UTF-8',
  'text/xml; charset=utf-16',
  'text/xml; charset=iso-8859-1',
  'text/xml; charset=us-ascii',
  'text/xml; charset=koi8-r',
  'text/xml; charset=__proto__',
  'text/xml;',
  'text/xml; charset',
  'application/soap+xml',
  'application/soap+xml; action="http://tempuri.org/GetDoctor"',
  'application/soap+xml; action="nothing"; charset=utf-8',
  'application/soap+xml; action=""',
  'application/xml',
  'application/json',
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=iso-8859-1',
  'application/x-www-form-urlencoded; charset=utf-8',
  'multipart/form-data; boundary=x',
  'multipart/related; type="application/xop+xml"',
  '',
  ';',
  '/',
  'text/',
  'text/xml, text/xml',
  `text/xml; a=${'b'.repeat(5000)}`,
  'text/\u00fc',
];

const ACTIONS = [
  '',
  '""',
  '"http://tempuri.org/GetDoctor"',
  'http://tempuri.org/GetDoctor',
  '"http://tempuri.org//GetDoctor"',
  '"http://tempuri.org/Fetch_Details"',
  '"http://tempuri.org/__proto__"',
  '"constructor"',
  '"',
  '"\'"',
  'x'.repeat(4000),
];

const EXTRA_HEADERS: readonly [string, string][] = [
  ['Content-Encoding', 'gzip'],
  ['Content-Encoding', 'identity'],
  ['Content-Encoding', ''],
  ['Accept', 'application/json'],
  ['Accept', 'application/json;q=0.1, text/xml'],
  ['Accept', '*/*'],
  ['Accept', 'x'],
  ['Accept', `${'a/b,'.repeat(1000)}application/json`],
  ['Accept-Encoding', 'gzip, br'],
  ['Accept-Language', 'hi'],
  ['Expect', '100-continue'],
  ['Expect', 'something'],
  ['X-Forwarded-Host', 'evil.example'],
  ['X-Forwarded-Proto', 'https'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['Range', 'bytes=0-1'],
  ['If-None-Match', '*'],
  ['Cookie', 'a=b'],
  ['Authorization', 'Basic !'],
  ['__proto__', 'x'],
  ['constructor', 'x'],
  ['toString', 'x'],
  ['Origin', 'null'],
  ['Idempotency-Key', 'k'],
  ['X', 'y'.repeat(10_000)],
  ['X', 'y'.repeat(20_000)],
  ['X', '\u0001'],
  ['X', '\u00e9'],
  ['Bad Name', 'x'],
  ['Connection', 'close'],
  ['Connection', 'Upgrade'],
  ['Upgrade', 'h2c'],
  ['Transfer-Encoding', 'identity'],
  ['Transfer-Encoding', 'gzip, chunked'],
  ['Content-Length', '5'],
  ['Content-Length', '+5'],
  ['Trailer', 'X'],
  ['Host', 'evil.example'],
  ['Via', '1.1 a'],
];

const METHODS = [
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'TRACE',
  'HEAD',
  'PROPFIND',
  'CONNECT',
  'post',
  'FOO',
  'M-SEARCH',
  'QUERY',
];

const PATHS = [
  '/',
  '//',
  '*',
  '/TPWebServices.asmx',
  '/tpwebservices.asmx',
  '/TPWebServices.asmx/',
  '/TPWebServices.asmx//GetDoctor',
  '/TPWebServices.asmx/GetDoctor/',
  '/TPWebServices.asmx/getdoctor',
  '/TPWebServices.asmx/Get%44octor',
  '/TPWebServices.asmx/Get%2fDoctor',
  '/TPWebServices.asmx/%',
  '/TPWebServices.asmx/%zz',
  '/TPWebServices.asmx/%00',
  '/TPWebServices.asmx/%ff',
  '/TPWebServices.asmx/%F0%9F%98%80',
  '/TPWebServices.asmx/__proto__',
  '/TPWebServices.asmx/constructor',
  '/TPWebServices.asmx/toString',
  '/TPWebServices.asmx/<b>',
  '/TPWebServices.asmx/../TPWebServices.asmx',
  '/TPWebServices.asmx?wsdl',
  '/TPWebServices.asmx?WSDL&x=y',
  '/TPWebServices.asmx?singleWsdl',
  '/TPWebServices.asmx?disco',
  '/TPWebServices.asmx?wsdlfoo',
  '/TPWebServices.asmx?op=GetDoctor',
  '/TPWebServices.asmx?op=<script>',
  '/TPWebServices.asmx?op=%zz',
  '/TPWebServices.asmx?op=__proto__',
  '/TPWebServices.asmx?%ff',
  '/TPWebServices.asmx/GetDoctor?centerid=2',
  '/TPWebServices.asmx;a=b',
  '/%54PWebServices.asmx',
  '/index.html',
  '/../../x',
  'http://evil.example/TPWebServices.asmx',
  'http://localhost/TPWebServices.asmx?wsdl',
  'TPWebServices.asmx',
  '/\u00e9',
  `/${'a'.repeat(9000)}`,
  '',
];

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
    exchange.headers.push([...random.pick(EXTRA_HEADERS)]);
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
    exchange.toldLength = random.pick([
      String(length + 1),
      String(Math.max(0, length - 1)),
      '0',
      '-1',
      `0x${length.toString(16)}`,
      `${length}, ${length}`,
      '65537',
      '99999999999999999999',
      'abc',
      '',
    ]);
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
