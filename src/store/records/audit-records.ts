import type { Schema } from '../schema.ts';
import { type Session, statement } from '../statement.ts';
import { removeMark, setMark } from './set-mark.ts';

/** FHIR's action codes: create, read, update, execute. Source: HL7 FHIR R4 AuditEvent. */
export type AuditAction = 'C' | 'R' | 'U' | 'E';

/** FHIR's outcome codes: success, minor failure, serious failure. Source: HL7 FHIR R4 AuditEvent. */
export type AuditOutcome = 0 | 4 | 8;

/** What a row is about. Ids and numbers of the hospital, never who a patient is. */
export interface AuditSubject {
  readonly centerId?: number | undefined;
  readonly appointmentId?: number | undefined;
  readonly doctorId?: number | undefined;
  /** Day number of a doctor's day that was listed. */
  readonly day?: number | undefined;
  readonly feedbackId?: number | undefined;
  readonly messageId?: number | undefined;
}

/** How an appointment was changed. Source: HL7 v2 SIU. */
export interface AuditMove {
  /** Book, or the move's name. */
  readonly moveName?: string | undefined;
  readonly fromStatus?: number | undefined;
  readonly toStatus?: number | undefined;
  /** Wall minutes of the center. */
  readonly fromStart?: number | undefined;
  readonly toStart?: number | undefined;
}

export interface AuditEntry extends AuditSubject, AuditMove {
  /** Instant, ms. */
  readonly now: number;
  /** The contract's name; absent where a call was refused before it was read. */
  readonly operation: string | undefined;
  readonly action: AuditAction;
  readonly outcome: AuditOutcome;
  readonly resultCode?: number | undefined;
  /** ErrorCode of a call that was answered with a fault. */
  readonly errorCode?: string | undefined;
  /** As the clients file names it. */
  readonly client: string;
  /** Where the call came from: an IP address or a network; absent from a row that stands for many calls. */
  readonly address?: string | undefined;
  readonly transport: string | undefined;
  readonly correlationId: string;
}

/** A row as it is kept. */
export interface AuditEvent {
  readonly id: number;
  /** Instant, ms. */
  readonly recordedOn: number;
  readonly operation: string | null;
  readonly action: AuditAction;
  readonly outcome: AuditOutcome;
  readonly resultCode: number | null;
  readonly errorCode: string | null;
  readonly client: string;
  /** null in rows of earlier versions, and where a row stands for many calls. */
  readonly address: string | null;
  readonly transport: string | null;
  readonly correlationId: string;
  readonly centerId: number | null;
  readonly appointmentId: number | null;
  readonly doctorId: number | null;
  readonly day: number | null;
  readonly feedbackId: number | null;
  readonly messageId: number | null;
  readonly moveName: string | null;
  readonly fromStatus: number | null;
  readonly toStatus: number | null;
  readonly fromStart: number | null;
  readonly toStart: number | null;
}

