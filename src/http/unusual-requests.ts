import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { EVERY_ANSWER, TEXT } from '../transports/answer.ts';
import { FAULT_ANSWERS, type Fault, faultHeaders, faultOf } from '../transports/faults.ts';
import { correlationIdOf, newCorrelationId } from '../transports/request-ids.ts';
import { ServiceError } from '../vocabulary/errors.ts';

/** Counts and logs a request that no endpoint serves. The fault is another one if its sender exceeds the rate. */
export type Refuse = (request: IncomingMessage, error: ServiceError) => Fault;

/** For a server without a log. */
export const refuseUnrecorded: Refuse = (request, error) => faultOf(error, correlationIdOf(request, newCorrelationId));

/** Why a request that reaches no endpoint is refused. */
interface Rejection {
  readonly status: number;
  readonly error: ServiceError;
}

const rejection = (status: number, ...error: ConstructorParameters<typeof ServiceError>): Rejection => ({
  status,
  error: new ServiceError(...error),
});
const malformed = (message: string, status = 400, reason = 'http') =>
  rejection(status, 'Malformed', message, { reason });

/** More than any program and all proxies in front send together. */
export const MOST_HEADERS = 100;
/** Bytes of the address and the headers. */
export const LARGEST_HEAD = 16 * 1024;
/** The same from a proxy, which adds tokens of Kerberos, cookies and certificates. */
export const LARGEST_PROXIED_HEAD = 64 * 1024;
const MANY_HEADERS = `The request has over ${MOST_HEADERS} headers, or they are larger than 16 KiB (64 KiB from a proxy).`;
const NOT_HTTP = malformed('The request is not valid HTTP/1.1.');
const PROXIED = malformed(
  'The connection begins with the PROXY protocol; expected HTTP, with the caller in X-Forwarded-For.',
  400,
  'PROXY protocol',
);
/** Source: HAProxy, "The PROXY protocol", 2.1 and 2.2. */
const PROXY_PROTOCOL = /^(?:PROXY |\r\n\r\n\0\r\nQUIT\n)/;
/** Codes of Node, or like those of its parser. */
export const CONNECT = 'HPE_CONNECT';
export const TOO_MANY_AT_ONCE = 'HPE_TOO_MANY_AT_ONCE';
export const HEADER_OVERFLOW = 'HPE_HEADER_OVERFLOW';
export const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';
const BROKEN_REQUESTS: Readonly<Record<string, Rejection>> = {
  [HEADER_OVERFLOW]: rejection(431, 'TooLarge', MANY_HEADERS, { reason: 'headers' }),
  HPE_INVALID_URL: malformed(
    'The address in the request line may contain only ASCII without spaces; other characters must be percent-encoded.',
  ),
  ERR_SSL_HTTP_REQUEST: malformed(
    'The request came without TLS; expected an address that begins with https.',
    400,
    'no TLS',
  ),
  [REQUEST_TIMEOUT]: malformed('The request did not arrive in time.', 408),
  [TOO_MANY_AT_ONCE]: rejection(429, 'TooManyRequests', 'Too many requests are arriving, or are unanswered.', {
    reason: 'too many at once',
  }),
  [CONNECT]: rejection(405, 'MethodNotAllowed', 'CONNECT is not allowed here; this is no proxy.'),
};

/** What a broken request is refused as, by the code of the error. `firstBytes` are those of the connection. */
export const brokenAs = (code: string, firstBytes?: Buffer): Rejection =>
  PROXY_PROTOCOL.test(firstBytes?.toString('latin1', 0, 12) ?? '') ? PROXIED : (BROKEN_REQUESTS[code] ?? NOT_HTTP);

/** An answer to a request that reaches no endpoint. */
interface ShortAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | number>>;
}

export function answerTo({ status, error }: Rejection, fault: Fault): ShortAnswer {
  const isOther = fault.code !== error.code;
  const headers = {
    ...faultHeaders(fault),
    // RFC 9110, 15.5.6.
    ...(status === 405 ? { Allow: 'GET, HEAD, POST' } : {}),
    Connection: 'close',
    'Content-Type': TEXT,
    'Content-Length': fault.message.length,
  };
  return { status: isOther ? FAULT_ANSWERS[fault.code].status : status, text: fault.message, headers };
}

/** The bytes of an answer that Node does not write. */
export function textOf({ status, text, headers }: ShortAnswer): string {
  const lines = Object.entries({ ...EVERY_ANSWER, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`;
}

/** If there are several of them, Node uses the first. A proxy that looked at a different one would have let in somebody else. */
const SINGLE_HEADERS = ['Host', 'Authorization'] as const;

/**
 * Why the headers of a request are refused; undefined if they are not. Source: RFC 9112, 2.3, 3.2 and 6.1. Node's own answer has neither
 * text nor length.
 */
function mistakeInHeaders({ headers, rawHeaders, httpVersion }: IncomingMessage): Rejection | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return malformed('The supported versions of HTTP are 1.1 and 1.0.', 505);
  }
  if (headers.host === undefined && httpVersion === '1.1') return malformed('The Host header is missing.');
  // Node removes the chunking and would pass on the rest as if it were the body. It refuses any other coding itself.
  const coding = headers['transfer-encoding'];
  // A proxy that speaks this version takes what follows for another request.
  if (coding !== undefined && httpVersion === '1.0') return malformed('HTTP/1.0 has no Transfer-Encoding.');
  if (coding !== undefined && /,\s*chunked$/i.test(coding)) {
    return malformed('The only supported Transfer-Encoding is chunked.', 501);
  }
  const repeated = SINGLE_HEADERS.find((name) => timesGiven(name.toLowerCase(), rawHeaders) > 1);
  return repeated && malformed(`The header ${repeated} is given twice.`);
}

/** Bytes of its address and headers, without what separates them. */
export function sizeOfHead({ url = '', rawHeaders }: IncomingMessage): number {
  let size = url.length;
  for (const text of rawHeaders) size += text.length;
  return size;
}

/** `rawHeaders` has each name before its value. Asking for `headersDistinct` would make a table of all of them. */
function timesGiven(name: string, rawHeaders: readonly string[]): number {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const text = rawHeaders[at] as string;
    if (text.length === name.length && text.toLowerCase() === name) times++;
  }
  return times;
}

/** A target with scheme and host says which host the request is for, whatever its Host header does. Source: RFC 9112, 3.2.2. */
export function useTarget(request: IncomingMessage): void {
  const [, host, rest = ''] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]+)(.*)$/is.exec(request.url ?? '') ?? [];
  if (host === undefined) return;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  request.headers.host = host;
}

/** Whether a request is refused for a mistake in its headers. If so, it has been answered. */
export function refuseRequest(request: IncomingMessage, response: ServerResponse, refuse: Refuse): boolean {
  const mistake = mistakeInHeaders(request);
  if (mistake === undefined) return false;
  const { status, text, headers } = answerTo(mistake, refuse(request, mistake.error));
  response.writeHead(status, headers).end(text);
  return true;
}
