import type { CallContext, OperationDependencies } from '../calls/dependencies.ts';
import { appointmentNotFound, knownCenter, knownDoctor } from '../calls/known-records.ts';
import type {
  Appointment_StatusInput,
  AppointmentState,
  DoctorDay,
  OPAppointmentdetailInput,
} from '../contract/generated-types.ts';
import { shownRecord } from '../store/queries/audit-queries.ts';
import type { Queries } from '../store/store.ts';
import { ERASED_NAME } from '../vocabulary/patients.ts';
import { maskPhone } from '../vocabulary/phone.ts';
import { ResultCode } from '../vocabulary/result-codes.ts';
import { wallSecondTextAt } from '../vocabulary/time-zone.ts';
import { formatWallDay, formatWallMinute } from '../vocabulary/wall-minute.ts';
import { appointmentDay } from './appointment-start.ts';
import { statusText } from './next-status.ts';

/** Appointment_Status: reads one appointment. Ids can be guessed, so the answer does not say who the patient is. */
export function readAppointment(input: Appointment_StatusInput, call: CallContext): Promise<AppointmentState> {
  return call.store.read(async (queries) => {
    const { AppointmentID: id, centerid: centerId } = input;
    const a = await queries.appointments.stateById({ id, centerId });
    if (a === undefined) throw appointmentNotFound(id, centerId);
    return {
      ResultCode: ResultCode.OK,
      ResultText: 'OK.',
      AppointmentID: a.id,
      DoctorID: a.doctorId,
      DoctorName: a.doctorName,
      appdate: `${formatWallDay(a.startsAt)}T00:00:00`,
      apptime: formatWallMinute(a.startsAt),
      Status: a.status,
      StatusText: statusText(a.status),
      RescheduleCount: a.rescheduleCount,
      UpdatedOn: wallSecondTextAt(a.updatedOn, a.timeZone),
      centerid: a.centerId,
      TokenNo: a.tokenNo,
    };
  });
}

/** OPAppointmentdetail: a doctor's outpatient appointments of one day, by time, without those that were cancelled. */
export function listDoctorDay({ policy }: OperationDependencies) {
  return opAppointmentDetail;

  function opAppointmentDetail(input: OPAppointmentdetailInput, call: CallContext): Promise<DoctorDay> {
    const seesPhones = policy.showContactNumbers || call.seesPhones;
    return call.store.read(async (queries) => {
      const reference = await queries.reference();
      const center = knownCenter(reference, input.centerid);
      knownDoctor(reference, center.id, input.doctorid, 'doctorid');
      const midnight = appointmentDay(input.appdate, center.timeZone, 'appdate');
      const listed = await queries.appointments.ofDay(center.id, input.doctorid, midnight);
      const shown = listed.rows.map(({ id }) => shownRecord({ centerId: center.id, appointmentId: id })).join(' ');
      call.note({ day: formatWallDay(midnight), shown });
      return dayRecord(listed, seesPhones);
    });
  }
}

/** A doctor's day as its callers get it. */
export const dayRecord = (
  { rows, more }: Awaited<ReturnType<Queries['appointments']['ofDay']>>,
  seesPhones: boolean,
): DoctorDay => ({
  ResultCode: ResultCode.OK,
  ResultText: more === 0 ? 'OK.' : `The first ${rows.length} appointments; ${more} more are not listed.`,
  TotalCount: rows.length,
  Appointments: {
    Appointment: rows.map((row) => ({
      TokenNo: row.tokenNo,
      AppointmentID: row.id,
      RegistrationNumber: row.registrationNumber ?? undefined,
      title: row.title ?? undefined,
      Name: row.name ?? ERASED_NAME,
      Sex: row.sex,
      Age: row.ageText ?? undefined,
      area: row.area ?? undefined,
      contactnumber: seesPhones ? (row.phone ?? '') : maskPhone(row.phone ?? ''),
      appdate: `${formatWallDay(row.startsAt)}T00:00:00`,
      apptime: formatWallMinute(row.startsAt),
      Status: row.status,
      StatusText: statusText(row.status),
    })),
  },
});
