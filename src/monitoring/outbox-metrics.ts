import { Gauge } from 'prom-client';
import { HELD_PRIORITY } from '../rules/sms-mode.ts';
import { MOST_COUNTED } from '../store/queries/outbox-gauge-queries.ts';
import type { Store } from '../store/store.ts';
import { MessageStatus } from '../vocabulary/messages.ts';
import { inTime } from './in-time.ts';
import { GAUGE_LIMIT, type Metrics } from './metrics.ts';

/**
 * How full the outbox is, read from the database when the metrics are requested. All processes that share a database report the same, so
 * their maximum is used. While the database cannot be read, nothing is reported: an old number, or 0, would keep an alert silent.
 */
export function addOutboxMetrics({ registry, gauge }: Metrics, store: Store, clock: () => number): void {
  new Gauge({
    name: 'tpws_messages',
    help: `Text messages in the outbox by status, ${MOST_COUNTED} of each at most; finished ones stay for OUTBOX_RETENTION_DAYS.`,
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      const counts = await inTime(countAll(store), GAUGE_LIMIT).catch(() => undefined);
      this.reset();
      for (const [status, count] of counts ?? []) this.set({ status }, count);
    },
  });
  gauge(
    'tpws_oldest_queued_message_age_seconds',
    'How long the oldest text message that may be sent has waited; 0 if none waits. Promotional ones count from the time at which their hours begin.',
    async () => {
      const now = clock();
      const since = await store.read(({ outboxGauge }) => outboxGauge.waitingSince(HELD_PRIORITY, now));
      return since === undefined ? 0 : Math.max(0, (now - since) / 1000);
    },
  );
}

/** By name of the status. The statuses are read one after another, so that most connections remain available to calls. */
const countAll = (store: Store): Promise<ReadonlyMap<string, number>> =>
  store.read(async ({ outboxGauge }) => {
    const counts = new Map<string, number>();
    for (const [name, status] of Object.entries(MessageStatus)) counts.set(name, await outboxGauge.count(status));
    return counts;
  });
