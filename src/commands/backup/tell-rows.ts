import type { BackupReport } from '../../store/backup-report.ts';
import type { Output } from '../progress-bar.ts';

/** One line per table. */
export function tellRows(output: Output, { rows }: BackupReport): void {
  for (const [table, count] of rows) output.write(`${table}: ${count} ${count === 1 ? 'row' : 'rows'}\n`);
}
