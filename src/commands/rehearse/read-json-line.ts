import type { RecordedExchange } from './read-recording.ts';

type Fields = Readonly<Record<string, unknown>>;

const KNOWN = ['time', 'method', 'url', 'headers', 'body', 'bodyBase64', 'address', 'status', 'milliseconds'];

/** Reads `{"method": "POST", "url": "/TPWebServices.asmx", "headers": {…}, "body": "…"}`. Throws SyntaxError. */
export function readJsonLine(line: string): RecordedExchange {
  const fields = objectIn(line);
  const unknown = Object.keys(fields).find((name) => !KNOWN.includes(name));
  if (unknown !== undefined) throw new SyntaxError(`has an unknown field; expected only ${KNOWN.join(', ')}`);
  const status = numberAt(fields, 'status');
  return {
    request: {
      method: textAt(fields, 'method') ?? missing('method'),
      target: targetOf(textAt(fields, 'url') ?? missing('url')),
      headers: headersAt(fields),
      body: bodyAt(fields),
      address: textAt(fields, 'address'),
      on: timeAt(fields),
    },
    answer: status === undefined ? undefined : { status, milliseconds: numberAt(fields, 'milliseconds') },
  };
}

function objectIn(line: string): Fields {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  } catch {
    // Node's message would quote the line.
  }
  throw new SyntaxError('is not a JSON object; expected one object on each line');
}

function missing(name: string): never {
  throw new SyntaxError(`has no ${name}; expected a text`);
}

function textAt(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || typeof value === 'string') return value;
  throw new SyntaxError(`${name} is not a text; expected one`);
}

function numberAt(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  if (value === undefined || (typeof value === 'number' && value >= 0)) return value;
  throw new SyntaxError(`${name} is not a number; expected 0 or more`);
}

/** Path and query; a recording may contain the whole URL. */
const targetOf = (url: string): string => (URL.canParse(url) ? url.slice(new URL(url).origin.length) : url) || '/';

function headersAt({ headers = {} }: Fields): string[] {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) {
    throw new SyntaxError('headers is not an object; expected names with their values');
  }
  return Object.entries(headers).flatMap(([name, value]) => {
    const values: unknown[] = Array.isArray(value) ? value : [value];
    if (!values.every((text) => typeof text === 'string')) {
      throw new SyntaxError('a header is not a text; expected a text, or a list of texts');
    }
    return values.flatMap((text) => [name, text]);
  });
}

function bodyAt(fields: Fields): Buffer {
  const [text, base64] = [textAt(fields, 'body'), textAt(fields, 'bodyBase64')];
  if (text !== undefined && base64 !== undefined)
    throw new SyntaxError('has body and bodyBase64; expected one of them');
  return base64 === undefined ? Buffer.from(text ?? '', 'utf8') : Buffer.from(base64, 'base64');
}

function timeAt(fields: Fields): number | undefined {
  const text = textAt(fields, 'time');
  if (text === undefined) return undefined;
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    throw new SyntaxError('time is not an instant; expected one such as 2026-11-20T10:15:00Z');
  }
}
