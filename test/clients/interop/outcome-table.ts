import type { Outcome } from './outcome.ts';

/** A client over one transport: the outcomes of its checks, or why there are none. */
export interface Row {
  readonly client: string;
  readonly transport: string;
  /** What it must check. */
  readonly operations: readonly string[];
  readonly outcomes: readonly Outcome[];
  /** Why it was not run. */
  readonly notHad?: string | undefined;
  /** Why it could not be built, or did not run to its end. */
  readonly broken?: string | undefined;
}

/** Every failed outcome, and every operation that a client has not called although it must. */
export function failuresOf(row: Row): string[] {
  if (row.notHad !== undefined) return [];
  const title = `${row.client}, ${row.transport}`;
  return [
    ...(row.broken === undefined ? [] : [`${title}: ${row.broken}`]),
    ...row.outcomes
      .filter(({ ok }) => ok === false)
      .map(({ operation, check, detail }) => `${title}: ${operation} ${check}: ${detail}`),
    ...row.operations
      .filter((name) => row.broken === undefined && !row.outcomes.some(({ operation }) => operation === name))
      .map((name) => `${title}: ${name} was not checked`),
  ];
}

/** One row per client and transport, one column per operation: the number of checks that passed, or FAILED, or not available. */
export function outcomeTable(rows: readonly Row[]): string {
  const operations = [...new Set(rows.flatMap((row) => row.operations))];
  const cell = (row: Row, name: string): string => {
    if (row.notHad !== undefined) return 'not had';
    const own = row.outcomes.filter(({ operation }) => operation === name);
    if (own.length === 0 && !row.operations.includes(name)) return '';
    if (own.length === 0 || own.some(({ ok }) => ok === false)) return 'FAILED';
    return `ok ${own.filter(({ ok }) => ok).length}`;
  };
  const lines = [
    ['client', 'transport', ...operations],
    ...rows.map((row) => [row.client, row.transport, ...operations.map((name) => cell(row, name))]),
  ];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** What was not available, one line each with its reason: whole transports and single checks. */
export function notHadList(rows: readonly Row[]): string[] {
  return rows.flatMap(({ client, transport, notHad, outcomes }) => [
    ...(notHad === undefined ? [] : [`${client}, ${transport}: ${notHad}`]),
    ...outcomes
      .filter(({ ok }) => ok === null)
      .map(({ operation, check, detail }) => `${client}, ${transport}: ${operation} ${check}: ${detail}`),
  ]);
}
