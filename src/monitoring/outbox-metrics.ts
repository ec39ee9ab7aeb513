import { Gauge, type Registry } from 'prom-client';
import { MOST_COUNTED } from '../store/records/outbox-gauge-records.ts';
import type { Store } from '../store/store.ts';
import { MessageStatus } from '../vocabulary/message-status.ts';

/**
 * How full the outbox is, asked of the database when somebody asks for the metrics. Where processes share a database each says the same,
 * so that the greatest counts.
 */
export function addOutboxMetrics(registry: Registry, store: Store, clock: () => number): void {
  new Gauge({
    name: 'tpws_messages',
    help: `Text messages in the outbox by status, ${MOST_COUNTED} of each at most; those that are settled stay for OUTBOX_RETENTION_DAYS.`,
    labelNames: ['status'],
    registers: [registry],
    aggregator: 'max',
    async collect() {
      for (const [name, status] of Object.entries(MessageStatus)) {
        const count = await store.read(({ outboxGauge }) => outboxGauge.count(status)).catch(() => undefined);
        // Nothing is better than what was true while the database could still be asked.
        if (count === undefined) return this.reset();
        this.set({ status: name }, count);
      }
    },
  });
  new Gauge({
    name: 'tpws_oldest_queued_message_age_seconds',
    help: 'How long the oldest text message has waited; 0 if none waits, NaN while the database cannot be asked.',
    registers: [registry],
    aggregator: 'max',
    async collect() {
      const age = await store
        .read(({ messageList }) => messageList.oldestQueuedOn())
        .then(
          (queuedOn) => (queuedOn === undefined ? 0 : Math.max(0, (clock() - queuedOn) / 1000)),
          () => Number.NaN,
        );
      // Unknown is not 0: an alarm would fall silent because the database is away.
      this.set(age);
    },
  });
}
