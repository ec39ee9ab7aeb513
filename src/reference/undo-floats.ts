import { isAbsent } from '../appointments/read-patient.ts';
import { StagedRows } from '../store/sqlite/staged-rows.ts';
import type { CsvRow } from './read-csv.ts';

/** A whole number as a data frame writes those of a column with an empty cell, or a database those of a decimal column. */
const WHOLE_FLOAT = /^([+-]?\d+)\.0+$/;
const isFilled = (cell: string): boolean => /\d/.test(cell) || !(cell === '\\N' || isAbsent(cell));

/**
 * The rows without the `.0` of each column in which all filled cells have it: another program put it there. In a column with other values it may
 * belong to the text. `skips` are indexes of columns that are left alone, and `onUndone` gets those of the others, at the end.
 *
 * From the first such cell on, rows wait on disk until a cell of another kind follows in its column, or the file ends.
 */
export async function* undoFloats(
  groups: AsyncIterable<readonly CsvRow[]>,
  skips: ReadonlySet<number>,
  onUndone: (columns: readonly number[]) => void,
): AsyncGenerator<readonly CsvRow[]> {
  const others = new Set(skips);
  const floats = new Set<number>();
  let waiting: StagedRows<{ readonly row: { readonly id: number }; readonly rows: readonly CsvRow[] }> | undefined;
  const undone = ({ line, cells }: CsvRow): CsvRow => ({
    line,
    cells: cells.map((cell, column) => (floats.has(column) ? cell.trim().replace(WHOLE_FLOAT, '$1') : cell)),
  });
  try {
    for await (const rows of groups) {
      for (const { cells } of rows) {
        for (const [column, cell] of cells.entries()) {
          if (others.has(column)) continue;
          if (WHOLE_FLOAT.test(cell.trim())) floats.add(column);
          else if (isFilled(cell.trim())) {
            others.add(column);
            floats.delete(column);
          }
        }
      }
      if (waiting === undefined && floats.size === 0) yield rows;
      else {
        waiting ??= new StagedRows();
        waiting.add(0, { row: { id: 0 }, rows });
      }
      if (floats.size > 0 || waiting === undefined) continue;
      for (const [group] of waiting.groups(() => true)) yield group?.rows ?? [];
      waiting.close();
      waiting = undefined;
    }
    for (const [group] of waiting?.groups(() => true) ?? []) yield group?.rows.map(undone) ?? [];
    if (floats.size > 0) onUndone([...floats].sort((a, b) => a - b));
  } finally {
    waiting?.close();
  }
}
