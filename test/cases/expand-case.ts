import { ownContract } from '../contract/own-wsdl.ts';

/** What a file's `over:` line may list. */
const OVER = {
  'soap-1.1': { title: 'SOAP 1.1', type: 'text/xml', envelope: 'http://schemas.xmlsoap.org/soap/envelope/' },
  'soap-1.2': { title: 'SOAP 1.2', type: 'application/soap+xml', envelope: 'http://www.w3.org/2003/05/soap-envelope' },
  'http-get': { title: 'HTTP GET' },
  'http-post': { title: 'HTTP POST' },
} as const;

export type CaseTransport = keyof typeof OVER;
export const CASE_TRANSPORTS = Object.keys(OVER) as readonly CaseTransport[];
type SoapTransport = 'soap-1.1' | 'soap-1.2';

const NAMESPACE = 'http://tempuri.org/';

/** A booking with every value, for Monday 23 November 2026. A call that is `as usual` gives only what differs. */
const USUAL_BOOKING = {
  DoctorID: '101',
  RegistrationNumber: 'MRN-1001',
  app_date: '2026-11-23T00:00:00',
  app_time: '2026-11-23T10:15:00',
  title: 'Mr.',
  Name: 'Ravi Kumar',
  Sex: 'M',
  Age: '34',
  area: 'Jayanagar',
  contactnumber: '9845012345',
  email: 'ravi@example.org',
  centerid: '1',
};

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not Found',
  409: 'Conflict',
  422: 'Unprocessable Entity',
  500: 'Internal Server Error',
};

/** The status of a form's refusal, by ResultCode; 422 for all others. Source: README.md, the answers to calls that a rule forbids. */
const REFUSAL_STATUSES: Readonly<Record<string, number>> = {
  11: 404,
  12: 404,
  13: 409,
  14: 409,
  17: 409,
  20: 404,
  21: 409,
  31: 404,
};

/** The transports of a file; undefined if its requests are written for one only. */
export function transportsOf(text: string): readonly CaseTransport[] | undefined {
  const listed = /^over: (.+)$/m.exec(text.split(/^=== /m, 1)[0] ?? '')?.[1]?.split(', ');
  const unknown = listed?.find((name) => !Object.hasOwn(OVER, name));
  if (unknown !== undefined) throw new Error(`there is no transport "${unknown}"`);
  return listed as CaseTransport[] | undefined;
}

/** The file as it reads for one of its transports: every section in short form becomes a request or an answer as it is sent. */
export function expandCase(text: string, transport: CaseTransport): string {
  const [top = '', ...sections] = text.split(/^=== /m);
  let operation = '';
  const expanded = sections.map((section) => {
    const end = section.indexOf('\n');
    const [kind = '', ...options] = section.slice(0, end).split(', ');
    const [word = '', ...words] = kind.split(' ');
    const { headers, content } = headersAndContent(section.slice(end + 1).replace(/\n+$/, ''));
    switch (word) {
      case 'call':
        operation = words[0] ?? '';
        return request(transport, operation, headers, content, options);
      case 'soap':
        operation = /<(?:\w+:)?([\w.-]+)/.exec(content)?.[1] ?? '';
        return soapRequest(soapOnly(transport), '', headers, content, options);
      case 'record':
        return record(transport, operation, headers, content);
      case 'fault':
        return fault(transport, words, headers, content, options);
      case 'refusal':
        return refusal(transport, operation, words[0] ?? '', headers, content, options);
      default:
        return section;
    }
  });
  return [top.replace(/^over: .*\n/m, ''), ...expanded]
    .join('=== ')
    .replaceAll('{operations}', ownContract.operations.map(({ name }) => name).join(', '))
    .replaceAll('{transport}', OVER[transport].title)
    .replaceAll('{type}', isSoap(transport) ? OVER[transport].type : '')
    .replaceAll('{envelope}', isSoap(transport) ? OVER[transport].envelope : '');
}

