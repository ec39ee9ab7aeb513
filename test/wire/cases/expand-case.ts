import { RESULT_CODES } from '../../../src/vocabulary/result-codes.ts';
import { oneOf } from '../../../src/vocabulary/text.ts';
import { ownContract } from '../contract/own-wsdl.ts';
import { ANY_CALL, escapeXml, readParameters, usualCallOf, usualRecord } from './usual-call.ts';

/** What a file's `over:` line may list. */
const OVER = {
  'soap-1.1': { title: 'SOAP 1.1', type: 'text/xml', envelope: 'http://schemas.xmlsoap.org/soap/envelope/' },
  'soap-1.2': { title: 'SOAP 1.2', type: 'application/soap+xml', envelope: 'http://www.w3.org/2003/05/soap-envelope' },
  'http-get': { title: 'HTTP GET', type: '' },
  'http-post': { title: 'HTTP POST', type: 'application/x-www-form-urlencoded' },
} as const;

export type CaseTransport = keyof typeof OVER;
export const CASE_TRANSPORTS = Object.keys(OVER) as readonly CaseTransport[];
type SoapTransport = 'soap-1.1' | 'soap-1.2';

/** What the sections of one case share. */
interface Context {
  readonly transport: CaseTransport;
  /** The namespace of the deployment. */
  readonly namespace: string;
  /** The operation of the last call. */
  operation: string;
  /** Every call so far was one as usual, or any call. */
  isUsual: boolean;
}

/** A section in short form. */
interface Short {
  /** What follows the section's name: `fault 500 Client Code`. */
  readonly words: readonly string[];
  /** What follows the first comma, separated by commas. */
  readonly options: readonly string[];
  /** Header lines, each with its line break. */
  readonly headers: string;
  readonly content: string;
}

/** The status of a form's refusal, by ResultCode. `test/unit/vocabulary/result-codes.test.ts` lists them independently of the code. */
const REFUSAL_STATUSES: ReadonlyMap<string, number> = new Map(
  Object.values(RESULT_CODES).map(({ number, status }) => [String(number), status]),
);

/** The case once for each row of the table below its title, in which a column's name in braces stands for the row's value. */
export function rowsOf(text: string): readonly string[] {
  const table = [...(text.split(/^=== /m, 1)[0] ?? '').matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) =>
    row.split(' | ').map((cell) => cell.trim()),
  );
  const [names, ...rows] = table;
  if (names === undefined) return [text];
  const rest = text.replaceAll(/^\| .*\n/gm, '');
  return rows.map((cells) => {
    if (cells.length !== names.length) throw new Error(`a row has other columns: ${cells.join(' | ')}`);
    return names.reduce((filled, name, index) => filled.replaceAll(`{${name}}`, cells[index] ?? ''), rest);
  });
}

/** The transports of a case; undefined if its requests are written for one only. */
export function transportsOf(text: string): readonly CaseTransport[] | undefined {
  const listed = /^over: (.+)$/m.exec(text.split(/^=== /m, 1)[0] ?? '')?.[1]?.split(', ');
  const unknown = listed?.find((name) => !Object.hasOwn(OVER, name));
  if (unknown !== undefined) throw new Error(`there is no transport "${unknown}"`);
  return listed as CaseTransport[] | undefined;
}

/** The case as it reads for one of its transports: every section in short form becomes a request or an answer as it is sent. */
export function expandCase(text: string, transport: CaseTransport): string {
  const [top = '', ...sections] = text.split(/^=== /m);
  const namespace = /^NAMESPACE=(.*)$/m.exec(top)?.[1] ?? 'http://tempuri.org/';
  const context: Context = { transport, namespace, operation: '', isUsual: true };
  return [top.replace(/^over: .*\n/m, ''), ...sections.map((section) => expandSection(context, section))]
    .join('=== ')
    .replaceAll('{operations}', ownContract.operations.map(({ name }) => name).join(', '))
    .replace(/\{parameters of (\w+)\}/g, (_, operation) => oneOf(parametersOf(operation)))
    .replaceAll('{transport}', OVER[transport].title)
    .replaceAll('{type}', OVER[transport].type)
    .replaceAll('{envelope}', isSoap(transport) ? OVER[transport].envelope : '');
}

