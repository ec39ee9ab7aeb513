import type { Log } from '../log/log.ts';
import type { Records, Store } from '../store/store.ts';

export interface RetentionDependencies {
  readonly store: Store;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** How long finished text messages and the audit trail are kept, in days; 0 is for ever. */
  readonly outboxDays: number;
  readonly auditDays: number;
  /** How long an Idempotency-Key stands for its answer, in milliseconds. */
  readonly idempotencyWindow: number;
}

/** What was deleted. */
interface Cleaned {
  readonly answers: number;
  readonly messages: number;
  readonly auditEvents: number;
}

export interface Retention {
  /** Deletes what is past its time, if no process on this database did so within the last hour; undefined if one did. */
  clean(): Promise<Cleaned | undefined>;
  /** Cleans now and then, until it is stopped; what goes wrong is logged. */
  start(): void;
  /** Resolves when nothing is being deleted any more. */
  stop(): Promise<void>;
}

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
/** How often each process looks whether it is time, in milliseconds. */
const LOOK = 10 * 60 * 1000;
/** Rows a transaction: few enough that no booking notices. */
const BATCH = 500;
/** Between two transactions others come in, in milliseconds. */
const PAUSE = 50;

/** Name under which the database remembers when it was cleaned, in milliseconds since the epoch. */
const CLEANED_MARK = 'cleaned-on';
/** While one process looks whether it is time, no other does. */
const RETENTION_KEYS = ['retention'];

/** Keeps the database from growing with what nobody may need any more: personal data are not kept for longer than they have to be. */
export function createRetention({
  store,
  log,
  clock,
  outboxDays,
  auditDays,
  idempotencyWindow,
}: RetentionDependencies): Retention {
  let isStopping = false;
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  /** Takes this hour's turn, which no other process has then. */
  const takeTurn = (): Promise<boolean> =>
    store.write(async ({ reference }) => {
      const last = Number(await reference.mark(CLEANED_MARK));
      // A clock that was set back must not end the cleaning for years.
      if (last <= clock() && clock() - last < HOUR) return false;
      await reference.setMark(CLEANED_MARK, String(clock()));
      return true;
    }, RETENTION_KEYS);

  /** `kept` in milliseconds; 0 is for ever. */
  async function forget(kept: number, batch: (records: Records, until: number) => Promise<number>): Promise<number> {
    if (kept === 0) return 0;
    const until = clock() - kept;
    let total = 0;
    while (!isStopping) {
      const count = await store.write((records) => batch(records, until), RETENTION_KEYS);
      if (count === 0) break;
      total += count;
      await new Promise((resume) => setTimeout(resume, PAUSE));
    }
    return total;
  }

  async function clean(): Promise<Cleaned | undefined> {
    if (!(await takeTurn())) return undefined;
    const answers = await forget(idempotencyWindow, ({ idempotency }, until) => idempotency.forget(until, BATCH));
    const messages = await forget(outboxDays * DAY, ({ messageList }, until) => messageList.forget(until, BATCH));
    const auditEvents = await forget(auditDays * DAY, ({ audit }, until) => audit.forget(until));
    if (answers > 0) log.info('old answers deleted', { count: answers });
    if (messages > 0) log.info('old messages deleted', { count: messages });
    if (auditEvents > 0) log.info('old audit events deleted', { count: auditEvents });
    return { answers, messages, auditEvents };
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