const isSoap = (transport: CaseTransport): transport is SoapTransport => transport.startsWith('soap');

function soapOnly(transport: CaseTransport): SoapTransport {
  if (!isSoap(transport)) throw new Error(`markup cannot be sent over ${transport}`);
  return transport;
}

/** Header lines stand before an empty line, and what is short has none of them. */
function headersAndContent(text: string): { readonly headers: string; readonly content: string } {
  const match = /^((?:[A-Z][\w-]*: .*\n)+)\n([^]*)$/.exec(text);
  return { headers: match?.[1] ?? '', content: match?.[2] ?? text };
}

const section = (kind: string, options: readonly string[], head: string, body: string): string =>
  `${[kind, ...options].join(', ')}\n${head}${body === '' ? '' : `\n${body}\n`}\n`;

function request(
  transport: CaseTransport,
  operation: string,
  headers: string,
  content: string,
  options: readonly string[],
): string {
  const values = new Map(Object.entries(options.includes('as usual') ? USUAL_BOOKING : {}));
  for (const line of content.split('\n').filter((text) => text !== '')) {
    const [, name = '', value = ''] = /^([\w.-]+): ?(.*)$/.exec(line) ?? [];
    if (name === '') throw new Error(`"${line}" is not a parameter`);
    values.set(name, value);
  }
  const others = options.filter((option) => option !== 'as usual');
  if (isSoap(transport)) {
    const parameters = [...values].map(([name, value]) => `<${name}>${escapeXml(value)}</${name}>`).join('');
    const body = `<${operation} xmlns="${NAMESPACE}">${parameters}</${operation}>`;
    return soapRequest(transport, `SOAPAction: "${NAMESPACE}${operation}"\n`, headers, body, others);
  }
  const form = [...values].map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
  const path = `/TPWebServices.asmx/${operation}`;
  if (transport === 'http-get') {
    return section('request', others, `GET ${path}?${form} HTTP/1.1\nHost: localhost\n${headers}`, '');
  }
  const type = 'Content-Type: application/x-www-form-urlencoded\nContent-Length: auto\n';
  return section('request', others, `POST ${path} HTTP/1.1\nHost: localhost\n${headers}${type}`, form);
}

function soapRequest(
  transport: SoapTransport,
  action: string,
  headers: string,
  content: string,
  options: readonly string[],
): string {
  const { type, envelope } = OVER[transport];
  // SOAP 1.2 has no such header.
  const actions = transport === 'soap-1.1' ? action : '';
  const typed = /^Content-Type:/m.test(headers) ? '' : `Content-Type: ${type}; charset=utf-8\n`;
  const head = `POST /TPWebServices.asmx HTTP/1.1\nHost: localhost\n${typed}${actions}${headers}Content-Length: auto\n`;
  return section(
    'request',
    options,
    head,
    `<?xml version="1.0" encoding="utf-8"?>\n<soap:Envelope xmlns:soap="${envelope}">\n  <soap:Body>\n${content.replace(/^/gm, '    ')}\n  </soap:Body>\n</soap:Envelope>`,
  );
}

/** The whole answer to a call that succeeded, given the markup in its record. */
function record(transport: CaseTransport, operation: string, headers: string, content: string): string {
  if (!isSoap(transport)) {
    const type = typeOf(operation);
    const document = `<${type} xmlns="${NAMESPACE}">${content}</${type}>`;
    return section('answer', [], `HTTP/1.1 200 OK\nContent-Type: text/xml; charset=utf-8\nVary: Accept\n${headers}`, document);
  }
  const { type, envelope } = OVER[transport];
  const body = `<${operation}Response xmlns="${NAMESPACE}"><${operation}Result>${content}</${operation}Result></${operation}Response>`;
  return section(
    'answer',
    [],
    `HTTP/1.1 200 OK\nContent-Type: ${type}; charset=utf-8\n${headers}`,
    `<soap:Envelope xmlns:soap="${envelope}"><soap:Body>${body}</soap:Body></soap:Envelope>`,
  );
}