function expandSection(context: Context, section: string): string {
  const end = section.indexOf('\n');
  const [kind = '', ...options] = section.slice(0, end).split(', ');
  const [name = '', ...words] = kind.split(' ');
  const short = { words, options, ...headersAndContent(section.slice(end + 1).replace(/\n+$/, ''), name === 'any') };
  switch (name) {
    case 'any':
      return words[0] === 'call' ? anyCall(context, short) : anyAnswer(context, short);
    case 'call':
      context.operation = words[0] ?? '';
      context.isUsual &&= options.includes('as usual');
      return call(context, short);
    case 'soap':
      context.operation = operationIn(short.content);
      context.isUsual = false;
      return soapRequest(context, '', short);
    case 'record':
      return record(context, short);
    case 'fault':
      return fault(context, short);
    case 'refusal':
      return refusal(context, short);
    default:
      context.isUsual &&= name === 'answer' || name === 'not';
      return section;
  }
}

function anyCall(context: Context, short: Short): string {
  context.operation = ANY_CALL.operation;
  const parameters = ANY_CALL.parameters.map((pair) => pair.join(': ')).join('\n');
  return call(context, { ...short, content: `${parameters}\n${short.content}` });
}

/** Success in the right version and namespace, and something of the content. */
function anyAnswer({ transport, namespace }: Context, { headers }: Short): string {
  const type = isSoap(transport) ? OVER[transport].type : 'text/xml';
  const root = isSoap(transport) ? `${ANY_CALL.operation}Response` : typeOf(ANY_CALL.operation);
  const lines = [`<${root} xmlns="${namespace}">`, ANY_CALL.shows, ...(isSoap(transport) ? ['{envelope}'] : [])];
  return section('answer 200', ['in part'], `Content-Type: ${type}; charset=utf-8\n${headers}`, lines.join('\n'));
}

const isSoap = (transport: CaseTransport): transport is SoapTransport => transport.startsWith('soap');

/** Header lines stand before an empty line, and `alone` also before nothing: then the content has no lines of that form. */
export function headersAndContent(text: string, alone = false): { readonly headers: string; readonly content: string } {
  const match = /^((?:[A-Z][\w-]*:(?: .*)?\n)+)(?:\n([\s\S]*))?$/i.exec(`${text}\n`);
  if (match === null || (match[2] === undefined && !alone)) return { headers: '', content: text };
  return { headers: match[1] ?? '', content: (match[2] ?? '').slice(0, -1) };
}

const section = (kind: string, options: readonly string[], head: string, body: string): string =>
  `${[kind, ...options].join(', ')}\n${head}${body === '' ? '' : `\n${body}\n`}\n`;

/** Header lines, without those of `usual` that `given` has too. */
export const withUsual = (usual: readonly string[], given: string): string =>
  usual
    .filter((line) => !new RegExp(`^${line.slice(0, line.indexOf(':'))}:`, 'm').test(given))
    .map((line) => `${line}\n`)
    .join('') + given;

function call(context: Context, { options, headers, content }: Short): string {
  const { transport, namespace, operation } = context;
  const usual = options.includes('as usual') ? usualCallOf(operation).parameters : [];
  const values = new Map([...usual, ...readParameters(content)]);
  const others = options.filter((option) => option !== 'as usual' && option !== 'as markup');
  if (isSoap(transport)) {
    const written = options.includes('as markup') ? (value: string) => value : escapeXml;
    const parameters = [...values].map(([name, value]) => `<${name}>${written(value)}</${name}>`).join('');
    const body = `<${operation} xmlns="${namespace}">${parameters}</${operation}>`;
    const action = `SOAPAction: "${namespace}${namespace.endsWith('/') ? '' : '/'}${operation}"`;
    return soapRequest(context, action, { words: [], options: others, headers, content: body });
  }
  const form = [...values].map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
  const path = '/TPWebServices.asmx';
  if (transport === 'http-get') {
    return section(`GET ${path}/${operation}?${form}`, others, headers, '');
  }
  const type = 'Content-Type: application/x-www-form-urlencoded';
  return section(`POST ${path}/${operation}`, others, withUsual([type], headers), form);
}

