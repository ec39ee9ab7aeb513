import type { BenchTransport } from './bench-requests.ts';

export const OWN_SERVER = 'TPWebServices';
/** What every server is compared with. */
export const LIMIT = 'bare node:http';
const COLUMNS = [
  'Operation',
  'Transport',
  'Server',
  'answers per CPU-second',
  `of ${LIMIT}`,
  'requests per second',
  'p50 ms',
  'p99 ms',
  'longest ms',
  'kB per call',
  'full collections',
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
  readonly longest: number;
  /** Allocated by each call, in kB; 0 for a server that does not say. */
  readonly kilobytes: number;
  /** Collections of the whole heap. */
  readonly full: number;
  readonly errors: number;
}

/** Bare node:http is measured with one request without a body and one with a body. */
export const comparedTransport = (transport: BenchTransport): BenchTransport =>
  transport === 'GET' ? 'GET' : 'SOAP 1.1';

/** The figures as a Markdown table: quartiles of the rounds where there are three numbers, otherwise medians. */
export function writeBenchTable(all: readonly BenchFigures[]): string {
  const rows = Map.groupBy(all, ({ operation, transport, server }) => `${operation}|${transport}|${server}`);
  const lines = Array.from(rows.values(), (figures) => {
    const [{ operation, transport, server }] = figures as [BenchFigures];
    const limits = rows.get(`${operation}|${comparedTransport(transport)}|${LIMIT}`) ?? [];
    const ratios = figures.flatMap(({ round, requestsPerCpuSecond }) =>
      limits.filter((limit) => limit.round === round).map((limit) => requestsPerCpuSecond / limit.requestsPerCpuSecond),
    );
    const middle = (name: 'requestsPerSecond' | 'p50' | 'p99' | 'longest' | 'kilobytes' | 'full', digits: number) =>
      number(median(figures.map((each) => each[name])), digits);
    const perCpuSecond = spread(
      figures.map((each) => each.requestsPerCpuSecond),
      0,
    );
    const ratio = server === LIMIT ? '1' : spread(ratios, 2);
    const times = [middle('p50', 2), middle('p99', 2), middle('longest', 1)];
    const speeds = [middle('requestsPerSecond', 0), ...times, middle('kilobytes', 1), middle('full', 0)];
    return row([operation, transport, server, perCpuSecond, ratio, ...speeds]);
  });
  return [row(COLUMNS), `|---|---|---|${'---:|'.repeat(COLUMNS.length - 3)}`, ...lines].join('\n');
}

const row = (values: readonly string[]): string => `| ${values.join(' | ')} |`;

/** The value below which a share of the numbers lies. */
const quantile = (numbers: readonly number[], share: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * share + 0.5)] ?? Number.NaN;

export const median = (numbers: readonly number[]): number => quantile(numbers, 0.5);

const number = (value: number, digits: number): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** The three quartiles. */
export const spread = (numbers: readonly number[], digits: number): string =>
  numbers.length === 0 ? '' : [0.25, 0.5, 0.75].map((share) => number(quantile(numbers, share), digits)).join(' / ');
