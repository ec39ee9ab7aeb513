import type { BenchTransport } from './bench-requests.ts';

export const OWN_SERVER = 'TPWebServices';
/** What every server is compared with. */
export const LIMIT = 'bare node:http';
const RATIO = `of ${LIMIT}`;
const COLUMNS = [
  'Operation',
  'Transport',
  'Server',
  'answers per CPU-second',
  RATIO,
  'requests per second',
  'p50 ms',
  'p99 ms',
] as const;

/** One server's answers to one kind of request in one round. */
export interface BenchFigures {
  readonly round: number;
  readonly server: string;
  readonly operation: string;
  readonly transport: BenchTransport;
  readonly requestsPerSecond: number;
  readonly requestsPerCpuSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
}

/** A row of the table as it is read back. */
export interface BenchRatio {
  readonly operation: string;
  readonly transport: string;
  readonly server: string;
  /** Median of the answers per CPU-second, relative to bare node:http. */
  readonly ratio: number;
}

/** Bare node:http is measured with one request without a body and one with a body. */
export const comparedTransport = (transport: BenchTransport): BenchTransport =>
  transport === 'GET' ? 'GET' : 'SOAP 1.1';

/** The figures as a Markdown table: minimum, median and maximum of the rounds where there are three numbers, otherwise medians. */
export function writeBenchTable(all: readonly BenchFigures[]): string {
  const rows = Map.groupBy(all, ({ operation, transport, server }) => `${operation}|${transport}|${server}`);
  const lines = Array.from(rows.values(), (figures) => {
    const [{ operation, transport, server }] = figures as [BenchFigures];
    const limits = rows.get(`${operation}|${comparedTransport(transport)}|${LIMIT}`) ?? [];
    const ratios = figures.flatMap(({ round, requestsPerCpuSecond }) =>
      limits.filter((limit) => limit.round === round).map((limit) => requestsPerCpuSecond / limit.requestsPerCpuSecond),
    );
    const middle = (pick: (figures: BenchFigures) => number) => median(figures.map(pick));
    return row([
      operation,
      transport,
      server,
      spread(
        figures.map(({ requestsPerCpuSecond }) => requestsPerCpuSecond),
        0,
      ),
      server === LIMIT ? '1' : spread(ratios, 2),
      number(
        middle(({ requestsPerSecond }) => requestsPerSecond),
        0,
      ),
      number(
        middle(({ p50 }) => p50),
        2,
      ),
      number(
        middle(({ p99 }) => p99),
        2,
      ),
    ]);
  });
  return [row(COLUMNS), '|---|---|---|---:|---:|---:|---:|---:|', ...lines].join('\n');
}

/** The rows of the first such table in a document; rows without a ratio are left out. */
export function readBenchTable(markdown: string): readonly BenchRatio[] {
  const lines = markdown.split('\n');
  const needed = ['Operation', 'Transport', 'Server', RATIO];
  const start = lines.findIndex((line) => needed.every((name) => cells(line).includes(name)));
  if (start === -1) throw new Error(`No table has the columns ${needed.join(', ')}.`);
  const columns = cells(lines[start] ?? '');
  const rows = lines.slice(start + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows.slice(0, end === -1 ? undefined : end).flatMap((line) => {
    const row = cells(line);
    const cell = (name: string) => (row[columns.indexOf(name)] ?? '').replaceAll(/[`*]/g, '');
    const numbers = cell(RATIO).split('/').map(Number.parseFloat);
    const ratio = median(numbers);
    if (Number.isNaN(ratio)) return [];
    return [{ operation: cell('Operation'), transport: cell('Transport'), server: cell('Server'), ratio }];
  });
}

const row = (values: readonly string[]): string => `| ${values.join(' | ')} |`;

const cells = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const number = (value: number, digits: number): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

const spread = (numbers: readonly number[], digits: number): string =>
  numbers.length === 0
    ? ''
    : [Math.min(...numbers), median(numbers), Math.max(...numbers)].map((value) => number(value, digits)).join(' / ');
