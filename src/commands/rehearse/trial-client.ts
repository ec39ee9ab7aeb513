import { Agent, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { headerOf, type RecordedRequest } from './recorded-request.ts';
import type { TrialAnswer } from './verdict.ts';

/** How long the service may take to answer, in milliseconds. */
const LONGEST = 10_000;

/** Headers that belong to the connection over which they were received, and those that are generated again. */
const NOT_COPIED: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'expect',
  'content-length',
  'x-forwarded-for',
]);

/** Sends a request to the trial instance. Never rejects. */
export interface SendToTrial {
  (request: RecordedRequest): Promise<TrialAnswer>;
  close(): void;
}

/** `prefix` is removed from the paths. */
export function createTrialClient(port: number, prefix: string): SendToTrial {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (request: RecordedRequest): Promise<TrialAnswer> =>
    new Promise<TrialAnswer>((resolve, reject) => {
      const { method, body } = request;
      const path = withoutPrefix(request.target, prefix);
      const signal = AbortSignal.timeout(LONGEST);
      const options = { host: '127.0.0.1', port, agent, method, path, headers: headersOf(request), signal };
      const outgoing = httpRequest(options, (incoming) => {
        text(incoming).then((answer) => resolve({ status: incoming.statusCode ?? 0, body: answer }), reject);
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    }).catch((error: NodeJS.ErrnoException) => ({
      status: REFUSED_BY_HTTP.test(error.code ?? '') ? 400 : 500,
      body: '',
    }));
  return Object.assign(send, { close: () => agent.destroy() });
}

/** Codes for names, values and targets that HTTP cannot represent, and that the service would refuse as well. */
const REFUSED_BY_HTTP = /^ERR_(?:INVALID|UNESCAPED)_/;

function withoutPrefix(target: string, prefix: string): string {
  if (prefix === '' || !target.toLowerCase().startsWith(`${prefix.toLowerCase()}/`)) return target;
  return target.slice(prefix.length);
}

function headersOf(request: RecordedRequest): string[] {
  const { headers, body, address } = request;
  const copied = headers.filter((_, index) => {
    const name = headers[index - (index % 2)]?.toLowerCase() ?? '';
    return !NOT_COPIED.has(name) && !(isForm(request) && name === 'accept');
  });
  const before = headerOf(request, 'x-forwarded-for');
  const from = [before, address].filter((text) => text !== undefined).join(', ');
  if (from !== '') copied.push('X-Forwarded-For', from);
  // A refusal over the forms contains its code and parameter only as JSON. The same requests are refused.
  if (isForm(request)) copied.push('Accept', 'application/json');
  if (body.length > 0 || request.method === 'POST') copied.push('Content-Length', String(body.length));
  return copied;
}

const isForm = ({ target }: RecordedRequest): boolean => /\.asmx\/\w/i.test(target);
