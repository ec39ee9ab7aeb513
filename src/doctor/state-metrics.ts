import { collectDefaultMetrics, Gauge } from 'prom-client';
import type { HttpServer } from '../http/http-server.ts';
import { smsStatusText } from '../messages/sms-text.ts';
import { MOST_COUNTED } from '../store/queries/message-list-queries.ts';
import type { Store } from '../store/store.ts';
import { inTime } from '../vocabulary/in-time.ts';
import type { Machine } from '../vocabulary/machine.ts';
import { MessageStatus } from '../vocabulary/messages.ts';
import { GAUGE_LIMIT_MS, type Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';

export interface StateMetricsDependencies extends Pick<Machine, 'clock'> {
  readonly store: Store;
  readonly readiness: Readiness;
  readonly gatewayFailingMs: () => number;
}

/**
 * Whether calls can be answered, how large the database is, how old its last backup is, and how full the outbox is, read when the metrics
 * are requested. All replicas that share a database report the same. While the database cannot be read, nothing is reported: an old
 * number, or 0, would keep an alert silent.
 */
export function addStateMetrics(
  metrics: Metrics,
  { store, readiness, clock, gatewayFailingMs }: StateMetricsDependencies,
): void {
  metrics.gauge(
    'tpws_ready',
    '1 while calls can be answered, as /readyz says; 0 otherwise.',
    // Shorter than the gauge's own limit, so that a database that hangs is reported as not ready rather than as unknown.
    async () => ((await inTime(isReady(readiness), GAUGE_LIMIT_MS / 2)) ? 1 : 0),
  );
  metrics.gauge('tpws_database_bytes', 'Size of the database; with SQLite including its write-ahead log.', () =>
    store.size(),
  );
  metrics.gauge(
    'tpws_backup_age_seconds',
    'How long ago the last backup that tpws backup verified began; absent if there was none yet.',
    async () => {
      const begunOn = await store.read(({ facts }) => facts.lastStart('last-backup'));
      return begunOn === undefined ? undefined : Math.max(0, (clock() - begunOn) / 1000);
    },
  );
  new Gauge({
    name: 'tpws_messages',
    help: `Text messages in the outbox by status, ${MOST_COUNTED} of each at most; finished ones stay for OUTBOX_RETENTION_DAYS.`,
    labelNames: ['status'],
    registers: [metrics.registry],
    async collect() {
      const counts = await inTime(countAll(store), GAUGE_LIMIT_MS).catch(() => undefined);
      this.reset();
      for (const [status, count] of counts ?? []) this.set({ status }, count);
    },
  });
  new Gauge({
    name: 'tpws_messages_ended',
    help: 'Text messages that ended within the last hour by status and template, 10,000 at most; accepted ones count from then on. Cancelled ones are left out.',
    labelNames: ['status', 'template'],
    registers: [metrics.registry],
    async collect() {
      const reading = store.read(({ messageList }) => messageList.ended(clock() - 3_600_000));
      const ended = await inTime(reading, GAUGE_LIMIT_MS).catch(() => undefined);
      this.reset();
      for (const { status, tempid, count } of ended ?? []) {
        this.inc({ status: smsStatusText(status, null), template: tempid }, count);
      }
    },
  });
  metrics.gauge(
    'tpws_oldest_queued_message_age_seconds',
    'How long the oldest text message that may be sent has waited; 0 if none waits. Promotional ones count from the time at which they may be sent, once that is ten minutes ago.',
    async () => {
      const now = clock();
      const since = await store.read(({ messageList }) => messageList.waitingSince(now));
      return since === undefined ? 0 : Math.max(0, (now - since) / 1000);
    },
  );
  metrics.gauge(
    'tpws_gateway_failing_seconds',
    'How long the gateway has accepted none of the text messages that it was handed; 0 while it accepts them, and in a process that does not send.',
    () => gatewayFailingMs() / 1000,
  );
}

const isReady = async (readiness: Readiness): Promise<boolean> => (await readiness.check()) === undefined;

/** By name of the status. The statuses are read one after another, so that most connections remain available to calls. */
const countAll = (store: Store): Promise<ReadonlyMap<string, number>> =>
  store.read(async ({ messageList }) => {
    const counts = new Map<string, number>();
    for (const [name, status] of Object.entries(MessageStatus)) counts.set(name, await messageList.count(status));
    return counts;
  });

/** What this process uses, and what it had to drop. */
export function addProcessMetrics(metrics: Metrics, server: HttpServer, droppedLines: () => number): void {
  collectDefaultMetrics({ register: metrics.registry });
  metrics.gauge('tpws_connections', 'Open connections of clients.', server.connections);
  const refused = 'Connections closed at once since the start because there were too many.';
  metrics.gauge('tpws_connections_refused', refused, server.refusedConnections);
  const dropped = 'Log lines dropped since the start because they could not be written in time.';
  metrics.gauge('tpws_log_lines_dropped', dropped, droppedLines);
}
