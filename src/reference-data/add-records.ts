import type { Queries } from '../store/store.ts';
import type { AppointmentPlan } from './plan-appointments.ts';
import type { FeedbackPlan } from './plan-feedback.ts';
import type { Progress } from './raw-table.ts';

interface Plans {
  readonly appointments: AppointmentPlan;
  readonly feedback: FeedbackPlan;
}

interface ImportRun {
  /** Digest of the files, in hexadecimal digits. */
  readonly digest: string;
  /** Instant, ms. */
  readonly now: number;
}

/** The actor in the audit trail, because an import has no caller. */
const IMPORTER = 'tpws import';

/** Adds appointments and feedback, and the audit row that records this. Must run within one write. */
export async function addRecords(
  { imports, audit }: Queries,
  { appointments, feedback }: Plans,
  { digest, now }: ImportRun,
  progress: Progress,
): Promise<void> {
  const total = appointments.added.length + feedback.added.length;
  if (total === 0) return;
  let done = 0;
  const written = (rows: number) => {
    done += rows;
    progress(done / total);
  };
  await imports.addAppointments(appointments.added, written);
  for (const token of appointments.tokens) await imports.putDayToken(token);
  await imports.addFeedback(feedback.added, written);
  await audit.add({
    now,
    operation: 'Import',
    action: 'C',
    outcome: 0,
    client: IMPORTER,
    transport: undefined,
    correlationId: importName(digest),
    moveName: `Import of ${appointments.added.length} appointments and ${feedback.added.length} feedback records`,
  });
}

/** The name of an import in the audit trail, derived from its files: 128 bits of their SHA-256. */
export const importName = (digest: string): string => `import-${digest.slice(0, 32)}`;
