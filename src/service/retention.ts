import { setTimeout as sleep } from 'node:timers/promises';
import { IDEMPOTENCY_WINDOW_MS } from '../calls/transaction.ts';
import { clockDoubt } from '../doctor/records.ts';
import type { Log } from '../log/log.ts';
import { forgetMessageFiles } from '../messages/message-file.ts';
import type { Config } from '../settings/config.ts';
import { DELETIONS } from '../store/queries/audit-queries.ts';
import type { Queries, Store } from '../store/store.ts';
import { MINUTES_PER_DAY } from '../vocabulary/appointments.ts';
import { isUnavailable, SetUpError } from '../vocabulary/errors.ts';
import type { Machine } from '../vocabulary/machine.ts';

export interface RetentionDependencies extends Pick<Machine, 'clock' | 'newId'> {
  readonly log: Log;
  readonly store: Store;
  readonly keptDays: Config['retentionDays'];
  /** The file of `SMS_GATEWAY=file:…`, whose lines are kept as long as messages. */
  readonly messageFile?: string | undefined;
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const CHECK_INTERVAL_MS = 10 * 60 * 1000;
/** Rows per transaction: few enough that no booking is noticeably delayed, even if each of their indexes has to be read from the disk. */
const BATCH = 100;
/** Appointments per transaction. It is smaller, because no booking runs at the same time. */
const APPOINTMENT_BATCH = 10;
/** Pause between two transactions, so that others can run. */
const PAUSE_MS = 50;

/** While one process checks whether it is time, or deletes, no other process does. */
const RETENTION_KEYS = ['retention'];

export const DELETED = {
  appointments: 'appointments',
  messages: 'messages',
  feedback: 'feedback',
  auditEvents: 'audit events',
  answers: 'answers',
  messageFiles: 'message files',
} as const;

/** Deletes some of what is older than an instant, ms. Resolves with how many, or with what the audit trail calls them. */
type Batch = (queries: Queries, until: number) => Promise<number | readonly string[]>;

const BATCHES = {
  answers: ({ idempotency }, until) => idempotency.forget({ until, limit: BATCH }),
  // With SMS_GATEWAY=off, nobody else does this.
  expired: async ({ outbox }, now) => (await outbox.expire(now)).length,
  messages: ({ messageList }, until) => messageList.forget({ until, limit: BATCH }),
  appointments: ({ appointments }, until) => appointments.forget(daysOverUntil(until), APPOINTMENT_BATCH),
  feedback: ({ feedback }, until) => feedback.forget(until, BATCH),
  auditEvents: ({ audit }, until) => audit.forget(until),
} as const satisfies Readonly<Record<string, Batch>>;

type Rows = keyof typeof BATCHES;

/** How many of each were deleted, or ended in the case of `expired`. */
type Cleaned = Readonly<Record<Rows | 'messageFiles', number>>;

/** The operations of the rows in the audit trail, where no client can have this name: names in the clients file contain no spaces. */
const OPERATIONS: Partial<Record<Rows, string>> = { ...DELETIONS, auditEvents: 'DeleteAuditEvents' };
const CLIENT = 'the service';

/** What does not keep `clean` from deleting: that it did so within the hour, or that the clock is far ahead of what was recorded. */
interface Leave {
  readonly atOnce?: boolean;
  readonly isSure?: boolean;
}

/** The wall minute at which the last days ended that were over everywhere at an instant (ms): the westernmost zone is 12 hours behind UTC. */
const daysOverUntil = (instant: number): number => Math.floor((instant - 12 * HOUR_MS) / DAY_MS) * MINUTES_PER_DAY;

/** Keeps the database from growing with data that is no longer needed: personal data may be kept only as long as necessary. */
export class Retention {
  readonly #deps: RetentionDependencies;
  #isStopping = false;
  #running: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(dependencies: RetentionDependencies) {
    this.#deps = dependencies;
  }

  /** Cleans periodically until it is stopped. Errors are logged. */
  start(): void {
    this.#check();
    this.#timer = setInterval(() => this.#check(), CHECK_INTERVAL_MS).unref();
  }

