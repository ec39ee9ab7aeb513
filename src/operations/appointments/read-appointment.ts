import type { Appointment_StatusInput, AppointmentState } from '../../contract/generated-types.ts';
import { statusText } from '../../rules/next-status.ts';
import { wallSecondTextAt } from '../../rules/time-zone.ts';
import { formatWallDay, formatWallMinute } from '../../rules/wall-minute.ts';
import { ResultCode } from '../../vocabulary/result-codes.ts';
import type { CallContext } from '../dependencies.ts';
import { knownAppointment } from '../known-records.ts';

/** Appointment_Status: reads one appointment. Ids can be guessed, so the answer does not say who the patient is. */
export const readAppointment =
  () =>
  (input: Appointment_StatusInput, { store }: CallContext): Promise<AppointmentState> =>
    store.read(async (queries) => {
      const a = await knownAppointment(queries, input.AppointmentID, input.centerid);
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
      };
    });
