import { setTimeout as sleep } from 'node:timers/promises';
import { IDEMPOTENCY_WINDOW_MS } from '../calls/transaction.ts';
import type { Config } from '../settings/config.ts';
import { forgetMessageFiles } from '../sms/message-file.ts';
import { DELETIONS } from '../store/queries/audit-queries.ts';
import type { Queries, Store } from '../store/store.ts';
import { MINUTES_PER_DAY } from '../vocabulary/appointments.ts';
import { isUnavailable } from '../vocabulary/errors.ts';
import type { ServiceDependencies } from './open-service.ts';

export interface RetentionDependencies extends Pick<ServiceDependencies, 'log' | 'clock' | 'newCorrelationId'> {
  readonly store: Store;
  readonly keptDays: Config['retentionDays'];
  /** The file of `SMS_GATEWAY=file:…`, whose lines are kept as long as messages. */
  readonly messageFile?: string | undefined;
}

/** How many of each were deleted, or ended in the case of `expired`. */
type Cleaned = Readonly<Record<keyof typeof DELETED | 'expired', number>>;

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** How often each process checks whether it is time. */
const CHECK_INTERVAL_MS = 10 * 60 * 1000;
/** Rows per transaction: few enough that no booking is noticeably delayed, even if each of their indexes has to be read from the disk. */
const BATCH = 100;
/** Appointments per transaction. It is smaller, because no booking runs at the same time. */
const APPOINTMENT_BATCH = 10;
/** Pause between two transactions, so that others can run. */
const PAUSE_MS = 50;

/** While one process checks whether it is time, or deletes, no other process does. */
const RETENTION_KEYS = ['retention'];

/** What is deleted, in words. */
export const DELETED = {
  appointments: 'appointments',
  messages: 'messages',
  feedback: 'feedback',
  auditEvents: 'audit events',
  answers: 'answers',
  messageFiles: 'message files',
} as const;

/** In the audit trail, no client can have this name, because names in the clients file contain no spaces. */
const CLIENT = 'the service';

/** The wall minute at which the last days ended that were over everywhere at an instant (ms): the westernmost zone is 12 hours behind UTC. */
const daysOverUntil = (instant: number): number => Math.floor((instant - 12 * HOUR_MS) / DAY_MS) * MINUTES_PER_DAY;

/** Keeps the database from growing with data that is no longer needed: personal data may be kept only as long as necessary. */
export function createRetention(dependencies: RetentionDependencies) {
  const { store, log, clock, newCorrelationId, keptDays, messageFile } = dependencies;
  let isStopping = false;
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  /** Whether no process has cleaned within the last hour, or it does not matter; if so, the next hour is this one's. */
  const claimHour = (atOnce: boolean): Promise<boolean> =>
    store.write(async ({ facts }) => {
      const now = clock();
      const last = (await facts.lastStart('cleaned-on')) ?? 0;
      if (!atOnce && Math.abs(now - last) < HOUR_MS) return false;
      await facts.noteStart('cleaned-on', now);
      return true;
    }, RETENTION_KEYS);

  /**
   * Deletes what is older than so many days, a few rows per transaction; returns how many. `batch` deletes some of what is older than an
   * instant (ms). If it runs alone, nothing else is written at the same time.
   */
  async function forget(
    what: keyof Cleaned,
    days: number | undefined,
    batch: (queries: Queries, until: number) => Promise<number>,
    runsAlone = false,
  ): Promise<number> {
    let total = 0;
    if (days === undefined || days === Number.POSITIVE_INFINITY) return total;
    const until = clock() - days * DAY_MS;
    while (!isStopping) {
      const count = await store.write((queries) => batch(queries, until), runsAlone ? undefined : RETENTION_KEYS);
      if (count === 0) break;
      total += count;
      await sleep(PAUSE_MS);
    }
    return logged(what, total);
  }

  function logged(what: keyof Cleaned, count: number): number {
    if (count > 0) log.info(what === 'expired' ? 'messages expired' : `old ${DELETED[what]} deleted`, { count });
    return count;
  }

  /** A row in the audit trail, in the transaction that deletes. `deleted` names the records, from which exports since a time follow. */
  async function audited(queries: Queries, operation: string, count: number, deleted?: readonly string[]) {
    if (count === 0) return 0;
    await queries.audit.add({
      recordedOn: clock(),
      operation,
      action: 'E',
      outcome: 0,
      errorCode: `${count} deleted`,
      client: CLIENT,
      transport: undefined,
      correlationId: newCorrelationId(),
      shown: deleted?.join(' '),
    });
    return count;
  }

  /** Deletes what has expired, if no process on this database did so within the last hour, or `atOnce`; undefined if one did. */
  async function clean(atOnce = false): Promise<Cleaned | undefined> {
    if (!(await claimHour(atOnce))) return undefined;
    const keptAnswers = IDEMPOTENCY_WINDOW_MS / DAY_MS;
    const rows = {
      answers: await forget('answers', keptAnswers, ({ idempotency }, until) =>
        idempotency.forget({ until, limit: BATCH }),
      ),
      // With SMS_GATEWAY=off, nobody else does this.
      expired: await forget('expired', 0, async ({ outbox }, now) => (await outbox.expire(now)).length),
      messages: await forget('messages', keptDays.messages, ({ messageList }, until) =>
        messageList.forget({ until, limit: BATCH }),
      ),
      // An appointment may be moved to another time at the same moment.
      appointments: await forget('appointments', keptDays.appointments, forgetAppointments, true),
      feedback: await forget('feedback', keptDays.feedback, async (queries, until) => {
        const deleted = await queries.feedback.forget(until, BATCH);
        return audited(queries, DELETIONS.feedback, deleted.length, deleted);
      }),
      auditEvents: await forget('auditEvents', keptDays.auditEvents, async (queries, until) =>
        audited(queries, 'DeleteAuditEvents', await queries.audit.forget(until)),
      ),
    };
    // Even if nothing was deleted: another process's erasure may be in the log. First, because a folder may be one that cannot be changed.
    await store.purge();
    return { ...rows, messageFiles: await forgetFiles() };
  }

  async function forgetAppointments(queries: Queries, until: number): Promise<number> {
    const deleted = await queries.appointments.forget(daysOverUntil(until), APPOINTMENT_BATCH);
    return audited(queries, DELETIONS.appointments, deleted.length, deleted);
  }

  async function forgetFiles(): Promise<number> {
    const { messages: days = Number.POSITIVE_INFINITY } = keptDays;
    if (messageFile === undefined || days === Number.POSITIVE_INFINITY) return 0;
    return logged('messageFiles', await forgetMessageFiles(messageFile, clock(), clock() - days * DAY_MS));
  }

  const check = () => {
    running = clean().catch((error: unknown) => {
      // While the database is away, which readiness reports, this is no failure of its own: the next check deletes them.
      if (isUnavailable(error)) log.warn('old rows are deleted later', { error });
      else log.error('old rows cannot be deleted', { error });
    });
  };

  return {
    clean,
    /** Cleans periodically until it is stopped. Errors are logged. */
    start: () => {
      check();
      timer = setInterval(check, CHECK_INTERVAL_MS).unref();
    },
    /** Resolves when no deletion is in progress. */
    stop: async () => {
      isStopping = true;
      clearInterval(timer);
      await running;
    },
  };
}