  /** Resolves when no deletion is in progress. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  /**
   * Deletes what has expired, if no process on this database did so within the last hour, or `atOnce`; undefined if one did. Throws SetUpError
   * if the clock is doubted, unless the operator `isSure` of it.
   */
  async clean(leave: Leave = {}): Promise<Cleaned | undefined> {
    const { store, keptDays } = this.#deps;
    const claim = await this.#claimHour(leave);
    if (claim === false) return undefined;
    if (claim !== true) {
      await store.purge();
      throw new SetUpError(claim);
    }
    const rows = {
      answers: await this.#forget('answers', IDEMPOTENCY_WINDOW_MS / DAY_MS),
      expired: await this.#forget('expired', 0),
      messages: await this.#forget('messages', keptDays.messages),
      appointments: await this.#forget('appointments', keptDays.appointments),
      feedback: await this.#forget('feedback', keptDays.feedback),
      auditEvents: await this.#forget('auditEvents', keptDays.auditEvents),
    };
    // Even if nothing was deleted: another process's erasure may be in the log. First, because a folder may be one that cannot be changed.
    await store.purge();
    return { ...rows, messageFiles: await this.#forgetFiles() };
  }

  #check(): void {
    const { log } = this.#deps;
    this.#running = this.clean().catch((error: unknown) => {
      // While the database is away, which readiness reports, this is no failure of its own: the next check deletes them.
      if (isUnavailable(error) || error instanceof SetUpError) log.warn('old rows are deleted later', { error });
      else log.error('old rows cannot be deleted', { error });
    });
  }

  /** Whether no process has cleaned within the last hour, or it does not matter: the next hour is then this one's. Else, why nothing is deleted. */
  #claimHour({ atOnce = false, isSure = false }: Leave): Promise<boolean | string> {
    const { store, clock } = this.#deps;
    return store.write(async ({ facts }) => {
      const now = clock();
      const last = (await facts.lastStart('cleaned-on')) ?? 0;
      if (!atOnce && Math.abs(now - last) < HOUR_MS) return false;
      const doubt = await clockDoubt(facts, now);
      if (doubt !== undefined && !isSure && !(await facts.hasGoneOn(now))) return doubt;
      await facts.noteStart('cleaned-on', now);
      return true;
    }, RETENTION_KEYS);
  }

  /** Deletes what is older than so many days, a few rows per transaction; returns how many. */
  async #forget(what: Rows, days: number | undefined): Promise<number> {
    let total = 0;
    if (days === undefined || days === Number.POSITIVE_INFINITY) return total;
    const { store, clock } = this.#deps;
    const until = clock() - days * DAY_MS;
    // An appointment may be moved to another time at the same moment, so nothing else is written while some are deleted.
    const keys = what === 'appointments' ? undefined : RETENTION_KEYS;
    while (!this.#isStopping) {
      const count = await store.write((queries) => this.#forgetSome(queries, what, until), keys);
      if (count === 0) break;
      total += count;
      await sleep(PAUSE_MS);
    }
    return this.#logged(what, total);
  }

  /** With a row in the audit trail that names what is deleted, from which exports since a time follow. */
  async #forgetSome(queries: Queries, what: Rows, until: number): Promise<number> {
    // What is old has only times and numbers.
    await queries.facts.planByValues();
    const deleted: Awaited<ReturnType<Batch>> = await BATCHES[what](queries, until);
    const [count, names] = typeof deleted === 'number' ? [deleted] : [deleted.length, deleted.join(' ')];
    const operation = OPERATIONS[what];
    if (count === 0 || operation === undefined) return count;
    await queries.audit.add({
      recordedOn: this.#deps.clock(),
      operation,
      action: 'E',
      outcome: 0,
      errorCode: `${count} deleted`,
      client: CLIENT,
      correlationId: this.#deps.newId(),
      shown: names,
    });
    return count;
  }

  async #forgetFiles(): Promise<number> {
    const { messageFile, clock, keptDays } = this.#deps;
    const { messages: days = Number.POSITIVE_INFINITY } = keptDays;
    if (messageFile === undefined || days === Number.POSITIVE_INFINITY) return 0;
    return this.#logged('messageFiles', await forgetMessageFiles(messageFile, clock(), clock() - days * DAY_MS));
  }

  #logged(what: keyof Cleaned, count: number): number {
    const event = what === 'expired' ? 'messages expired' : `old ${DELETED[what]} deleted`;
    if (count > 0) this.#deps.log.info(event, { count });
    return count;
  }
}