/** `words`: the status over SOAP 1.1, Client or Server, and the error code. `message`: the sentence, as text. */
function fault(
  transport: CaseTransport,
  [status = '', side = '', code = '']: readonly string[],
  headers: string,
  message: string,
  options: readonly string[],
): string {
  // SOAP 1.2 part 2, 7.5.2.2, and the forms: a mistake of the sender is not a 500.
  const ownStatus = transport !== 'soap-1.1' && status === '500' && side === 'Client' ? '400' : status;
  const head = (type: string) =>
    `HTTP/1.1 ${ownStatus} ${STATUS_TEXTS[Number(ownStatus)] ?? 'Status'}\nContent-Type: ${type}; charset=utf-8\n${headers}`;
  if (!isSoap(transport)) return section('answer', [], head('text/plain'), message);
  const { type, envelope } = OVER[transport];
  if (message === '') return section('answer, in part', [], head(type), `<Code>${code}</Code>`);
  const text = escapeXml(message);
  const field = (name: string): string => {
    const value = options.find((option) => option.startsWith(`${name} `))?.slice(name.length + 1);
    return value === undefined ? '' : `<${name}>${value}</${name}>`;
  };
  const detail = `<ServiceFault xmlns="${NAMESPACE}"><Code>${code}</Code>${field('ResultCode')}<Message>${text}</Message>${field('Parameter')}<CorrelationId>*</CorrelationId></ServiceFault>`;
  const written =
    transport === 'soap-1.1'
      ? `<faultcode>soap:${side}</faultcode><faultstring xml:lang="en">${text}</faultstring><detail>${detail}</detail>`
      : `<soap:Code><soap:Value>soap:${side === 'Client' ? 'Sender' : 'Receiver'}</soap:Value><soap:Subcode><soap:Value xmlns:tns="${NAMESPACE}">tns:${code}</soap:Value></soap:Subcode></soap:Code><soap:Reason><soap:Text xml:lang="en">${text}</soap:Text></soap:Reason><soap:Detail>${detail}</soap:Detail>`;
  return section(
    'answer',
    [],
    head(type),
    `<soap:Envelope xmlns:soap="${envelope}"><soap:Body><soap:Fault>${written}</soap:Fault></soap:Body></soap:Envelope>`,
  );
}

/** A call that a rule forbids: the same ResultCode and sentence in a fault, or in a form's record. Without a sentence, only the code is checked. */
function refusal(
  transport: CaseTransport,
  operation: string,
  resultCode: string,
  headers: string,
  message: string,
  options: readonly string[],
): string {
  const soapStatus = transport === 'soap-1.1' ? 500 : 400;
  const status = isSoap(transport) ? soapStatus : (REFUSAL_STATUSES[resultCode] ?? 422);
  const statusLine = `HTTP/1.1 ${status} ${STATUS_TEXTS[status]}\n`;
  if (message === '') return section('answer, in part', [], statusLine, `<ResultCode>${resultCode}</ResultCode>`);
  if (isSoap(transport)) {
    return fault(transport, ['500', 'Client', 'Refused'], headers, message, [`ResultCode ${resultCode}`, ...options]);
  }
  const type = typeOf(operation);
  return section(
    'answer',
    [],
    `${statusLine}Content-Type: text/xml; charset=utf-8\n${headers}`,
    `<${type} xmlns="${NAMESPACE}"><ResultCode>${resultCode}</ResultCode><ResultText>${escapeXml(message)}</ResultText></${type}>`,
  );
}

/** The name of an operation's result type, which is that of the forms' answer. */
const typeOf = (operation: string): string =>
  ownContract.operations.find(({ name }) => name === operation)?.resultType.name ?? '';

const escapeXml = (text: string): string => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
