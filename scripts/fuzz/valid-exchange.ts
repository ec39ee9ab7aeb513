import {
  type Contract,
  type Operation,
  type Parameter,
  TRANSPORTS,
  type Transport,
} from '../../src/contract/contract.ts';
import { SOAP_11, SOAP_12 } from '../../src/transports/soap/soap-versions.ts';
import type { Random } from '../../test/support/random/random.ts';

/** An XML element that can be modified. Text is in `children` as strings that are already escaped. */
export interface Element {
  name: string;
  /** As they are written: `name="value"`. */
  attributes: string[];
  children: (Element | string)[];
}

/** A request that can be modified; `encode` converts it to bytes. */
export interface Exchange {
  readonly operation: Operation;
  readonly transport: Transport;
  method: string;
  path: string;
  /** Query or form fields, already encoded. */
  fields: [name: string, value: string][];
  headers: [name: string, value: string][];
  /** For SOAP. */
  envelope: Element | undefined;
  /** Text before the root element. */
  prolog: string;
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin1';
  /** Overrides the result of envelope or fields. */
  body: Buffer | undefined;
  /** How the body's length is declared. */
  framing: 'length' | 'chunked';
  /** The declared length, if it isn't the true one. */
  toldLength: string | undefined;
  /** Sizes of chunks, if chunked. */
  chunkSize: number;
  /** What was done to it. */
  readonly mutations: string[];
}

/** A call of the operation as a correct client writes it; the values are chosen so that some succeed, some repeat and some are refused. */
export function validExchange(contract: Contract, random: Random, days: readonly string[]): Exchange {
  const operation = random.pick(contract.operations);
  const transport = random.pick(TRANSPORTS);
  const values = operation.parameters.map((p): [string, string] => [p.name, validValue(p, random, days)]);
  const isSoap = transport === 'soap11' || transport === 'soap12';
  const exchange: Exchange = {
    operation,
    transport,
    method: transport === 'httpGet' ? 'GET' : 'POST',
    path: isSoap ? contract.path : `${contract.path}/${operation.name}`,
    fields: isSoap ? [] : values.map(([name, value]) => [name, encodeURIComponent(value)]),
    headers: [['Host', 'localhost']],
    envelope: undefined,
    prolog: random.oneIn(2) ? '<?xml version="1.0" encoding="utf-8"?>' : '',
    encoding: 'utf-8',
    body: undefined,
    framing: 'length',
    toldLength: undefined,
    chunkSize: 0,
    mutations: [],
  };
  const version = transport === 'soap12' ? SOAP_12 : SOAP_11;
  if (isSoap) {
    exchange.envelope = envelopeOf(contract, operation, values, version.envelopeNamespace);
    exchange.headers.push(['Content-Type', version.contentType]);
    if (transport === 'soap11') exchange.headers.push(['SOAPAction', `"${operation.soapAction}"`]);
  } else if (transport === 'httpPost') {
    exchange.headers.push(['Content-Type', 'application/x-www-form-urlencoded']);
  }
  if (!isSoap && random.oneIn(4)) exchange.headers.push(['Accept', 'application/json']);
  return exchange;
}

function envelopeOf(contract: Contract, operation: Operation, values: Exchange['fields'], namespace: string): Element {
  const parameters = values.map(([name, value]) => ({ name, attributes: [], children: [escapeText(value)] }));
  const call = { name: operation.name, attributes: [`xmlns="${contract.namespace}"`], children: parameters };
  const body = { name: 'soap:Body', attributes: [], children: [call] };
  return { name: 'soap:Envelope', attributes: [`xmlns:soap="${namespace}"`], children: [body] };
}

export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const NAMES = ['Asha Rao', 'आशा राव', 'José Müller', '王小明', "O'Brien & Sons <ltd>", '😀 Ravi'];

function validValue({ name, type }: Parameter, random: Random, days: readonly string[]): string {
  const key = name.toLowerCase();
  if (type === 'dateTime') {
    const minutes = random.below(24 * 4) * 15;
    const time = `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}:00`;
    return `${random.pick(days)}T${time}${random.pick(['', '', '', 'Z', '+05:30', '-08:00'])}`;
  }
  if (type === 'int') {
    if (key === 'centerid') return random.pick(['1', '1', '1', '2', '3']);
    if (key === 'doctorid') return String(100 * (1 + random.below(2)) + 1 + random.below(random.oneIn(10) ? 20 : 5));
    if (key === 'appointmentid') return String(1 + random.below(2000));
    if (key === 'type') return String(random.below(8));
    if (key === 'tempid') return '0';
    return String(random.below(5));
  }
  switch (key) {
    case 'name':
      return `${random.pick(NAMES)} ${random.below(500)}`;
    case 'sex':
      return random.pick(['M', 'F', 'O', 'U', 'female', '', 'X']);
    case 'age':
      return random.pick(['34', '6M', '2Y 6M', '', '34 years']);
    case 'email':
      return random.pick(['asha@example.org', '', 'a@b.in']);
    case 'contactnumber':
    case 'mobileno':
    case 'moblieno':
      return random.pick(['9845012345', '+919845012345', '098450 12345', `98450${10000 + random.below(89999)}`]);
    case 'registrationnumber':
      return random.pick(['', `MR-${random.below(3000)}`]);
    default:
      return `${random.pick(['Ward', 'ward', 'Neu', 'क्षेत्र', 'a b', '€{}'])} ${random.below(1000)}`;
  }
}

const pad = (n: number) => String(n).padStart(2, '0');

/** The element as XML. */
function writeElement({ name, attributes, children }: Element): string {
  const start = [name, ...attributes].join(' ');
  if (children.length === 0) return `<${start}/>`;
  return `<${start}>${children.map((c) => (typeof c === 'string' ? c : writeElement(c))).join('')}</${name}>`;
}

/** The bytes as they are sent. */
export function encode(exchange: Exchange): Buffer {
  const body = exchange.body ?? bodyOf(exchange);
  const isGet = exchange.transport === 'httpGet';
  const query = isGet && exchange.fields.length > 0 ? `?${formOf(exchange)}` : '';
  const lines = exchange.headers.map(([name, value]) => `${name}: ${value}`);
  const chunked = exchange.framing === 'chunked';
  if (chunked) lines.push('Transfer-Encoding: chunked');
  else if (body.length > 0 || exchange.toldLength !== undefined || !isGet) {
    lines.push(`Content-Length: ${exchange.toldLength ?? body.length}`);
  }
  const head = `${exchange.method} ${exchange.path}${query} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
  return Buffer.concat([
    Buffer.from(head, 'latin1'),
    chunked ? inChunks(body, exchange.chunkSize || body.length || 1) : body,
  ]);
}

const formOf = ({ fields }: Exchange) => fields.map(([name, value]) => `${name}=${value}`).join('&');

export function bodyOf(exchange: Exchange): Buffer {
  const { envelope, prolog, encoding } = exchange;
  if (envelope === undefined)
    return exchange.transport === 'httpPost' ? Buffer.from(formOf(exchange)) : Buffer.alloc(0);
  const text = prolog + writeElement(envelope);
  switch (encoding) {
    case 'latin1':
      return Buffer.from(text, 'latin1');
    case 'utf-16le':
      return Buffer.from(`\ufeff${text}`, 'utf16le');
    case 'utf-16be':
      return Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
    default:
      return Buffer.from(text, 'utf8');
  }
}

function inChunks(body: Buffer, size: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) {
    const chunk = body.subarray(at, at + size);
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
  }
  parts.push(Buffer.from('0\r\n\r\n'));
  return Buffer.concat(parts);
}
