import type { Log } from '../log/log.ts';
import type { Queries, Store } from '../store/store.ts';
import { MINUTES_PER_DAY } from '../vocabulary/appointments.ts';

export interface RetentionDependencies {
  readonly store: Store;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly newCorrelationId: () => string;
  /** How long each kind of data is kept, in days; 0 means forever. */
  readonly keptDays: {
    /** Finished text messages, counted from when they were queued. */
    readonly messages: number;
    /** Appointments that no longer occupy a slot, counted from their day. */
    readonly appointments: number;
    readonly feedback: number;
    readonly auditEvents: number;
  };
  /** How long the answer for an Idempotency-Key is kept, in milliseconds. */
  readonly idempotencyWindow: number;
}

/** What was deleted. */
interface Cleaned {
  readonly answers: number;
  readonly messages: number;
  readonly appointments: number;
  readonly feedback: number;
  readonly auditEvents: number;
}

export interface Retention {
  /** Deletes what has expired, if no process on this database did so within the last hour; undefined if one did. */
  clean(): Promise<Cleaned | undefined>;
  /** Cleans periodically until it is stopped. Errors are logged. */
  start(): void;
  /** Resolves when no deletion is in progress. */
  stop(): Promise<void>;
}

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
/** How often each process checks whether it is time, in milliseconds. */
const LOOK = 10 * 60 * 1000;
/** Rows per transaction: few enough that no booking is noticeably delayed. */
const BATCH = 500;
/** Appointments per transaction. It is smaller, because no booking runs at the same time. */
const APPOINTMENT_BATCH = 100;
/** Pause between two transactions, so that others can run, in milliseconds. */
const PAUSE = 50;

/** Name under which the database records when it was last cleaned, in milliseconds since the epoch. */
const CLEANED_FACT = 'cleaned-on';
/** Name under which the database records when deletions were put off, in milliseconds since the epoch; empty if they are not. */
const PUT_OFF_FACT = 'cleaning-put-off-on';
/** After a longer break than this, the clock may be wrong, in milliseconds. */
const LONGEST_BREAK = 7 * DAY;
/** How long an operator has to correct the clock, in milliseconds. */
const PUT_OFF = DAY;
/** While one process checks whether it is time, no other process does. */
const RETENTION_KEYS = ['retention'];

/** In the audit trail, no client can have this name, because names in the clients file contain no spaces. */
const CLIENT = 'the service';

/** The wall minute at which the last days ended that were over everywhere at an instant (ms): the westernmost zone is 12 hours behind UTC. */
const daysOverUntil = (instant: number): number => Math.floor((instant - 12 * HOUR) / DAY) * MINUTES_PER_DAY;

interface Cleaner {
  readonly what: keyof Cleaned;
  /** The name used in the log. */
  readonly words: string;
  /** Milliseconds; 0 means forever. */
  readonly kept: number;
  /** Like those of Store.write. */
  readonly keys: readonly string[] | undefined;
  /** Deletes some of what is older than an instant (ms); returns how many. */
  readonly batch: (queries: Queries, until: number) => Promise<number>;
}

/** Keeps the database from growing with data that is no longer needed: personal data may be kept only as long as necessary. */
export function createRetention({
  store,
  log,
  clock,
  newCorrelationId,
  keptDays,
  idempotencyWindow,
}: RetentionDependencies): Retention {
  let isStopping = false;
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  /** Claims this hour's turn, so that no other process has it. */
  async function takeTurn(): Promise<boolean> {
    let putOffAfter: number | undefined;
    const isTaken = await store.write(async ({ facts }) => {
      const now = clock();
      const last = Number((await facts.get(CLEANED_FACT)) ?? 0);
      // A clock that was set back must not stop the cleaning for years.
      if (last <= now && now - last < HOUR) return false;
      // A clock that was set years ahead must not delete everything at once.
      if (last > 0 && now - last > LONGEST_BREAK) {
        const putOffOn = Number((await facts.get(PUT_OFF_FACT)) ?? '');
        // It was put off by a clock that has been corrected since, or not at all.
        if (putOffOn === 0 || putOffOn > now) {
          await facts.set(PUT_OFF_FACT, String(now));
          putOffAfter = now - last;
          return false;
        }
        if (now - putOffOn < PUT_OFF) return false;
      }
      await facts.set(PUT_OFF_FACT, '');
      await facts.set(CLEANED_FACT, String(now));
      return true;
    }, RETENTION_KEYS);
    if (putOffAfter !== undefined) {
      log.warn('nothing is deleted for a day, because the last deletion is so long ago that the clock may be wrong', {
        milliseconds: putOffAfter,
      });
    }
    return isTaken;
  }

  async function forget({ kept, keys, batch }: Cleaner): Promise<number> {
    if (kept === 0) return 0;
    const until = clock() - kept;
    let total = 0;
    while (!isStopping) {
      const count = await store.write((queries) => batch(queries, until), keys);
      if (count === 0) break;
      total += count;
      await new Promise((resume) => setTimeout(resume, PAUSE));
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
      words: 'answers',
      kept: idempotencyWindow,
      keys: RETENTION_KEYS,
      batch: ({ idempotency }, until) => idempotency.forget(until, BATCH),
    },
    {
      what: 'messages',
      words: 'messages',
      kept: keptDays.messages * DAY,
      keys: RETENTION_KEYS,
      batch: ({ messageList }, until) => messageList.forget(until, BATCH),
    },
    {
      what: 'appointments',
      words: 'appointments',
      kept: keptDays.appointments * DAY,
      // Alone, because a NoShow may be moved to another time at the same moment.
      keys: undefined,
      batch: async (queries, until) =>
        audited(
          queries,
          'DeleteAppointments',
          await queries.appointments.forget(daysOverUntil(until), APPOINTMENT_BATCH),
        ),
    },
    {
      what: 'feedback',
      words: 'feedback',
      kept: keptDays.feedback * DAY,
      keys: RETENTION_KEYS,
      batch: async (queries, until) => audited(queries, 'DeleteFeedback', await queries.feedback.forget(until, BATCH)),
    },
    {
      what: 'auditEvents',
      words: 'audit events',
      kept: keptDays.auditEvents * DAY,
      keys: RETENTION_KEYS,
      batch: ({ audit }, until) => audit.forget(until),
    },
  ];

  async function clean(): Promise<Cleaned | undefined> {
    if (!(await takeTurn())) return undefined;
    const counts = { answers: 0, messages: 0, appointments: 0, feedback: 0, auditEvents: 0 };
    for (const cleaner of cleaners) {
      const count = await forget(cleaner);
      counts[cleaner.what] = count;
      if (count > 0) log.info(`old ${cleaner.words} deleted`, { count });
    }
    if (Object.values(counts).some((count) => count > 0)) await store.purge();
    return counts;
  }

  const look = () => {
    running = clean().catch((error: unknown) => log.error('old rows cannot be deleted', { error }));
  };

  return {
    clean,
    start: () => {
      look();
      timer = setInterval(look, LOOK);
      timer.unref();
    },
    stop: async () => {
      isStopping = true;
      clearInterval(timer);
      await running;
    },
  };
}