const HEADER = /^<soap:Header>[^]*<\/soap:Header>\n/;
const withoutHeader = (content: string): string => content.replace(HEADER, '');

/** The name of the first element in the Body, given a whole message or what is in its Body. */
const operationIn = (content: string): string =>
  (/<(?:\w+:)?Body\b[^>]*>\s*<(?:\w+:)?([\w.-]+)/.exec(content) ??
    /^\s*<(?:\w+:)?([\w.-]+)/.exec(withoutHeader(content)))?.[1] ?? '';

/** `words`: `message` if the content is the whole message. `action`: the header line of SOAP 1.1, which SOAP 1.2 does not have. */
function soapRequest({ transport }: Context, action: string, { words, options, headers, content }: Short): string {
  if (!isSoap(transport)) throw new Error(`markup cannot be sent over ${transport}`);
  const { type, envelope } = OVER[transport];
  const actions = transport === 'soap-1.1' && action !== '' ? [action] : [];
  const kind = 'POST /TPWebServices.asmx';
  const head = withUsual([`Content-Type: ${type}; charset=utf-8`, ...actions], headers);
  if (words[0] === 'message') return section(kind, options, head, content);
  const encoding =
    options.map((option) => /^body as (utf-16|iso-8859-1|windows-1252)/.exec(option)?.[1]).find(Boolean) ?? 'utf-8';
  const body = `  <soap:Body>\n${withoutHeader(content).replace(/^/gm, '    ')}\n  </soap:Body>\n`;
  const header = HEADER.exec(content)?.[0].replace(/^(?=.)/gm, '  ') ?? '';
  return section(
    kind,
    options,
    head,
    `<?xml version="1.0" encoding="${encoding}"?>\n<soap:Envelope xmlns:soap="${envelope}">\n${header}${body}</soap:Envelope>`,
  );
}

/** The whole answer to a call that succeeded, given the markup in its record. */
function record(
  { transport, namespace, operation, isUsual }: Context,
  { options, headers, content }: Short,
): string {
  if (options.includes('as usual') && !isUsual) throw new Error('a record is "as usual" only after calls "as usual"');
  const markup = options.includes('as usual') ? usualRecord(operation, content) : content;
  if (!isSoap(transport)) {
    const type = typeOf(operation);
    const head = `Content-Type: text/xml; charset=utf-8\nVary: Accept\n${headers}`;
    return section('answer 200', [], head, `<${type} xmlns="${namespace}">${markup}</${type}>`);
  }
  const { type, envelope } = OVER[transport];
  const body = `<${operation}Response xmlns="${namespace}"><${operation}Result>${markup}</${operation}Result></${operation}Response>`;
  return section(
    'answer 200',
    [],
    `Content-Type: ${type}; charset=utf-8\n${headers}`,
    `<soap:Envelope xmlns:soap="${envelope}"><soap:Body>${body}</soap:Body></soap:Envelope>`,
  );
}

const SIDES_OF_SOAP_12: Readonly<Record<string, string>> = { Client: 'Sender', Server: 'Receiver' };

/**
 * `words`: the status over SOAP, the fault code of SOAP 1.1, and the error code. `options`: fields of the detail, and headers that are
 * not understood. `content`: the sentence, as text.
 */
