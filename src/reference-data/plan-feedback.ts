import { ANONYMOUS } from '../access/client.ts';
import type { Queries } from '../store/store.ts';
import type { StoredFeedback } from '../vocabulary/stored-records.ts';
import { feedbackDifferences } from './differences.ts';
import { readInstantText } from './instant-text.ts';
import type { Problem } from './problem.ts';
import type { GivenRow } from './read-table-file.ts';
import type { RowOfTable } from './tables.ts';

/** What an import changes in feedback. */
export interface FeedbackPlan {
  readonly added: readonly StoredFeedback[];
  /** Number of rows that are already stored, unchanged. */
  readonly same: number;
  readonly problems: readonly Problem[];
}

/** Compares the rows with stored feedback. `timeZone` is the zone of times that do not belong to a center. */
export async function planFeedback(
  { imports }: Queries,
  rows: readonly GivenRow<RowOfTable<'feedback'>>[],
  timeZone: string,
): Promise<FeedbackPlan> {
  const stored = new Map((await imports.feedback(rows.map(({ row }) => row.id))).map((known) => [known.id, known]));
  const problems: Problem[] = [];
  const added: StoredFeedback[] = [];
  for (const given of rows) {
    const { row, place } = given;
    const receivedOn = readInstantText(row.receivedOn, timeZone) ?? 0;
    const feedback = { ...row, receivedOn, client: row.client ?? ANONYMOUS.name };
    const before = stored.get(row.id);
    if (before === undefined) added.push(feedback);
    const different = before === undefined ? [] : feedbackDifferences(given, feedback, before, timeZone);
    if (different.length === 0) continue;
    const message = `is already stored with a different ${different.join(', ')}; expected what is stored, or another number`;
    problems.push({ ...place, column: 'FeedbackID', value: `${row.id}`, message });
  }
  return { added, same: rows.length - added.length, problems };
}
