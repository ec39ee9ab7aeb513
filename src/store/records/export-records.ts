import { sql } from 'kysely';
import { LAST_HOLDING_STATUS } from '../../vocabulary/appointment-status.ts';
import { type Session, statement } from '../statement.ts';
import type { AppointmentKey } from './appointment.ts';

/** Times are wall minutes of the center, `…On` instants in ms. */
export interface ExportedAppointment {
  readonly id: number;
  readonly centerId: number;
  readonly doctorId: number;
  readonly startsAt: number;
  readonly tokenNo: number;
  readonly status: number;
  readonly rescheduleCount: number;
  readonly registrationNumber: string | null;
  readonly title: string | null;
  readonly name: string;
  readonly sex: string;
  readonly ageText: string | null;
  readonly area: string | null;
  readonly phone: string;
  readonly email: string | null;
  readonly createdOn: number;
  readonly updatedOn: number;
}

export interface ExportedFeedback {
  readonly id: number;
  readonly ipno: string;
  readonly roomno: string | null;
  readonly mobile: string | null;
  readonly dept: string | null;
  readonly comment: string | null;
  /** ms */
  readonly receivedOn: number;
}

/** What the first page of appointments comes after. */
export const BEFORE_FIRST: AppointmentKey = { centerId: -2_147_483_648, id: 0 };

/** Rows at a time: few enough that a page is read within a fraction of a call's time. */
const PAGE = 1000;

const appointmentsAfter = statement((db, v: AppointmentKey) =>
  db
    .selectFrom('appointment')
    .select([
      'id',
      'center_id as centerId',
      'doctor_id as doctorId',
      'starts_at as startsAt',
      'token_no as tokenNo',
      'status',
      'reschedule_count as rescheduleCount',
      'registration_number as registrationNumber',
      'title',
      'name',
      'sex',
      'age_text as ageText',
      'area',
      'phone',
      'email',
      'created_on as createdOn',
      'updated_on as updatedOn',
    ])
    .where((e) => e.or([e('center_id', '>', v.centerId), e.and([e('center_id', '=', v.centerId), e('id', '>', v.id)])]))
    .orderBy('center_id')
    .orderBy('id')
    .limit(PAGE),
);

const feedbackAfter = statement((db, v: { id: number }) =>
  db
    .selectFrom('feedback')
    .select(['id', 'ipno', 'roomno', 'mobile', 'dept', 'comment', 'received_on as receivedOn'])
    .where('id', '>', v.id)
    .orderBy('id')
    .limit(PAGE),
);

const standingFrom = statement((db, v: { centerId: number; doctorId: number; from: number }) =>
  db
    .selectFrom('appointment')
    .select(sql<number>`count(*)`.as('count'))
    .where('center_id', '=', v.centerId)
    .where('doctor_id', '=', v.doctorId)
    .where('status', '<=', LAST_HOLDING_STATUS)
    .where('starts_at', '>=', v.from),
);

const ofCenter = statement((db, v: { centerId: number }) =>
  db.selectFrom('appointment').select(sql<number>`count(*)`.as('count')).where('center_id', '=', v.centerId),
);

/** What was written by callers, for exports and for imports that have to mind it. */
export class ExportRecords {
  readonly #session: Session;
  constructor(session: Session) {
    this.#session = session;
  }

  /** At most 1000 behind one, by center and id; every status. */
  appointmentsAfter(last: AppointmentKey): Promise<readonly ExportedAppointment[]> {
    return appointmentsAfter(this.#session, last);
  }

  /** At most 1000 with ids above one, by id. */
  feedbackAfter(id: number): Promise<readonly ExportedFeedback[]> {
    return feedbackAfter(this.#session, { id });
  }

  /** How many appointments of the doctor hold a slot that starts at or after a wall minute. */
  async standingFrom(centerId: number, doctorId: number, from: number): Promise<number> {
    return Number((await standingFrom(this.#session, { centerId, doctorId, from }))[0]?.count ?? 0);
  }

  /** How many appointments a center has, whatever their status. */
  async appointmentsOfCenter(centerId: number): Promise<number> {
    return Number((await ofCenter(this.#session, { centerId }))[0]?.count ?? 0);
  }
}
