import type { ReadLine, RecordedExchange } from './read-recording.ts';

/** Without these, there is nothing to try. */
const NEEDED = ['cs-method', 'cs-uri-stem', 'cs-uri-query'];

/** Reads IIS's log, line by line. Source: W3C Extended Log File Format; IIS documentation, "W3C Logging". */
export function createReadIisLine(): ReadLine {
  let names: readonly string[] | undefined;
  return (line) => {
    if (line.startsWith('#')) {
      if (line.startsWith('#Fields:')) names = fieldNames(line);
      return undefined;
    }
    if (names === undefined) throw new SyntaxError('comes before #Fields; expected an IIS log in W3C format');
    const values = line.trim().split(' ');
    if (values.length !== names.length) {
      throw new SyntaxError(`has ${values.length} fields; expected ${names.length}, as #Fields says`);
    }
    return exchangeOf(new Map(names.map((name, index) => [name, values[index] ?? '-'])));
  };
}

function fieldNames(line: string): readonly string[] {
  const names = line.slice('#Fields:'.length).trim().split(/\s+/);
  const missing = NEEDED.filter((name) => !names.includes(name));
  if (missing.length === 0) return names;
  throw new SyntaxError(`has no field ${missing.join(', ')}; select it in the logging settings of the IIS site`);
}

function exchangeOf(values: ReadonlyMap<string, string>): RecordedExchange | string {
  const fieldAt = (name: string): string | undefined => {
    const value = values.get(name);
    return value === undefined || value === '-' ? undefined : value;
  };
  const method = fieldAt('cs-method') ?? '';
  if (method !== 'GET') return `${/^[A-Z]{1,10}$/.test(method) ? method : 'Other'} requests: the log has no bodies`;
  const query = fieldAt('cs-uri-query');
  // In headers, IIS writes a plus sign for each space.
  const headers = HEADERS.flatMap(([name, field]) => {
    const value = fieldAt(field);
    return value === undefined ? [] : [name, value.replaceAll('+', ' ')];
  });
  const [status, milliseconds] = [fieldAt('sc-status'), fieldAt('time-taken')];
  return {
    request: {
      method,
      target:
        encodeURI(fieldAt('cs-uri-stem') ?? '/').replaceAll('%25', '%') + (query === undefined ? '' : `?${query}`),
      headers,
      body: Buffer.alloc(0),
      address: fieldAt('c-ip'),
      on: instantOf(fieldAt('date'), fieldAt('time')),
    },
    answer:
      status === undefined
        ? undefined
        : { status: Number(status), milliseconds: milliseconds === undefined ? undefined : Number(milliseconds) },
  };
}

const HEADERS = [
  ['Host', 'cs-host'],
  ['User-Agent', 'cs(User-Agent)'],
  ['Referer', 'cs(Referer)'],
] as const;

/** The log is in UTC. */
function instantOf(date: string | undefined, time: string | undefined): number | undefined {
  if (date === undefined || time === undefined) return undefined;
  try {
    return Temporal.Instant.from(`${date}T${time}Z`).epochMilliseconds;
  } catch {
    throw new SyntaxError('has an invalid date or time; expected a form such as 2026-11-20 and 10:15:00');
  }
}
