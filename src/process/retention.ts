import { setTimeout as sleep } from 'node:timers/promises';
import { IDEMPOTENCY_WINDOW_MS } from '../calls/transaction.ts';
import type { Log } from '../log/log.ts';
import type { Config } from '../settings/config.ts';
import { forgetMessageFiles } from '../sms/message-file.ts';
import { DELETIONS } from '../store/queries/audit-queries.ts';
import type { Queries, Store } from '../store/store.ts';
import { MINUTES_PER_DAY } from '../vocabulary/appointments.ts';
import { isUnavailable } from '../vocabulary/errors.ts';

export interface RetentionDependencies {
  readonly store: Store;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly newCorrelationId: () => string;
  readonly keptDays: Config['retentionDays'];
  /** The file of `SMS_GATEWAY=file:…`, whose lines are kept as long as messages. */
  readonly messageFile?: string | undefined;
}

/** How many of each were deleted, or ended in the case of `expired`. */
type Cleaned = Record<keyof Config['retentionDays'] | 'answers' | 'expired' | 'messageFiles', number>;

export interface Retention {
  /** Deletes what has expired, if no process on this database did so within the last hour, or `atOnce`; undefined if one did. */
  clean(atOnce?: boolean): Promise<Cleaned | undefined>;
  /** Cleans periodically until it is stopped. Errors are logged. */
  start(): void;
  /** Resolves when no deletion is in progress. */
  stop(): Promise<void>;
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** How often each process checks whether it is time. */
const CHECK_INTERVAL_MS = 10 * 60 * 1000;
/** Rows per transaction: few enough that no booking is noticeably delayed. */
const BATCH = 500;
/** Appointments per transaction. It is smaller, because no booking runs at the same time. */
const APPOINTMENT_BATCH = 100;
/** Pause between two transactions, so that others can run. */
const PAUSE_MS = 50;

/** While one process checks whether it is time, or deletes, no other process does. */
const RETENTION_KEYS = ['retention'];

const LOG_EVENTS: Readonly<Record<keyof Cleaned, string>> = {
  answers: 'old answers deleted',
  expired: 'messages expired',
  messageFiles: 'old message files deleted',
  messages: 'old messages deleted',
  appointments: 'old appointments deleted',
  feedback: 'old feedback deleted',
  auditEvents: 'old audit events deleted',
};

const NONE = Object.fromEntries(Object.keys(LOG_EVENTS).map((what) => [what, 0])) as Cleaned;

/** In the audit trail, no client can have this name, because names in the clients file contain no spaces. */
const CLIENT = 'the service';

/** The wall minute at which the last days ended that were over everywhere at an instant (ms): the westernmost zone is 12 hours behind UTC. */
const daysOverUntil = (instant: number): number => Math.floor((instant - 12 * HOUR_MS) / DAY_MS) * MINUTES_PER_DAY;

interface Cleaner {
  readonly what: keyof Cleaned;
  /** Undefined or infinite means forever. */
  readonly keptDays: number | undefined;
  /** Whether nothing else may be written at the same time. */
  readonly runsAlone?: true;
  /** Deletes some of what is older than an instant (ms); returns how many. */
  readonly batch: (queries: Queries, until: number) => Promise<number>;
}

/** Keeps the database from growing with data that is no longer needed: personal data may be kept only as long as necessary. */
export function createRetention(dependencies: RetentionDependencies): Retention {
  const { store, log, clock, newCorrelationId, keptDays, messageFile } = dependencies;
  let isStopping = false;
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  /** Whether no process has cleaned within the last hour, or it does not matter; if so, the next hour is this one's. */
  const claimHour = (atOnce: boolean): Promise<boolean> =>
    store.write(async ({ facts }) => {
      const now = clock();
      const last = (await facts.lastCleanedOn()) ?? 0;
      if (!atOnce && Math.abs(now - last) < HOUR_MS) return false;
      await facts.noteCleaned(now);
      return true;
    }, RETENTION_KEYS);

  async function forget({ keptDays = Number.POSITIVE_INFINITY, runsAlone, batch }: Cleaner): Promise<number> {
    if (keptDays === Number.POSITIVE_INFINITY) return 0;
    const until = clock() - keptDays * DAY_MS;
    let total = 0;
    while (!isStopping) {
      const count = await store.write((queries) => batch(queries, until), runsAlone ? undefined : RETENTION_KEYS);
      if (count === 0) break;
      total += count;
      await sleep(PAUSE_MS);
    }
    return total;
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

  const cleaners: readonly Cleaner[] = [
    {
      what: 'answers',
      keptDays: IDEMPOTENCY_WINDOW_MS / DAY_MS,
      batch: ({ idempotency }, until) => idempotency.forget(until, BATCH),
    },
    {
      what: 'expired',
      keptDays: 0,
      // With SMS_GATEWAY=off, nobody else does this.
      batch: async ({ outbox }, now) => (await outbox.expire(now)).length,
    },
    {
      what: 'messages',
      keptDays: keptDays.messages,
      batch: ({ messageList }, until) => messageList.forget(until, BATCH),
    },
    {
      what: 'appointments',
      keptDays: keptDays.appointments,
      // One may be moved to another time at the same moment.
      runsAlone: true,
      batch: async (queries, until) => {
        const deleted = await queries.appointments.forget(daysOverUntil(until), APPOINTMENT_BATCH);
        return audited(queries, DELETIONS.appointments, deleted.length, deleted);
      },
    },
    {
      what: 'feedback',
      keptDays: keptDays.feedback,
      batch: async (queries, until) => {
        const deleted = await queries.feedback.forget(until, BATCH);
        return audited(queries, DELETIONS.feedback, deleted.length, deleted);
      },
    },
    {
      what: 'auditEvents',
      keptDays: keptDays.auditEvents,
      batch: async (queries, until) => audited(queries, 'DeleteAuditEvents', await queries.audit.forget(until)),
    },
  ];

  async function clean(atOnce = false): Promise<Cleaned | undefined> {
    if (!(await claimHour(atOnce))) return undefined;
    const counts = { ...NONE };
    const note = (what: keyof Cleaned, count: number) => {
      counts[what] = count;
      if (count > 0) log.info(LOG_EVENTS[what], { count });
    };
    for (const cleaner of cleaners) note(cleaner.what, await forget(cleaner));
    // A folder that cannot be changed must not keep deleted rows in the database's files.
    if (Object.values(counts).some((count) => count > 0)) await store.purge();
    if (messageFile !== undefined && Number.isFinite(keptDays.messages)) {
      const until = clock() - (keptDays.messages ?? 0) * DAY_MS;
      note('messageFiles', await forgetMessageFiles(messageFile, clock(), until));
    }
    return counts;
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
    start: () => {
      check();
      timer = setInterval(check, CHECK_INTERVAL_MS).unref();
    },
    stop: async () => {
      isStopping = true;
      clearInterval(timer);
      await running;
    },
  };
}
