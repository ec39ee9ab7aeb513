import type { Store } from '../store/store.ts';
import { inTime } from './in-time.ts';
import { GAUGE_LIMIT, type Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';

export interface DatabaseMetricsDependencies {
  readonly store: Store;
  readonly readiness: Readiness;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Whether calls can be answered, how large the database is, and how old its last backup is. */
export function addDatabaseMetrics({ gauge }: Metrics, { store, readiness, clock }: DatabaseMetricsDependencies): void {
  gauge(
    'tpws_ready',
    '1 while calls can be answered, as /readyz says; 0 otherwise.',
    // Shorter than the gauge's own limit, so that a database that hangs is reported as not ready rather than as unknown.
    async () => ((await inTime(isReady(readiness), GAUGE_LIMIT / 2)) ? 1 : 0),
  );
  gauge('tpws_database_bytes', 'Size of the database; with SQLite including its write-ahead log.', () => store.size());
  gauge(
    'tpws_backup_age_seconds',
    'How long ago the last backup that tpws backup verified began; absent if there was none yet.',
    async () => {
      const begunOn = await store.read(({ backups }) => backups.lastOn());
      return begunOn === undefined ? undefined : Math.max(0, (clock() - begunOn) / 1000);
    },
  );
}

const isReady = async (readiness: Readiness): Promise<boolean> => (await readiness.check()) === undefined;
