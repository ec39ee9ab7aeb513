import type { Problem } from './problem.ts';

/** A file as it was read, before anybody knows what its cells mean. */
export interface RawTable {
  readonly titles: readonly string[];
  /** Line of the titles; undefined where they stand in every row. */
  readonly titleLine: number | undefined;
  /** Where they do, the line of the first row that has each. */
  readonly titleLines?: readonly number[];
  /** Those without a problem; they are read while somebody goes through them, once. */
  readonly rows: Iterable<RawRow>;
  /** Known when the rows were gone through. */
  readonly problems: readonly Problem[];
}

export interface RawRow {
  /** From 1. */
  readonly line: number;
  /** As the titles are ordered, with white space that was quoted; what is missing at the end is empty. Undefined where the row doesn't have the title. */
  readonly cells: readonly (string | undefined)[];
}

/** Told how much of a long work is done, 0 to 1. */
export type Progress = (done: number) => void;
