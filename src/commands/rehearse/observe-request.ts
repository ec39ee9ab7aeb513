import { isIP } from 'node:net';
import type { Contract, Operation, Transport } from '../../contract/contract.ts';
import { parseXsdInt } from '../../contract/parameter-values.ts';
import { SOAP_11, SOAP_12 } from '../../transports/soap/soap-versions.ts';
import { readMediaType } from '../../vocabulary/media-type.ts';
import { decodeXmlBytes } from '../../xml/decode-xml-bytes.ts';
import { dateForm, harmlessText } from './harmless-text.ts';
import { type CopiedRequest, headerOf } from './request-tap.ts';

/** What a report may contain about a request: nothing in it identifies a person. */
export interface Observation {
  /** The name in the contract, `(unknown operation)` or `(no call)`. */
  readonly operation: string;
  /** Undefined for WSDL, pages and anything else that is not a call. */
  readonly transport: Transport | undefined;
  readonly program: string;
  /** From the Host header, in lower case, without the port. */
  readonly host: string;
  /** As the caller wrote it, up to the name of the service. */
  readonly path: string;
  /** IP address of the caller, and of the proxy that passed the request on if it says for whom. */
  readonly address: string;
  readonly type: number | undefined;
  /** For a call with `type`: whether it contains a date and a time. */
  readonly hasStart: boolean;
  readonly centerId: number | undefined;
  readonly doctorId: number | undefined;
  readonly dates: readonly { readonly parameter: string; readonly form: string }[];
}

/** Reads what a report needs from any request, including one that the service would refuse. `sentTo`: its target with the old service's path. */
export function createObserveRequest(contract: Contract) {
  const byName = new Map(contract.operations.map((operation) => [operation.name, operation]));
  const endpoint = contract.path.toLowerCase();
  return (request: CopiedRequest, sentTo = request.target): Observation => {
    const [path = '', query = ''] = request.target.split(/\?(.*)/s);
    const isPost = request.method === 'POST';
    const general = {
      program: harmlessText(headerOf(request, 'user-agent') ?? '') || '(none)',
      host: harmlessText(headerOf(request, 'host')?.toLowerCase().replace(/:\d*$/, '') ?? '') || '(none)',
      path: harmlessText(/^[^?]*?\.asmx/i.exec(sentTo)?.[0] ?? '(other)'),
      address: addressOf(request),
    };
    if (isPost && path.toLowerCase() === endpoint) return { ...general, ...observeSoap(request, byName) };
    if (!path.toLowerCase().startsWith(`${endpoint}/`)) return { ...general, ...NO_CALL };
    const fields = new URLSearchParams(isPost ? request.body.toString('utf8') : query);
    const texts = new Map([...fields].reverse().map(([name, text]) => [name.toLowerCase(), text]));
    const operation = byName.get(path.slice(endpoint.length + 1));
    return { ...general, transport: isPost ? 'httpPost' : 'httpGet', ...ofParameters(operation, texts) };
  };
}

const NOTHING = { type: undefined, hasStart: false, centerId: undefined, doctorId: undefined, dates: [] } as const;
const NO_CALL = { ...NOTHING, operation: '(no call)', transport: undefined };

function addressOf(request: CopiedRequest): string {
  const forwarded = headerOf(request, 'x-forwarded-for')?.split(',').at(-1)?.trim() ?? '';
  return isIP(forwarded) === 0 ? request.address : `${forwarded} through ${request.address}`;
}

// There is no `<` within a tag, so that the time is linear whatever a caller sends.
const ENVELOPE = /<(?:[\w.-]+:)?Envelope\s[^<>]*>/;
const BODY = /<(?:[\w.-]+:)?Body(?:\s[^<>]*)?>/;
/** After the start tag of the Body: the name of the first element, whatever its prefix. */
const FIRST_CHILD = /\s*(?:<!--.*?-->\s*)?<(?:[\w.-]+:)?([\w.-]+)/sy;
const LEAF = /<(?:[\w.-]+:)?([\w.-]+)(?:\s[^<>]*)?(?:\/>|>([^<]*)<\/)/g;

function bodyChild(text: string): string {
  const body = BODY.exec(text);
  FIRST_CHILD.lastIndex = body === null ? text.length : body.index + body[0].length;
  return FIRST_CHILD.exec(text)?.[1] ?? '';
}

function observeSoap(request: CopiedRequest, byName: ReadonlyMap<string, Operation>) {
  const { essence, charset } = readMediaType(headerOf(request, 'content-type'));
  const text = bodyText(request.body, charset);
  const [tag = ''] = ENVELOPE.exec(text) ?? [];
  const byType = essence === SOAP_12.mediaType ? SOAP_12 : SOAP_11;
  const version = [SOAP_11, SOAP_12].find(({ envelopeNamespace }) => tag.includes(envelopeNamespace)) ?? byType;
  const leaves = [...text.matchAll(LEAF)].reverse();
  const texts = new Map(leaves.map(([, name = '', value = '']) => [name.toLowerCase(), value]));
  return { transport: version.name, ...ofParameters(byName.get(bodyChild(text)), texts) };
}

/** The text of a body. Bytes that are invalid in their encoding are decoded as Latin-1, in which the markup is the same. */
function bodyText(body: Buffer, charset: string | undefined): string {
  try {
    return decodeXmlBytes(body, charset);
  } catch {
    return body.toString('latin1');
  }
}

/** `texts`: by the names of the parameters, in lower case. */
function ofParameters(operation: Operation | undefined, texts: ReadonlyMap<string, string>) {
  if (operation === undefined) return { ...NOTHING, operation: '(unknown operation)' };
  const dates = operation.parameters
    .filter(({ type }) => type === 'dateTime')
    .map(({ name }) => ({ parameter: name, form: dateForm(texts.get(name.toLowerCase())) }));
  return {
    operation: operation.name,
    type: intOf(texts.get('type')),
    hasStart: texts.has('type') && isMoment(dates),
    centerId: intOf(texts.get('centerid')),
    doctorId: intOf(texts.get('doctorid')),
    dates,
  };
}

/** A date in one of them, and a time in the other. */
const isMoment = (dates: Observation['dates']): boolean =>
  dates.some(({ form }) => form.startsWith('9')) && dates.every(({ form }) => form.includes('9'));

function intOf(text: string | undefined): number | undefined {
  const value = text === undefined ? undefined : parseXsdInt(text.trim());
  return typeof value === 'number' ? value : undefined;
}
