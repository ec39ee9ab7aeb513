import type { Reason, Unclear } from './unclear-record.ts';

export interface Choice<Row> {
  readonly own: readonly Row[];
  readonly unclear: readonly Unclear<Row>[];
}

/** Splits rows into those that are the person's and those that may be somebody else's, with the reason for doubt about each. */
export function splitByDoubt<Row>(rows: readonly Row[], doubtAbout: (row: Row) => Reason | undefined): Choice<Row> {
  const own: Row[] = [];
  const unclear: Unclear<Row>[] = [];
  for (const row of rows) {
    const reason = doubtAbout(row);
    if (reason === undefined) own.push(row);
    else unclear.push({ row, reason });
  }
  return { own, unclear };
}
