import { type CaseTransport, expandCase, headersAndContent, rowsOf, transportsOf, withUsual } from './expand-case.ts';

/** What is sent to a new service over one transport, and what it must answer. `README.md` shows the form. */
export interface ExchangeCase {
  /** A sentence. */
  readonly title: string;
  /** Undefined if the requests are written as they are sent. */
  readonly transport: CaseTransport | undefined;
  /** Settings by their environment names. */
  readonly environment: Readonly<Record<string, string>>;
  readonly exchanges: readonly Exchange[];
}

interface Exchange {
  readonly request: CaseRequest;
  readonly answer: CaseAnswer;
}

export interface CaseRequest {
  /** Minutes by which the service's clock advances before the request. */
  readonly minutesLater: number;
  /** The request is sent over the connection of the previous one. */
  readonly sameConnection: boolean;
  /** The body is sent when the service has answered 100 Continue. */
  readonly bodyAfterContinue: boolean;
  readonly method: string;
  /** As sent, its lines ended by CRLF. */
  readonly head: Buffer;
  readonly body: Buffer;
}

export interface CaseAnswer {
  readonly status: number;
  /** Names in lower case. `*` stands for any value, `-` for a header that must be absent. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Undefined: any body is accepted. */
  readonly body: string | undefined;
  /** Each line of the body occurs somewhere in the answer's body; otherwise it is the whole body. */
  readonly inPart: boolean;
  /** Lines that do not occur in the answer's body. */
  readonly lacking: readonly string[];
}

/** The answer to a request that only prepares the next. */
const SUCCESS: CaseAnswer = { status: 200, headers: [], body: undefined, inPart: false, lacking: [] };

/** The line between two cases of a file. */
const NEXT_CASE = /^={10}$\n+/m;

/** Reads an exchange file, with one case per transport that it lists; throws an Error that says what is wrong with it. */
export const readCases = (file: string): readonly ExchangeCase[] =>
  file
    .split(NEXT_CASE)
    .flatMap(rowsOf)
    .flatMap((text) => {
      const transports = transportsOf(text);
      if (transports === undefined) return [readCase(text, undefined)];
      return transports.map((transport) => readCase(expandCase(text, transport), transport));
    });

function readCase(text: string, transport: CaseTransport | undefined): ExchangeCase {
  const [top = '', ...sections] = text.split(/^=== /m);
  const [title = '', ...settings] = top.split('\n').filter((line) => line !== '');
  const exchanges: { request: CaseRequest; answer?: CaseAnswer }[] = [];
  for (const section of sections) {
    const [kind = '', ...options] = lineOf(section, 0).split(/, /);
    const content = section.slice(lineOf(section, 0).length + 1).replace(/\n+$/, '');
    const last = exchanges.at(-1);
    const [name, word = ''] = kind.split(' ');
    if (kind === 'request') exchanges.push({ request: readRequest(content, options) });
    else if (/^[A-Z]+$/.test(name ?? '')) {
      exchanges.push({ request: readRequest(asRequest(`${name} ${word}`, content), options) });
    } else if (name === 'answer' && last !== undefined) last.answer = readAnswer(word, content, options);
    else if (kind === 'not in the answer' && last?.answer !== undefined) {
      last.answer = { ...last.answer, lacking: content.split('\n').filter((line) => line !== '') };
    } else throw new Error(`a section "${kind}" is not expected there`);
  }
  if (exchanges.at(-1)?.answer === undefined) throw new Error('the last request has no answer');
  return {
    title,
    transport,
    environment: Object.fromEntries(settings.map((line) => cut(line, '='))),
    exchanges: exchanges.map(({ request, answer = SUCCESS }) => ({ request, answer })),
  };
}

const lineOf = (text: string, at: number): string => text.split('\n', at + 1)[at] ?? '';

function cut(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  if (at === -1) throw new Error(`"${text}" has no "${separator}"`);
  return [text.slice(0, at), text.slice(at + separator.length).trim()];
}

function headAndBody(content: string): [head: string, body: string | undefined] {
  const end = content.indexOf('\n\n');
  return end === -1 ? [content.trimEnd(), undefined] : [content.slice(0, end), content.slice(end + 2)];
}

