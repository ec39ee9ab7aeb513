import { DEMO_MARK } from '../../reference-data/demo-data.ts';
import type { Config } from '../../settings/config.ts';
import { type Finding, warning } from './finding.ts';
import { readStored } from './read-stored.ts';

/** A hospital's database that a trial has used: callers could book its demo doctors. */
export async function checkDemoData({ database, demoData }: Config): Promise<readonly Finding[]> {
  if (demoData) return [];
  // An error of the database is reported by another check.
  const mark = await readStored(database, ({ reference }) => reference.mark(DEMO_MARK)).catch(() => undefined);
  if (mark === undefined) return [];
  return [
    warning(
      'demo data',
      'The database contains demo data, although DEMO_DATA is off: docs/reference-data.md says how to replace it.',
    ),
  ];
}
