import type { CallContext, OperationDependencies } from '../calls/dependencies.ts';
import { knownCenter, knownDoctor, requireActive } from '../calls/known-records.ts';
import type { AppointmentBooking, Fetch_DetailsInput } from '../contract/generated-types.ts';
import type { Queries } from '../store/store.ts';
import { doctorKey, patientKeys } from '../store/store-keys.ts';
import { AppointmentStatus } from '../vocabulary/appointments.ts';
import { nameKey } from '../vocabulary/patients.ts';
import { ResultCode } from '../vocabulary/result-codes.ts';
import type { StoredAppointment } from '../vocabulary/stored-records.ts';
import { formatWallDay, formatWallMinute } from '../vocabulary/wall-minute.ts';
import { appointmentStart } from './appointment-start.ts';
import { statusText } from './next-status.ts';
import { notUnderstood, readPatient } from './read-patient.ts';
import { requireFreeStart, slotWanted, standingThen } from './require-free-start.ts';
import { writeAppointment } from './write-appointment.ts';

/** Fetch_Details: books a doctor's slot for a patient. Source: HL7 v2 SIU S12. */
export const bookAppointment =
  ({ clock, policy }: OperationDependencies) =>
  async (input: Fetch_DetailsInput, call: CallContext): Promise<AppointmentBooking> => {
    const centerId = input.centerid;
    const doctorId = input.DoctorID;
    const keys = [doctorKey(centerId, doctorId), ...patientKeys(centerId, { nameKey: nameKey(input.Name ?? '') })];
    return writeAppointment(call, 'app_date and app_time', { work: book, keys });

    async function book(queries: Queries): Promise<AppointmentBooking> {
      const reference = await queries.reference();
      const center = knownCenter(reference, centerId);
      const doctor = knownDoctor(reference, centerId, doctorId, 'DoctorID');
      const now = clock();
      const patient = readPatient(input, center.phoneRegion ?? policy.phoneRegion, now);
      const { start: sent, parameters } = appointmentStart(input, ['app_date', 'app_time'], center.timeZone);
      const { mayOverbook } = call;
      const asked = { reference, center, doctor, patient, start: sent, parameters, now, mayOverbook };
      const checked = slotWanted(asked);
      const { wanted, isOnGrid } = checked;
      const { start } = wanted;
      const standingNow = await standingThen(queries, wanted);
      // A client that missed our answer may send the call again after the start of the appointment, so this comes before any rule about
      // time. Nothing is changed by it, and nothing is said of what differs: another client may know the patient's name and phone.
      const [standing, ...others] = standingNow.ofPatient.filter(
        (held) =>
          held.doctorId === doctorId &&
          (held.startsAt === start || (!isOnGrid && held.startsAt < start && start < held.endsAt)),
      );
      if (standing !== undefined && others.length === 0) {
        const isNumberKnown = patient.registrationKey === standing.registrationKey;
        return booking({
          ...standing,
          doctorName: doctor.name,
          registrationNumber: isNumberKnown ? standing.registrationNumber : null,
          resultCode: ResultCode.Duplicate,
          resultText: 'The patient already has this appointment; its earlier details stand.',
        });
      }
      requireActive(doctor, 'DoctorID');
      const slot = await requireFreeStart(queries, checked, standingNow);
      const isOver = slot.overlapping === 1;
      const status = policy.confirmBookings ? AppointmentStatus.Booked : AppointmentStatus.Pending;
      const { id, tokenNo } = await queries.appointments.insert({
        ...patient,
        ...slot,
        centerId,
        doctorId,
        day: formatWallDay(start),
        status,
        now,
      });
      call.note({ moveName: isOver ? 'Overbook' : 'Book', toStatus: status, toStart: start });
      return booking({
        id,
        centerId,
        doctorId,
        doctorName: doctor.name,
        startsAt: start,
        tokenNo,
        status,
        registrationNumber: patient.registrationNumber,
        resultCode: ResultCode.OK,
        resultText: `The appointment is booked${isOver ? ', although the slot is full' : ''}.${notUnderstood(patient)}`,
      });
    }
  };

const booking = (
  a: Pick<
    StoredAppointment,
    'id' | 'centerId' | 'doctorId' | 'startsAt' | 'tokenNo' | 'status' | 'registrationNumber'
  > & {
    readonly doctorName: string;
    readonly resultCode: number;
    readonly resultText: string;
  },
): AppointmentBooking => ({
  ResultCode: a.resultCode,
  ResultText: a.resultText,
  AppointmentID: a.id,
  Status: a.status,
  StatusText: statusText(a.status),
  DoctorID: a.doctorId,
  DoctorName: a.doctorName,
  RegistrationNumber: a.registrationNumber ?? undefined,
  app_date: `${formatWallDay(a.startsAt)}T00:00:00`,
  app_time: formatWallMinute(a.startsAt),
  TokenNo: a.tokenNo,
  centerid: a.centerId,
});
