import type { Contract, Operation, Transport } from '../../contract/contract.ts';
import { parseXsdInt } from '../../contract/parameter-values.ts';
import { readMediaType } from '../../transports/media-type.ts';
import { actionOfHeader } from '../../transports/soap/soap-action.ts';
import { SOAP_12, versionOfEnvelope } from '../../transports/soap/soap-versions.ts';
import { decodeXmlBytes } from '../../xml/decode-xml-bytes.ts';
import { dateForm, harmlessText } from './harmless-text.ts';
import { headerOf, type RecordedRequest } from './recorded-request.ts';

/** What a report may contain about a request: nothing in it identifies a person. */
export interface Observation {
  /** The name in the contract, or one of UNKNOWN_OPERATION and NO_OPERATION. */
  readonly operation: string;
  /** Undefined for WSDL, pages and anything else that is not a call. */
  readonly transport: Transport | undefined;
  /** User-Agent. */
  readonly program: string;
  /** Of a body, with its charset. */
  readonly contentType: string | undefined;
  /** Over SOAP 1.1 only. */
  readonly soapAction: string | undefined;
  /** Parameter `type`. */
  readonly type: number | undefined;
  /** For a call with `type`: whether it contains a date and a time. */
  readonly hasStart: boolean;
  readonly centerId: number | undefined;
  readonly doctorId: number | undefined;
  readonly dates: readonly DateSeen[];
}

interface DateSeen {
  readonly parameter: string;
  readonly form: string;
}

const UNKNOWN_OPERATION = '(unknown operation)';
const NO_OPERATION = '(no call)';

/** Reads what a report needs from any request, including one that the service would refuse. */
export type ObserveRequest = (request: RecordedRequest) => Observation;

export function createObserveRequest(contract: Contract): ObserveRequest {
  const byName = new Map(contract.operations.map((operation) => [operation.name, operation]));
  const endpoint = contract.path.toLowerCase();
  return (request) => {
    const { path, query } = splitTarget(request.target);
    const userAgent = headerOf(request, 'user-agent') ?? '';
    const program = userAgent === '' ? '(none)' : harmlessText(userAgent);
    const contentType = request.method === 'GET' ? undefined : contentTypeOf(request);
    const lower = path.toLowerCase();
    if (lower === endpoint && request.method === 'POST') {
      return { program, contentType, ...observeSoap(request, byName) };
    }
    if (lower.startsWith(`${endpoint}/`)) {
      const operation = byName.get(path.slice(endpoint.length + 1));
      const isPost = request.method === 'POST';
      const fields = new URLSearchParams(isPost ? Buffer.from(request.body).toString('utf8') : query);
      const texts = new Map([...fields].reverse().map(([name, text]) => [name.toLowerCase(), text]));
      const transport = isPost ? 'httpPost' : 'httpGet';
      return { program, contentType, transport, soapAction: undefined, ...ofParameters(operation, texts) };
    }
    return { ...NOTHING, operation: NO_OPERATION, transport: undefined, program, contentType, soapAction: undefined };
  };
}

const NOTHING = { type: undefined, hasStart: false, centerId: undefined, doctorId: undefined, dates: [] } as const;

function splitTarget(target: string): { readonly path: string; readonly query: string } {
  // A proxy may receive a whole URL. Source: RFC 9112, 3.2.2.
  const origin = target.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = origin.indexOf('?');
  return mark === -1 ? { path: origin, query: '' } : { path: origin.slice(0, mark), query: origin.slice(mark + 1) };
}

function contentTypeOf(request: RecordedRequest): string {
  const header = headerOf(request, 'content-type');
  if (header === undefined) return '(none)';
  const { essence, charset } = readMediaType(header);
  return harmlessText(charset === undefined ? essence || header : `${essence}; charset=${charset}`);
}

// There is no `<` within a tag, so that the time is linear whatever a caller sends.
const BODY = /<(?:[\w.-]+:)?Body(?:\s[^<>]*)?>/;
const SPACE_AND_COMMENT = /\s*(?:<!--.*?-->\s*)?/sy;
const START_TAG = /<(?:[\w.-]+:)?([\w.-]+)/y;
const ENVELOPE = /<(?:([\w.-]+):)?Envelope\s[^<>]*>/;

/** The name of the first element of the Body, whatever its prefix; empty if there is none. */
function bodyChild(text: string): string {
  const body = BODY.exec(text);
  if (body === null) return '';
  SPACE_AND_COMMENT.lastIndex = body.index + body[0].length;
  SPACE_AND_COMMENT.exec(text);
  START_TAG.lastIndex = SPACE_AND_COMMENT.lastIndex;
  return START_TAG.exec(text)?.[1] ?? '';
}

function observeSoap(request: RecordedRequest, byName: ReadonlyMap<string, Operation>) {
  const { essence, charset } = readMediaType(headerOf(request, 'content-type'));
  const text = textOf(request.body, charset);
  const [tag = '', prefix] = ENVELOPE.exec(text) ?? [];
  const namespace = new RegExp(`xmlns${prefix === undefined ? '' : `:${prefix}`}\\s*=\\s*["']([^"']*)["']`).exec(
    tag,
  )?.[1];
  const byType = essence === SOAP_12.mediaType ? 'soap12' : 'soap11';
  const transport: Transport = versionOfEnvelope(namespace ?? '')?.name ?? byType;
  const operation = byName.get(bodyChild(text));
  const texts = new Map(
    (operation?.parameters ?? []).flatMap(({ name }) => {
      const value = new RegExp(`<(?:[\\w.-]+:)?${name}(?:\\s[^<>]*)?>([^<]*)</`).exec(text)?.[1];
      const isEmpty = value === undefined && new RegExp(`<(?:[\\w.-]+:)?${name}(?:\\s[^<>]*)?/>`).test(text);
      return value === undefined && !isEmpty ? [] : [[name.toLowerCase(), value ?? ''] as const];
    }),
  );
  const soapAction = transport === 'soap11' ? actionText(headerOf(request, 'soapaction')) : undefined;
  return { transport, soapAction, ...ofParameters(operation, texts) };
}

/** The text of a body. Bytes that are invalid in their encoding are decoded as Latin-1, in which the markup is the same. */
function textOf(body: Uint8Array, charset: string | undefined): string {
  const bytes = Buffer.from(body);
  try {
    return decodeXmlBytes(bytes, charset);
  } catch {
    return bytes.toString('latin1');
  }
}

function actionText(header: string | undefined): string {
  const action = actionOfHeader(header);
  if (action === undefined) return '(none)';
  return action === '' ? '(empty)' : harmlessText(action);
}

/** `texts`: by the names of the parameters, in lower case. */
function ofParameters(operation: Operation | undefined, texts: ReadonlyMap<string, string>) {
  if (operation === undefined) return { ...NOTHING, operation: UNKNOWN_OPERATION };
  const dates = operation.parameters
    .filter(({ type }) => type === 'dateTime')
    .map(({ name }) => ({ parameter: name, form: formOf(texts.get(name.toLowerCase())) }));
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
const isMoment = (dates: readonly DateSeen[]): boolean =>
  dates.some(({ form }) => form.startsWith('9')) && dates.every(({ form }) => form.includes('9'));

const formOf = (text: string | undefined): string => (text === undefined ? 'missing' : dateForm(text));

function intOf(text: string | undefined): number | undefined {
  const value = text === undefined ? undefined : parseXsdInt(text.trim());
  return typeof value === 'number' ? value : undefined;
}
