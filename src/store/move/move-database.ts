import { setImmediate } from 'node:timers/promises';
import { SetUpError } from '../../vocabulary/errors.ts';
import type { DatabaseLocation } from '../database-location.ts';
import type { BeforeEnd } from '../part-file.ts';
import { openPostgresSource } from '../postgres/open-postgres-source.ts';
import { openPostgresTarget } from '../postgres/open-postgres-target.ts';
import { COUNTING_TABLE } from '../schema.ts';
import { openSqliteSource } from '../sqlite/open-sqlite-source.ts';
import { openSqliteTarget } from '../sqlite/open-sqlite-target.ts';
import type { MoveSource } from './move-source.ts';
import type { MoveTarget } from './move-target.ts';
import type { MovedTable } from './moved-table.ts';
import { RowChecksum } from './row-checksum.ts';

export interface MoveReport {
  /** Identifies the databases, without passwords. */
  readonly source: string;
  readonly target: string;
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly checksum: string }[];
  /** The source was written to in the meantime, so the target lacks those changes. */
  readonly isBehind: boolean;
}

/** Called with the fraction that is done, from 0 to 1. */
type Progress = (done: number) => void;

/**
 * Copies everything from one database to an empty one, from a single snapshot; either everything is copied or nothing. The source is not
 * changed. Counts and checksums are compared before the target is committed. Throws SetUpError with a message for the operator.
 */
export async function moveDatabase(
  from: DatabaseLocation,
  to: DatabaseLocation,
  progress: Progress,
  beforeEnd: BeforeEnd,
): Promise<MoveReport> {
  const source = from.kind === 'sqlite' ? await openSqliteSource(from.path) : await openPostgresSource(from);
  try {
    const target = to.kind === 'sqlite' ? await openSqliteTarget(to.path, beforeEnd) : await openPostgresTarget(to);
    try {
      return await copy(source, target, progress);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function copy(source: MoveSource, target: MoveTarget, progress: Progress): Promise<MoveReport> {
  requireSameTables(source.tables, target.tables);
  // Triggers on other tables change this table while those are being filled, so it is filled last.
  const isLast = ({ name }: MovedTable) => Number(name === COUNTING_TABLE);
  const tables = [...target.tables].sort((a, b) => isLast(a) - isLast(b));
  let total = 0;
  for (const table of tables) total += await source.count(table);
  // Each row is counted twice: when it is written and when it is read back.
  let done = 0;
  const step = async (rows: number) => {
    done += rows;
    progress(done / (2 * Math.max(total, 1)));
    // SQLite never waits. Without this turn, a signal would be noticed only once everything is copied.
    await setImmediate();
  };

  const written = new Map<string, RowChecksum>();
  for (const table of tables) {
    const checksum = new RowChecksum();
    await target.clear(table);
    for await (const rows of source.rows(table)) {
      for (const row of rows) checksum.add(row);
      await target.insert(table, rows);
      await step(rows.length);
    }
    if (table.counted !== undefined) await target.goOnAfter(table, await source.lastNumber(table));
    written.set(table.name, checksum);
  }

  const report: MoveReport['tables'][number][] = [];
  for (const table of tables) {
    const [expected, found] = [written.get(table.name) ?? new RowChecksum(), new RowChecksum()];
    for await (const rows of target.rows(table)) {
      for (const row of rows) found.add(row);
      await step(rows.length);
    }
    if (found.rows !== expected.rows || `${found}` !== `${expected}`) throw isDifferent(table, expected, found);
    report.push({ name: table.name, rows: found.rows, checksum: `${found}` });
  }
  const isBehind = await source.changedSince();
  await target.commit();
  report.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { source: source.description, target: target.description, tables: report, isBehind };
}

function isDifferent({ name }: MovedTable, expected: RowChecksum, found: RowChecksum): SetUpError {
  return new SetUpError(
    `Table ${name} is not the same in the target: ${found.rows} rows with checksum ${found}, expected ${expected.rows} with ${expected}. Nothing was kept there.`,
  );
}

/** The same migrations created both databases, so this only fails if one of them was changed by hand. */
function requireSameTables(source: readonly MovedTable[], target: readonly MovedTable[]): void {
  const shape = (tables: readonly MovedTable[]) =>
    JSON.stringify(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]).sort());
  if (shape(source) === shape(target)) return;
  throw new SetUpError('The tables of the two databases differ; expected those that the service creates.');
}
