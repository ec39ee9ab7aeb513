import { Gauge, type Registry } from 'prom-client';
import type { Store } from '../store/store.ts';

const STATUSES: ReadonlyMap<number, string> = new Map([
  [1, 'Queued'],
  [2, 'Sending'],
  [8, 'Dead'],
]);

/**
 * How full the outbox is, asked of the database when somebody asks for the metrics. Where processes share a database each says the same,
 * so that the greatest counts.
 */
export function addOutboxMetrics(registry: Registry, store: Store, clock: () => number): void {
  new Gauge({
    name: 'tpws_messages',
    help: 'Text messages that wait (Queued), are on their way to the gateway (Sending) or were given up (Dead); 10000 are counted at most.',
    labelNames: ['status'],
    registers: [registry],
    aggregator: 'max',
    async collect() {
      const counts = await store.read(({ outboxGauge }) => outboxGauge.waiting()).catch(() => undefined);
      // Nothing is better than what was true while the database could still be asked.
      if (counts === undefined) return this.reset();
      for (const [status, name] of STATUSES) this.set({ status: name }, counts.get(status) ?? 0);
    },
  });
  new Gauge({
    name: 'tpws_oldest_queued_message_age_seconds',
    help: 'How long the oldest text message has waited; 0 if none waits.',
    registers: [registry],
    aggregator: 'max',
    async collect() {
      const queuedOn = await store.read(({ messageList }) => messageList.oldestQueuedOn()).catch(() => undefined);
      this.set(queuedOn === undefined ? 0 : Math.max(0, (clock() - queuedOn) / 1000));
    },
  });
}
