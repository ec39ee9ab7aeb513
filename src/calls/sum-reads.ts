import { ANONYMOUS, callerName } from '../access/client.ts';
import { type AuditEntry, type AuditSubject, MOST_SHOWN, shownRecord } from '../store/queries/audit-queries.ts';
import { ResultCode } from '../vocabulary/result-codes.ts';
import { quantity } from '../vocabulary/text.ts';
import { type AuditRefusalDependencies, type Call, type CallEvent, tryToAudit } from './call.ts';

interface ReadSum {
  readonly key: string;
  readonly entry: Omit<AuditEntry, 'recordedOn'>;
  readonly shown: Set<string>;
  /** The rows of lists, by who reads and whom they show. */
  readonly rows: Map<string, Promise<unknown>>;
  /** Reads without a row of their own. */
  count: number;
  /** Those of earlier minutes, which could not be recorded. */
  earlier: number;
}

/** Unknown ids per minute. A program that follows its own bookings asks for none. */
const MANY_UNKNOWN = 100;

/** Lists that are remembered at a time, for all callers. Others are recorded whenever they are read. */
const MOST_LISTS = 2000;

/**
 * Records reads that clients often repeat, by the minute: a row has those of a client and center, and one those of ids that do not exist.
 * `address` of a client that is not identified is its network.
 */
export class SumReads {
  readonly #deps: AuditRefusalDependencies;
  readonly #sumOf: (key: string, begin: () => ReadSum) => ReadSum;
  /** How many are remembered. */
  #lists = 0;

  constructor(dependencies: AuditRefusalDependencies) {
    this.#deps = dependencies;
    this.#sumOf = dependencies.budgets.perMinute((sum) => this.#record(sum));
  }

  /** Of one appointment: which doctor somebody sees, and when, but not who. Without a subject, of an id that does not exist. */
  count({ read }: CallEvent): void {
    if (read === undefined) return;
    const { call, subject } = read;
    const sum = this.#sumFor(call, subject);
    sum.count++;
    // A client that reads more in a minute copies the hospital, and the count says so.
    if (subject && sum.shown.size < MOST_SHOWN) sum.shown.add(shownRecord(subject));
  }

  /** Of a list of patients, which may be shown once this resolves: a row of this minute, made by `record`, names them and the address. */
  list(call: Call, subject: AuditSubject, shown: string, record: () => Promise<unknown>): Promise<unknown> {
    const sum = this.#sumFor(call, subject);
    const { rows } = sum;
    const key = `${call.address} ${shown}`;
    const known = shown === '' ? Promise.resolve() : rows.get(key);
    if (known !== undefined) {
      sum.count++;
      return known;
    }
    const row = record();
    if (this.#lists === MOST_LISTS) return row;
    this.#lists++;
    rows.set(key, row);
    row.catch(() => {
      if (rows.delete(key)) this.#lists--;
    });
    return row;
  }

  #sumFor(call: Call, subject?: AuditSubject): ReadSum {
    const { operation, client, network, correlationId } = call;
    const centerId = subject?.centerId;
    const key = `${callerName(call)} ${operation.name} ${centerId}`;
    return this.#sumOf(key, () => {
      const resultCode = subject ? ResultCode.OK : ResultCode.AppointmentNotFound;
      const address = client === ANONYMOUS ? network : undefined;
      const caller = { client: client.name, address, correlationId, operation: operation.name };
      const entry = { ...caller, centerId, action: 'R', outcome: subject ? 0 : 4, resultCode } as const;
      return { key, entry, shown: new Set(), rows: new Map(), count: 0, earlier: 0 };
    });
  }

  async #record(sum: ReadSum): Promise<void> {
    const { store, log, clock } = this.#deps;
    const { key, entry, shown, rows, count, earlier } = sum;
    this.#lists -= rows.size;
    rows.clear();
    if (count + earlier === 0) return;
    const { client, address, correlationId, outcome, operation } = entry;
    const isUnknown = outcome !== 0;
    if (isUnknown && count >= MANY_UNKNOWN) {
      log.warn('many unknown appointments asked for', { operation, client, address, correlationId, count });
    }
    const errorCode = quantity(count + earlier, isUnknown ? 'unknown id' : 'read');
    const row = { ...entry, recordedOn: clock(), errorCode, shown: [...shown].join(' ') || undefined };
    if (await tryToAudit(store, log, row)) return;
    // Reads go on while nothing can be written. They are recorded with those of a later minute.
    const later = this.#sumOf(key, () => ({ ...sum, shown: new Set(), count: 0, earlier: 0 }));
    later.earlier += count + earlier;
    for (const id of shown) if (later.shown.size < MOST_SHOWN) later.shown.add(id);
  }
}
