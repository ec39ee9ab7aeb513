import { setTimeout as sleep } from 'node:timers/promises';
import { IDEMPOTENCY_WINDOW_MS } from '../calls/transaction.ts';
import type { Log } from '../log/log.ts';
import type { Config } from '../settings/config.ts';
import type { Queries, Store } from '../store/store.ts';
import { MINUTES_PER_DAY } from '../vocabulary/appointments.ts';

export interface RetentionDependencies {
  readonly store: Store;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly newCorrelationId: () => string;
  /** How long each kind of data is kept; 0 means forever. */
  readonly keptDays: Config['retentionDays'];
}

type Cleaned = Config['retentionDays'] & { readonly answers: number };

export interface Retention {
  /** Deletes what has expired, if no process on this database did so within the last hour; undefined if one did. */
  clean(): Promise<Cleaned | undefined>;
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

/** Name under which the database records when it was last cleaned, in milliseconds since the epoch. */
const CLEANED_FACT = 'cleaned-on';
/** While one process checks whether it is time, or deletes, no other process does. */
const RETENTION_KEYS = ['retention'];

const LOG_EVENTS: Readonly<Record<keyof Cleaned, string>> = {
  answers: 'old answers deleted',
  messages: 'old messages deleted',
  appointments: 'old appointments deleted',
  feedback: 'old feedback deleted',
  auditEvents: 'old audit events deleted',
};

/** In the audit trail, no client can have this name, because names in the clients file contain no spaces. */
const CLIENT = 'the service';

/** The wall minute at which the last days ended that were over everywhere at an instant (ms): the westernmost zone is 12 hours behind UTC. */
const daysOverUntil = (instant: number): number => Math.floor((instant - 12 * HOUR_MS) / DAY_MS) * MINUTES_PER_DAY;

interface Cleaner {
  readonly what: keyof Cleaned;
  /** 0 means forever. */
  readonly keptMs: number;
  /** Whether nothing else may be written at the same time. */
  readonly runsAlone?: true;
  /** Deletes some of what is older than an instant (ms); returns how many. */
  readonly batch: (queries: Queries, until: number) => Promise<number>;
}

/** Keeps the database from growing with data that is no longer needed: personal data may be kept only as long as necessary. */
export function createRetention({ store, log, clock, newCorrelationId, keptDays }: RetentionDependencies): Retention {
  let isStopping = false;
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  /** Whether no process has cleaned within the last hour; if so, the next hour is this one's. */
  const claimHour = (): Promise<boolean> =>
    store.write(async ({ facts }) => {
      const now = clock();
      const last = Number((await facts.get(CLEANED_FACT)) ?? 0);
      if (Math.abs(now - last) < HOUR_MS) return false;
      await facts.set(CLEANED_FACT, String(now));
      return true;
    }, RETENTION_KEYS);

  async function forget({ keptMs, runsAlone, batch }: Cleaner): Promise<number> {
    if (keptMs === 0) return 0;
    const until = clock() - keptMs;
    let total = 0;
    while (!isStopping) {
      const count = await store.write((queries) => batch(queries, until), runsAlone ? undefined : RETENTION_KEYS);
      if (count === 0) break;
      total += count;
      await sleep(PAUSE_MS);
    }
    return total;
  }

  /** Deletions from the hospital's own records get a row in the audit trail, in the same transaction. */
  async function audited(queries: Queries, operation: string, count: number): Promise<number> {
    if (count === 0) return 0;
    await queries.audit.add({
      now: clock(),
      operation,
      action: 'E',
      outcome: 0,
      errorCode: `${count} deleted`,
      client: CLIENT,
      transport: undefined,
      correlationId: newCorrelationId(),
    });
    return count;
  }

  const cleaners: readonly Cleaner[] = [
    {
      what: 'answers',
      keptMs: IDEMPOTENCY_WINDOW_MS,
      batch: ({ idempotency }, until) => idempotency.forget(until, BATCH),
    },
    {
      what: 'messages',
      keptMs: keptDays.messages * DAY_MS,
      batch: ({ messageList }, until) => messageList.forget(until, BATCH),
    },
    {
      what: 'appointments',
      keptMs: keptDays.appointments * DAY_MS,
      // A NoShow may be moved to another time at the same moment.
      runsAlone: true,
      batch: async (queries, until) =>
        audited(
          queries,
          'DeleteAppointments',
          await queries.appointments.forget(daysOverUntil(until), APPOINTMENT_BATCH),
        ),
    },
    {
      what: 'feedback',
      keptMs: keptDays.feedback * DAY_MS,
      batch: async (queries, until) => audited(queries, 'DeleteFeedback', await queries.feedback.forget(until, BATCH)),
    },
    {
      what: 'auditEvents',
      keptMs: keptDays.auditEvents * DAY_MS,
      batch: ({ audit }, until) => audit.forget(until),
    },
  ];

  async function clean(): Promise<Cleaned | undefined> {
    if (!(await claimHour())) return undefined;
    const counts = { answers: 0, messages: 0, appointments: 0, feedback: 0, auditEvents: 0 };
    for (const cleaner of cleaners) {
      const count = await forget(cleaner);
      counts[cleaner.what] = count;
      if (count > 0) log.info(LOG_EVENTS[cleaner.what], { count });
    }
    if (Object.values(counts).some((count) => count > 0)) await store.purge();
    return counts;
  }

  const check = () => {
    running = clean().catch((error: unknown) => log.error('old rows cannot be deleted', { error }));
  };

  return {
    clean,
    start: () => {
      check();
      timer = setInterval(check, CHECK_INTERVAL_MS);
      timer.unref();
    },
    stop: async () => {
      isStopping = true;
      clearInterval(timer);
      await running;
    },
  };
}