function fault({ transport, namespace }: Context, { words, options, headers, content }: Short): string {
  const [status = '', side = '', code = ''] = words;
  // On the forms, a mistake of the caller is not a 500.
  const ownStatus = !isSoap(transport) && status === '500' && side === 'Client' ? '400' : status;
  const kind = `answer ${ownStatus}`;
  const head = (type: string) => `Content-Type: ${type}; charset=utf-8\n${headers}`;
  if (!isSoap(transport)) return section(kind, [], head('text/plain'), content);
  const { type, envelope } = OVER[transport];
  if (content === '') return section(kind, ['in part'], head(type), `<Code>${code}</Code>`);
  const text = escapeXml(content);
  const field = (name: string): string => {
    const value = options.find((option) => option.startsWith(`${name} `))?.slice(name.length + 1);
    return value === undefined ? '' : `<${name}>${value}</${name}>`;
  };
  const serviceFault = `<ServiceFault xmlns="${namespace}"><Code>${code}</Code>${field('ResultCode')}<Message>${text}</Message>${field('Parameter')}<CorrelationId>*</CorrelationId></ServiceFault>`;
  const headers12 = options.flatMap((option) => {
    const [, name, uri] = /^not understood (\S+) of (\S+)$/.exec(option) ?? [];
    return name === undefined ? [] : [`<soap:NotUnderstood xmlns:h="${uri}" qname="h:${name}"/>`];
  });
  // A fault about the envelope or its headers has no detail: SOAP 1.1, 4.4.
  const aboutBody = side === 'Client' || side === 'Server';
  const written =
    transport === 'soap-1.1'
      ? `<faultcode>soap:${side}</faultcode><faultstring>${text}</faultstring>${aboutBody ? `<detail>${serviceFault}</detail>` : ''}`
      : `<soap:Code><soap:Value>soap:${SIDES_OF_SOAP_12[side] ?? side}</soap:Value><soap:Subcode><soap:Value xmlns:tns="${namespace}">tns:${code}</soap:Value></soap:Subcode></soap:Code><soap:Reason><soap:Text xml:lang="en">${text}</soap:Text></soap:Reason>${aboutBody ? `<soap:Detail>${serviceFault}</soap:Detail>` : ''}`;
  const header =
    transport === 'soap-1.2' && headers12.length > 0 ? `<soap:Header>${headers12.join('')}</soap:Header>` : '';
  return section(
    kind,
    [],
    head(type),
    `<soap:Envelope xmlns:soap="${envelope}">${header}<soap:Body><soap:Fault>${written}</soap:Fault></soap:Body></soap:Envelope>`,
  );
}

/** A call that a rule forbids: the same ResultCode and sentence in a fault, or in a form's record. Without a sentence, only the code is checked. */
function refusal(context: Context, { words, options, headers, content }: Short): string {
  const { transport, namespace, operation } = context;
  const [resultCode = ''] = words;
  const status = isSoap(transport) ? 500 : (REFUSAL_STATUSES.get(resultCode) ?? 422);
  const kind = `answer ${status}`;
  if (content === '') return section(kind, ['in part'], '', `<ResultCode>${resultCode}</ResultCode>`);
  if (isSoap(transport)) {
    const fields = [`ResultCode ${resultCode}`, ...options];
    return fault(context, { words: ['500', 'Client', 'Refused'], options: fields, headers, content });
  }
  const type = typeOf(operation);
  return section(
    kind,
    [],
    `Content-Type: text/xml; charset=utf-8\n${headers}`,
    `<${type} xmlns="${namespace}"><ResultCode>${resultCode}</ResultCode><ResultText>${escapeXml(content)}</ResultText></${type}>`,
  );
}

const parametersOf = (operation: string): readonly string[] =>
  ownContract.operations.find(({ name }) => name === operation)?.parameters.map(({ name }) => name) ?? [];

/** The name of an operation's result type, which is that of the forms' answer. */
const typeOf = (operation: string): string =>
  ownContract.operations.find(({ name }) => name === operation)?.resultType.name ?? '';