/** Which rows; what is absent leaves all. */
export interface AuditFilter {
  /** Instants, ms: from the first, before the second. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly appointmentId?: number | undefined;
  readonly centerId?: number | undefined;
  readonly client?: string | undefined;
}

/** Rows at a time: few enough that a page is read within a fraction of a call's time. */
const PAGE = 1000;

/** While this mark stands, the database lets rows go that are older than its value. No transaction leaves it behind. */
const FORGET_MARK = 'forget-audit';

/** A row as AuditEvent has it. */
export const AUDIT_COLUMNS = [
  'id',
  'recorded_on as recordedOn',
  'operation',
  'action',
  'outcome',
  'result_code as resultCode',
  'error_code as errorCode',
  'client',
  'address',
  'transport',
  'correlation_id as correlationId',
  'center_id as centerId',
  'appointment_id as appointmentId',
  'doctor_id as doctorId',
  'day',
  'feedback_id as feedbackId',
  'message_id as messageId',
  'move_name as moveName',
  'from_status as fromStatus',
  'to_status as toStatus',
  'from_at as fromStart',
  'to_at as toStart',
] as const;

/** The column of each detail that a row may have. */
const DETAILS: readonly (readonly [column: keyof Schema['audit_event'], detail: keyof AuditEntry])[] = [
  ['operation', 'operation'],
  ['result_code', 'resultCode'],
  ['error_code', 'errorCode'],
  ['address', 'address'],
  ['transport', 'transport'],
  ['center_id', 'centerId'],
  ['appointment_id', 'appointmentId'],
  ['doctor_id', 'doctorId'],
  ['day', 'day'],
  ['feedback_id', 'feedbackId'],
  ['message_id', 'messageId'],
  ['move_name', 'moveName'],
  ['from_status', 'fromStatus'],
  ['to_status', 'toStatus'],
  ['from_at', 'fromStart'],
  ['to_at', 'toStart'],
];

/** An insert for rows with some of the details: half of them are null in any row, and each that is bound costs. */
const insertWith = (given: readonly (typeof DETAILS)[number][]) =>
  statement((db, v: AuditEntry) =>
    db.insertInto('audit_event').values({
      recorded_on: v.now,
      action: v.action,
      outcome: v.outcome,
      client: v.client,
      correlation_id: v.correlationId,
      ...Object.fromEntries(given.map(([column, detail]) => [column, v[detail]])),
    }),
  );

/** By the details that are given, a bit each: an operation and its outcome always give the same. */
const inserts = new Map<number, ReturnType<typeof insertWith>>();

function insertFor(entry: AuditEntry): ReturnType<typeof insertWith> {
  let given = 0;
  for (const [index, [, detail]] of DETAILS.entries()) if (entry[detail] !== undefined) given |= 1 << index;
  let insert = inserts.get(given);
  if (insert === undefined) {
    insert = insertWith(DETAILS.filter((_, index) => (given & (1 << index)) !== 0));
    inserts.set(given, insert);
  }
  return insert;
}

const deleteEvents = statement((db, v: { until: number }) =>
  db
    .deleteFrom('audit_event')
    .where('id', 'in', (e) =>
      e
        .selectFrom('audit_event')
        .select('id')
        .where('recorded_on', '<', v.until)
        .orderBy('recorded_on')
        .orderBy('id')
        .limit(PAGE),
    )
    .returning('id'),
);

/** Who did what, when, to which appointment, and what came of it: written with each change, never altered. Source: HL7 FHIR R4 AuditEvent. */
export class AuditRecords {
  readonly #session: Session;
  constructor(session: Session) {
    this.#session = session;
  }

  async add(entry: AuditEntry): Promise<void> {
    await insertFor(entry)(this.#session, entry);
  }

  /** At most 1000 after one that was read (from the first without it), by time. */
  async page(filter: AuditFilter, after?: Pick<AuditEvent, 'id' | 'recordedOn'>): Promise<readonly AuditEvent[]> {
    const { since, until, appointmentId, centerId, client } = filter;
    let query = this.#session.db
      .selectFrom('audit_event')
      .select(AUDIT_COLUMNS)
      .orderBy('recorded_on')
      .orderBy('id')
      .limit(PAGE);
    if (since !== undefined) query = query.where('recorded_on', '>=', since);
    if (until !== undefined) query = query.where('recorded_on', '<', until);
    if (appointmentId !== undefined) query = query.where('appointment_id', '=', appointmentId);
    if (centerId !== undefined) query = query.where('center_id', '=', centerId);
    if (client !== undefined) query = query.where('client', '=', client);
    if (after !== undefined) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('recorded_on', 'id'), '>', tuple(after.recordedOn, after.id)),
      );
    }
    const { sql, parameters } = query.compile();
    return (await this.#session.run(sql, parameters)) as AuditEvent[];
  }

  /**
   * Deletes at most 1000 rows recorded before an instant (ms), the oldest first; gives how many. The only way: the database
   * refuses every other deletion. Call it in a transaction of its own, until it gives 0.
   */
  async forget(until: number): Promise<number> {
    await setMark(this.#session, { name: FORGET_MARK, value: String(until) });
    const deleted = await deleteEvents(this.#session, { until });
    await removeMark(this.#session, { name: FORGET_MARK });
    return deleted.length;
  }
}
