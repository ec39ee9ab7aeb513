import { collectDefaultMetrics } from 'prom-client';
import type { HttpServer } from '../http/http-server.ts';
import { smsStatusText } from '../messages/sms-text.ts';
import type { Config } from '../settings/config.ts';
import { MOST_COUNTED } from '../store/queries/message-list-queries.ts';
import type { Store } from '../store/store.ts';
import { inTime } from '../vocabulary/in-time.ts';
import type { Machine } from '../vocabulary/machine.ts';
import { MessageStatus } from '../vocabulary/messages.ts';
import { VERSION } from '../vocabulary/version.ts';
import { certificateEnd } from './access.ts';
import { type Finding, VERDICTS } from './finding.ts';
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
  metrics.gauges('tpws_build_info', 'Always 1, labeled with the version that runs.', ['version'], async () => [
    [{ version: VERSION }, 1],
  ]);
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
    'How long ago the last backup that tpws backup verified began; absent if there was none yet, or the clock was ahead.',
    async () => {
      const ageMs = clock() - ((await store.read(({ facts }) => facts.lastStart('last-backup'))) ?? Infinity);
      // An age of 0 would keep the alert silent until the clock has caught up.
      return ageMs < 0 ? undefined : ageMs / 1000;
    },
  );
  metrics.gauges(
    'tpws_messages',
    `Text messages in the outbox by status, ${MOST_COUNTED} of each at most; finished ones stay for OUTBOX_RETENTION_DAYS.`,
    ['status'],
    // One after another, so that most connections remain available to calls.
    () =>
      store.read(async ({ messageList }) => {
        const counts: [{ status: string }, number][] = [];
        for (const [status, number] of Object.entries(MessageStatus)) {
          counts.push([{ status }, await messageList.count(number)]);
        }
        return counts;
      }),
  );
  metrics.gauges(
    'tpws_messages_ended',
    'Text messages that ended within the last hour by status and template, 10,000 at most; accepted ones count from then on. Cancelled ones are left out.',
    ['status', 'template'],
    async () => {
      const ended = await store.read(({ messageList }) => messageList.ended(clock() - 3_600_000));
      return ended.map(({ status, tempid, count }) => [{ status: smsStatusText(status), template: tempid }, count]);
    },
  );
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

/** Every level of each subject, because an alert must tell a finding that ended from one that was not looked at. */
export function addFindingMetrics(
  metrics: Metrics,
  config: Config,
  findings: (limitMs: number) => Promise<readonly Finding[]>,
): void {
  metrics.gauges(
    'tpws_findings',
    'Number of findings of the doctor, by subject and level: ok, warning or wrong.',
    ['subject', 'level'],
    async () =>
      (await findings(GAUGE_LIMIT_MS / 2)).flatMap(({ subject, verdict }) =>
        VERDICTS.map((level) => [{ subject, level }, Number(level === verdict)]),
      ),
  );
  metrics.gauge(
    'tpws_certificate_end_seconds',
    'When the certificate in TLS_CERT ends, in seconds since 1970; absent without one.',
    () => {
      const end = certificateEnd(config);
      return end && end.getTime() / 1000;
    },
  );
}

/** What this process uses, and what it had to drop. */
export function addProcessMetrics(metrics: Metrics, server: HttpServer, droppedLines: () => number): void {
  collectDefaultMetrics({ register: metrics.registry });
  metrics.gauge('tpws_connections', 'Open connections of clients.', server.connections);
  const refused = 'Connections closed at once since the start because there were too many.';
  metrics.gauge('tpws_connections_refused', refused, server.refusedConnections);
  const dropped = 'Log lines dropped since the start because they could not be written in time.';
  metrics.gauge('tpws_log_lines_dropped', dropped, droppedLines);
}
