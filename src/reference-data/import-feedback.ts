import { ANONYMOUS } from '../access/client.ts';
import type { Queries } from '../store/store.ts';
import { readInstantText } from './instant-text.ts';
import { differingColumns, feedbackRow } from './record-rows.ts';
import type { RecordCounts, RecordRun, StagedFeedback } from './stage-records.ts';

/** Rows that are imported together. */
const BATCH = 2000;

/** Compares the rows with stored feedback, and adds those that are new. `timeZone` is that of times without an offset. */
export async function importFeedback(
  { imports }: Queries,
  { staged, missingIn, problems, writes, done }: RecordRun,
  timeZone: string,
): Promise<RecordCounts> {
  const counts = { added: 0, same: 0, last: 0 };
  for (const rows of staged.feedback.groups((_last, _next, size) => size >= BATCH)) {
    const stored = new Map((await imports.feedback(rows.map(({ id }) => id))).map((known) => [known.id, known]));
    const added = rows.map(feedbackOf).filter(({ row, feedback }) => {
      const before = stored.get(feedback.id);
      if (before === undefined) return true;
      counts.same++;
      const [now, then] = [feedbackRow(feedback, timeZone), feedbackRow(before, timeZone)];
      const different = differingColumns('feedback', row, missingIn(row.file), now, then);
      if (different.length > 0) {
        const message = `is already stored with a different ${different.join(', ')}; expected what is stored, or another number`;
        problems.add({ file: row.file, line: row.line, column: 'FeedbackID', value: `${row.id}`, message });
      }
      return false;
    });
    counts.added += added.length;
    counts.last = added.reduce((last, { feedback }) => Math.max(last, feedback.id), counts.last);
    if (writes && problems.isEmpty) await imports.addFeedback(added.map(({ feedback }) => feedback));
    done(rows.length);
  }
  return counts;

  function feedbackOf(row: StagedFeedback) {
    const receivedOn = readInstantText(row.receivedOn, timeZone) ?? 0;
    return { row, feedback: { ...row, receivedOn, client: row.client ?? ANONYMOUS.name } };
  }
}
