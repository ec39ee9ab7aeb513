import type { AppointmentBooking, Fetch_DetailsInput } from '../../contract/generated-types.ts';
import { appointmentStart } from '../../rules/appointment-start.ts';
import { statusText } from '../../rules/next-status.ts';
import { readPatient, UNKNOWN_SEX } from '../../rules/read-patient.ts';
import { wallEnd } from '../../rules/time-zone.ts';
import { formatWallDay, formatWallMinute } from '../../rules/wall-minute.ts';
import type { Appointment } from '../../store/queries/appointment-queries.ts';
import type { Queries } from '../../store/store.ts';
import { doctorKey, patientKeys } from '../../store/store-keys.ts';
import { AppointmentStatus, CORRECTION } from '../../vocabulary/appointments.ts';
import { isSamePatient } from '../../vocabulary/patients.ts';
import { ResultCode } from '../../vocabulary/result-codes.ts';
import { PATIENT_FIELDS, type PatientDetails, type StoredPatient } from '../../vocabulary/stored-records.ts';
import type { CallContext, OperationDependencies } from '../dependencies.ts';
import { knownCenter, knownDoctor, requireActive } from '../known-records.ts';
import { requireFreeStart } from './require-free-start.ts';
import { writeAppointment } from './write-appointment.ts';

const START_PARAMETERS = 'app_date and app_time';

/** Fetch_Details: books a doctor's slot for a patient. Source: HL7 v2 SIU S12. */
export const bookAppointment =
  ({ clock, policy }: OperationDependencies) =>
  async (input: Fetch_DetailsInput, context: CallContext): Promise<AppointmentBooking> => {
    const patient = readPatient(input, policy);
    const centerId = input.centerid;
    const doctorId = input.DoctorID;
    const keys = [doctorKey(centerId, doctorId), ...patientKeys(centerId, patient)];
    const startIn = (zone: string) =>
      appointmentStart({ value: input.app_date, name: 'app_date' }, { value: input.app_time, name: 'app_time' }, zone);
    return writeAppointment(context.store, START_PARAMETERS, keys, book, async (queries) => {
      const { name: _, registrationNumber: __, ageText: ___, ...details } = patient;
      return [centerId, doctorId, details, startIn((await knownCenter(queries, centerId)).timeZone).start];
    });

    async function book(queries: Queries): Promise<AppointmentBooking> {
      // Requested together, so that a database on the network answers them in one round trip.
      const [center, doctor] = await Promise.all([
        knownCenter(queries, centerId),
        knownDoctor(queries, centerId, doctorId, 'DoctorID'),
      ]);
      const { start, parameters } = startIn(center.timeZone);
      const to = wallEnd(start, doctor.slotMinutes, center.timeZone);
      const heldThen = await queries.appointments.standing({ centerId, doctorId, from: start, to });
      // A client that missed our answer may send the call again after the start of the appointment, so this comes before any rule about
      // time.
      const [standing, ...others] = heldThen.filter((held) => held.startsAt === start && isSamePatient(held, patient));
      const now = clock();
      if (standing !== undefined && others.length === 0) {
        const correction = correctPatient(standing, patient);
        const { replaced } = correction;
        if (replaced.length > 0) {
          await queries.appointments.replacePatient({ ...correction.patient, centerId, id: standing.id, now });
          context.note({ action: 'U', moveName: CORRECTION, corrected: replaced.join() });
        }
        const isNumberKnown = patient.registrationKey === standing.registrationKey;
        return booking({
          ...standing,
          doctorName: doctor.name,
          registrationNumber: isNumberKnown ? standing.registrationNumber : null,
          resultCode: ResultCode.Duplicate,
          resultText: duplicateText(correction),
        });
      }
      requireActive(doctor, 'DoctorID');
      const slot = await requireFreeStart(queries, { center, doctor, start, parameters, now }, heldThen);
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
      context.note({ moveName: 'Book', toStatus: status, toStart: start });
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
        resultText: 'The appointment is booked.',
      });
    }
  };

type PatientField = keyof PatientDetails;
const FIELDS = Object.keys(PATIENT_FIELDS) as readonly PatientField[];

/** The details of the same patient's appointment after another booking of it. Details that were not sent again are kept. */
function correctPatient(standing: StoredPatient, sent: PatientDetails) {
  const parameters = { replaces: new Set<string>(), keeps: new Set<string>() };
  for (const field of FIELDS) {
    const { csv, ...facts } = PATIENT_FIELDS[field];
    if (!('repeated' in facts) || !differs(field, standing, sent)) continue;
    parameters[field === 'sex' && standing.sex === UNKNOWN_SEX ? 'replaces' : facts.repeated].add(csv);
  }
  const from = (field: PatientField) => (parameters.replaces.has(PATIENT_FIELDS[field].csv) ? sent : standing);
  return {
    patient: Object.fromEntries(FIELDS.map((field) => [field, from(field)[field]])) as unknown as PatientDetails,
    /** The parameters whose values replace earlier ones. */
    replaced: [...parameters.replaces],
    /** Those whose earlier values stay, because whoever knows a patient's name must not be able to take over the appointment. */
    kept: [...parameters.keeps],
  };
}

const differs = (field: PatientField, standing: StoredPatient, sent: PatientDetails): boolean =>
  sent[field] !== null && sent[field] !== standing[field] && !(field === 'sex' && sent.sex === UNKNOWN_SEX);

function duplicateText({ replaced, kept }: ReturnType<typeof correctPatient>): string {
  const [one, several] = [replaced.length === 1, kept.length > 1];
  return [
    'The patient already has this appointment',
    replaced.length > 0 &&
      `the earlier ${one ? 'value' : 'values'} of ${NAMES.format(replaced)} ${one ? 'was' : 'were'} replaced`,
    kept.length > 0 &&
      `${NAMES.format(kept)} ${several ? 'differ' : 'differs'} and ${several ? 'were' : 'was'} not replaced`,
  ]
    .filter(Boolean)
    .join('; ')
    .concat('.');
}

/** In English, whatever the locale of the machine: `title, Age and area`. */
const NAMES = new Intl.ListFormat('en-GB', { type: 'conjunction' });

const booking = (
  a: Pick<Appointment, 'id' | 'centerId' | 'doctorId' | 'doctorName' | 'startsAt' | 'tokenNo' | 'status'> &
    Pick<Appointment, 'registrationNumber'> & { readonly resultCode: number; readonly resultText: string },
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
