import { minuteOfDay } from '../rules/wall-minute.ts';
import { MINUTES_PER_DAY } from '../vocabulary/appointments.ts';
import { ERASED } from '../vocabulary/patients.ts';
import type { StoredAppointment, StoredFeedback } from '../vocabulary/stored-records.ts';
import { instantText } from './instant-text.ts';
import type { RowOfTable } from './tables.ts';

/** An appointment as a row of its file; `zone` is the time zone of its center. */
export function appointmentRow(a: StoredAppointment, zone: string): RowOfTable<'appointments'> {
  const minute = minuteOfDay(a.startsAt);
  return {
    centerId: a.centerId,
    id: a.id,
    doctorId: a.doctorId,
    day: a.startsAt - minute,
    minute,
    endMinute: a.endsAt % MINUTES_PER_DAY,
    // Earlier versions stored the text that means that there is none.
    registrationNumber: a.registrationKey === null ? null : a.registrationNumber,
    title: a.title,
    name: a.name,
    sex: a.sex,
    age: a.ageText,
    area: a.area,
    contactNumber: a.phone === ERASED.phone ? null : a.phone,
    email: a.email,
    status: a.status,
    tokenNo: a.tokenNo,
    rescheduleCount: a.rescheduleCount,
    marked: a.marked === 0 ? null : a.marked,
    createdOn: instantText(a.createdOn, zone),
    updatedOn: instantText(a.updatedOn, zone),
  };
}

/** Feedback as a row of its file; `zone` is the time zone of times that do not belong to a center. */
export const feedbackRow = ({ receivedOn, ...feedback }: StoredFeedback, zone: string): RowOfTable<'feedback'> => ({
  ...feedback,
  receivedOn: instantText(receivedOn, zone),
});
