import type { CallContext, OperationDependencies } from '../calls/dependencies.ts';
import { knownCenter, knownDoctor, requireActive } from '../calls/known-records.ts';
import type { AppointmentBooking, Fetch_DetailsInput } from '../contract/generated-types.ts';
import type { Queries } from '../store/store.ts';
import { doctorKey, patientKeys } from '../store/store-keys.ts';
import { AppointmentStatus } from '../vocabulary/appointments.ts';
import { ResultCode } from '../vocabulary/result-codes.ts';
import type { StoredAppointment } from '../vocabulary/stored-records.ts';
import { wallMinuteAt } from '../vocabulary/time-zone.ts';
import { formatWallDay, formatWallMinute } from '../vocabulary/wall-minute.ts';
import { appointmentStart } from './appointment-start.ts';
import { statusText } from './next-status.ts';
import { notUnderstood, readPatient } from './read-patient.ts';
import { requireFreeStart, slotAt, standingThen } from './require-seat.ts';
import { isNamedAlike, isSamePatient } from './same-patient.ts';

/**
 * After so many refused bookings for the seat of a patient of the same name, nobody is told for a time, ms, whether it is the same patient:
 * lists show the name and the end of the phone, and somebody may be trying the rest.
 */
const MOST_GUESSES = 5;
const GUESSES_WINDOW = 60 * 60 * 1000;

/** Fetch_Details: books a doctor's slot for a patient. Source: HL7 v2 SIU S12. */
export function bookAppointment({ clock, policy }: OperationDependencies) {
  return fetchDetails;

  async function fetchDetails(input: Fetch_DetailsInput, call: CallContext): Promise<AppointmentBooking> {
    const { centerid: centerId, DoctorID: doctorId } = input;
    // Read before the transaction, for which other writers wait, and refused in it: an Idempotency-Key is looked up first.
    const site = (await call.store.reference()).center(centerId);
    const [read] = await Promise.allSettled([
      Promise.try(readPatient, input, site?.phoneRegion ?? policy.phoneRegion, clock()),
    ]);
    const ofPatient = read.status === 'fulfilled' ? patientKeys(centerId, read.value) : [];
    return call.write(book, [doctorKey(centerId, doctorId), ...ofPatient]);

    async function book(queries: Queries): Promise<AppointmentBooking> {
      const reference = await queries.reference();
      const center = knownCenter(reference, centerId);
      const doctor = knownDoctor(reference, centerId, doctorId, 'DoctorID');
      if (read.status === 'rejected') throw read.reason;
      const now = clock();
      const patient = { ...read.value, createdOn: now };
      const { start: sent, subject } = appointmentStart(input, ['app_date', 'app_time'], center.timeZone);
      const slot = slotAt({ reference, center, doctor, now }, sent).meant();
      const { start } = slot;
      const request = { reference, center, doctor, patient, slot, subject, mayOverbook: call.mayOverbook };
      const standing = await standingThen(queries, request);
      // A time off the grid means the slot that was running then: a kiosk may repeat it later.
      const isNow = !(slot.isOnGrid && start === sent) && sent <= wallMinuteAt(now, center.timeZone);
      const there = standing.ofName.filter(
        (held) =>
          held.doctorId === doctorId &&
          isNamedAlike(held, patient) &&
          (held.startsAt === start || (isNow && held.startsAt < sent && sent < held.endsAt)),
      );
      const named = there.reduce((least, { id }) => Math.min(least, id), Number.POSITIVE_INFINITY);
      const isGuessed = there.length > 0 && (await guesses(queries, named, now)) >= MOST_GUESSES;
      // A client that missed our answer may send the call again after the start of the appointment, so this comes before any rule about
      // time. Nothing is changed by it, and nothing is said of what differs: another client may know the patient's name and phone.
      const [same, ...others] = there.filter((held) => isSamePatient(held, patient));
      if (same !== undefined && others.length === 0 && !isGuessed) {
        const isNumberKnown = numberOf(patient) === numberOf(same);
        return booking({
          ...same,
          doctorName: doctor.name,
          registrationNumber: isNumberKnown ? same.registrationNumber : null,
          resultCode: ResultCode.Duplicate,
          resultText: 'The patient already has this appointment; its earlier details stand.',
        });
      }
      // For the audit row of a refusal, from which guesses are counted: at most so many an hour.
      if (same === undefined && there.length > 0 && !isGuessed) call.note({ appointmentId: named });
      requireActive(doctor, 'DoctorID');
      const seat = await requireFreeStart(queries, { ...request, isClosed: isGuessed }, standing);
      const isOver = seat.overlapping === 1;
      const status = policy.confirmBookings ? AppointmentStatus.Booked : AppointmentStatus.Pending;
      const { id, tokenNo } = await queries.appointments.insert({
        ...patient,
        ...seat,
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

    async function guesses({ audit }: Queries, appointmentId: number, now: number): Promise<number> {
      const refused = await audit.refusedForSeat({ centerId, appointmentId, limit: MOST_GUESSES });
      return refused.filter(({ recordedOn }) => recordedOn > now - GUESSES_WINDOW).length;
    }
  }
}

const numberOf = (patient: Pick<StoredAppointment, 'registrationKey' | 'registrationNumber'>): string | null =>
  patient.registrationKey ?? patient.registrationNumber;

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
