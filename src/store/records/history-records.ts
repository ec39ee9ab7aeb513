import { type Session, statement } from '../statement.ts';

/** What happened to an appointment. Source: HL7 FHIR AuditEvent. */
export interface HistoryEntry {
  readonly appointmentId: number;
  /** Book, or the move's name. */
  readonly moveName: string;
  readonly fromStatus: number | undefined;
  readonly toStatus: number;
  /** Wall minutes. */
  readonly fromStart: number | undefined;
  readonly toStart: number;
  readonly transport: string;
  readonly correlationId: string;
  /** Instant, ms. */
  readonly now: number;
}

const insertHistory = statement((db, v: HistoryEntry) =>
  db.insertInto('appointment_history').values({
    appointment_id: v.appointmentId,
    happened_on: v.now,
    move_name: v.moveName,
    from_status: v.fromStatus ?? null,
    to_status: v.toStatus,
    from_at: v.fromStart ?? null,
    to_at: v.toStart,
    transport: v.transport,
    correlation_id: v.correlationId,
  }),
);

const historyOfAppointment = statement((db, v: { appointmentId: number }) =>
  db
    .selectFrom('appointment_history')
    .select([
      'move_name as moveName',
      'from_status as fromStatus',
      'to_status as toStatus',
      'from_at as fromStart',
      'to_at as toStart',
      'transport',
      'correlation_id as correlationId',
      'happened_on as happenedOn',
    ])
    .where('appointment_id', '=', v.appointmentId)
    .orderBy('id'),
);

/** What happened to appointments: written with each change, never altered. */
export class HistoryRecords {
  readonly #session: Session;
  constructor(session: Session) {
    this.#session = session;
  }

  async add(entry: HistoryEntry): Promise<void> {
    await insertHistory(this.#session, entry);
  }

  /** Oldest first. */
  ofAppointment(appointmentId: number) {
    return historyOfAppointment(this.#session, { appointmentId });
  }
}