/** A request as it is sent, given its method and target: with a Host, and the length of its body unless it comes in chunks. */
function asRequest(line: string, text: string): string {
  const { headers, content } = headersAndContent(text, true);
  const length = line.startsWith('POST ') && !/^(Transfer-Encoding|Content-Length):/im.test(headers);
  const usual = withUsual(['Host: localhost', ...(length ? ['Content-Length: auto'] : [])], headers);
  return `${line} HTTP/1.1\n${usual}\n${content}`;
}

function readRequest(content: string, options: readonly string[]): CaseRequest {
  const [headText, bodyText = ''] = headAndBody(content);
  let encoding = 'utf-8';
  const request = { minutesLater: 0, sameConnection: false, bodyAfterContinue: false };
  for (const option of options) {
    const minutes = /^(\d+) minutes later$/.exec(option)?.[1];
    const body = /^body as (.+)$/.exec(option)?.[1];
    if (minutes !== undefined) request.minutesLater = Number(minutes);
    else if (body !== undefined) encoding = body;
    else if (option === 'on the same connection') request.sameConnection = true;
    else if (option === 'body after 100 Continue') request.bodyAfterContinue = true;
    else throw new Error(`a request has no option "${option}"`);
  }
  const body = readBody(bodyText, encoding);
  const head = `${headText.replace(/^Content-Length: auto$/m, `Content-Length: ${body.length}`).replaceAll('\n', '\r\n')}\r\n\r\n`;
  return { ...request, method: headText.split(' ', 1)[0] ?? '', head: Buffer.from(head), body };
}

const ENCODERS: Readonly<Record<string, (text: string) => Buffer>> = {
  'utf-8': (text) => Buffer.from(text),
  'utf-8 with BOM': (text) => Buffer.from(`\ufeff${text}`),
  'iso-8859-1': (text) => Buffer.from(text, 'latin1'),
  // Characters from 0x80 to 0x9f are given as bytes.
  'windows-1252': (text) => Buffer.from(text, 'latin1'),
  'utf-16le with BOM': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf-16be with BOM': (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
};

/** `{{"x" * 100}}` is repeated text, `{{" " to 65536}}` pads the body to that many bytes, `{{base64 AA==}}` and `{{hex 00}}` are bytes. */
function readBody(text: string, encoding: string): Buffer {
  const encode = ENCODERS[encoding];
  if (encode === undefined) throw new Error(`there is no encoding "${encoding}"`);
  let whole = Number.NaN;
  let filler = '';
  const parts = text.split(/(\{\{.*?\}\})/).map((part, index) => {
    if (!part.startsWith('{{')) return index === 0 || part !== '' ? encode(part) : Buffer.alloc(0);
    const [, repeated, times] = /^\{\{"(.*)" \* (\d+)\}\}$/.exec(part) ?? [];
    if (repeated !== undefined) return encode(repeated.repeat(Number(times)));
    const [, filling, length] = /^\{\{"(.)" to (\d+)\}\}$/.exec(part) ?? [];
    if (filling !== undefined) {
      filler = filling;
      whole = Number(length);
      return undefined;
    }
    const [, base64] = /^\{\{base64 (.*)\}\}$/.exec(part) ?? [];
    if (base64 !== undefined) return Buffer.from(base64, 'base64');
    const [, hex] = /^\{\{hex (.*)\}\}$/.exec(part) ?? [];
    if (hex !== undefined) return Buffer.from(hex, 'hex');
    throw new Error(`"${part}" means nothing`);
  });
  const given = parts.reduce((sum, part) => sum + (part?.length ?? 0), 0);
  return Buffer.concat(parts.map((part) => part ?? encode(filler.repeat(whole - given))));
}

function readAnswer(status: string, text: string, options: readonly string[]): CaseAnswer {
  if (!/^\d{3}$/.test(status)) throw new Error(`an answer has no status "${status}"`);
  const { headers, content } = headersAndContent(text, true);
  const inPart = options[0] === 'in part';
  if (options.length > (inPart ? 1 : 0)) throw new Error(`an answer has no options "${options.join(', ')}"`);
  return {
    status: Number(status),
    headers: headers
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [name, value] = cut(line, ':');
        return [name.toLowerCase(), value] as const;
      }),
    body: content === '' ? undefined : content.trimEnd(),
    inPart,
    lacking: [],
  };
}
