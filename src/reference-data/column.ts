import type { CellType } from './cell-types.ts';

/** A column of a file. Titles are the contract's names where it has one. */
export interface Column<T> {
  readonly title: string;
  readonly type: CellType<T>;
  /** Whether the header has to name it. */
  readonly inHeader: boolean;
  /** What an empty cell stands for, and, in a new row, a column that is not there; undefined where a value is needed. */
  readonly whenEmpty: T | undefined;
  /** Whether a column that is not there stands for `whenEmpty` in a stored row too; else the row keeps what it has. */
  readonly saidByRow?: boolean;
  /** Other titles that it is known by. */
  readonly alias?: string;
  /** Whether it tells of a patient: then no message shows a value of it. */
  readonly isPersonal?: boolean;
}

/** No cell may be empty. */
export const needed = <T>(title: string, type: CellType<T>): Column<T> => ({
  title,
  type,
  inHeader: true,
  whenEmpty: undefined,
});
/** The header has it; a cell may be empty. */
export const present = <T>(title: string, type: CellType<T>) =>
  ({ title, type, inHeader: true, whenEmpty: null }) as Column<T | null>;
export const optional = <T, E extends T | null>(title: string, type: CellType<T>, whenEmpty: E) =>
  ({ title, type, inHeader: false, whenEmpty }) as Column<T | E>;

/** The same column, of which no message shows a value. */
export const personal = <T>(column: Column<T>): Column<T> => ({ ...column, isPersonal: true });

/** Two cells that do not go together. */
export interface RowMistake {
  readonly column: string;
  readonly message: string;
}

export type RowOf<Columns> = {
  readonly [Name in keyof Columns]: Columns[Name] extends Column<infer T> ? T : never;
};
