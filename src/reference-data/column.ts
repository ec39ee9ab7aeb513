import type { CellType } from './cell-types.ts';

/** A column of a file. */
export interface Column<T> {
  /** The contract's name, if there is one. */
  readonly title: string;
  readonly type: CellType<T>;
  /** Whether the header must contain it. */
  readonly inHeader: boolean;
  /** The value of an empty cell and, in a new row, of a missing column; undefined if a value is required. */
  readonly whenEmpty: T | undefined;
  /** Whether a missing column means `whenEmpty` in a stored row, too. Otherwise the row keeps its value. */
  readonly whenMissing?: 'whenEmpty';
  /** Another title that is accepted. */
  readonly alias?: string;
  /** Whether it contains data about a patient, in which case no message shows its values. */
  readonly isPersonal?: boolean;
}

/** No cell may be empty. */
export const needed = <T>(title: string, type: CellType<T>): Column<T> => ({
  title,
  type,
  inHeader: true,
  whenEmpty: undefined,
});
/** The header must contain it; a cell may be empty. */
export const present = <T>(title: string, type: CellType<T>) =>
  ({ title, type, inHeader: true, whenEmpty: null }) as Column<T | null>;
export const optional = <T, E extends T | null>(title: string, type: CellType<T>, whenEmpty: E) =>
  ({ title, type, inHeader: false, whenEmpty }) as Column<T | E>;

/** The same column, but no message shows its values. */
export const personal = <T>(column: Column<T>): Column<T> => ({ ...column, isPersonal: true });

/** Two cells that contradict each other. */
export interface RowMistake {
  readonly column: string;
  readonly message: string;
}

export type RowOf<Columns> = {
  readonly [Name in keyof Columns]: Columns[Name] extends Column<infer T> ? T : never;
};
