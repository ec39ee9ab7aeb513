import type { Problem } from './problem.ts';

/** A file as it was read, before its cells are interpreted. */
export interface RawTable {
  readonly titles: readonly string[];
  readonly titleLine: number;
  /** Rows without a problem. They are read lazily during iteration, which is possible only once. */
  readonly rows: Iterable<RawRow>;
  /** Complete only after the rows have been iterated over. */
  readonly problems: readonly Problem[];
}

export interface RawRow {
  /** From 1. */
  readonly line: number;
  /** In the order of the titles, including white space that was quoted. */
  readonly cells: readonly string[];
}

/** Called with the fraction of a long task that is done, from 0 to 1. */
export type Progress = (done: number) => void;
