import type { DateTimeValue } from '../../contract/contract.ts';
import type { Appointment_Status_UpdatesInput, AppointmentChange } from '../../contract/generated-types.ts';
import { appointmentStart } from '../../rules/appointment-start.ts';
import { moveOfType, nextStatus, statusText } from '../../rules/next-status.ts';
import { formatWallDay, formatWallMinute } from '../../rules/wall-minute.ts';
import type { Center } from '../../store/queries/reference-rows.ts';
import type { Queries } from '../../store/store.ts';
import { appointmentKey, doctorKey, patientKeys } from '../../store/store-keys.ts';
import { LAST_HOLDING_STATUS, type Move } from '../../vocabulary/appointments.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import { Refusal, ResultCode } from '../../vocabulary/result-codes.ts';
import type { StoredAppointment } from '../../vocabulary/stored-records.ts';
import type { CallContext, OperationDependencies } from '../dependencies.ts';
import { knownAppointment, knownCenter, knownDoctor } from '../known-records.ts';
import { requireFreeSeat, requireFreeStart } from './require-free-start.ts';
import { writeAppointment } from './write-appointment.ts';

const START_PARAMETERS = 'appdate and apptime';

/** Appointment_Status_Updates: moves an appointment to another status, or to another time. Source: HL7 v2 SIU S13, S15. */
export const changeAppointment =
  ({ clock, policy }: OperationDependencies) =>
  async (input: Appointment_Status_UpdatesInput, call: CallContext): Promise<AppointmentChange> => {
    const move = moveOfType(input.type, policy.moves);
    const keys = await keysOf(call, input, move);
    const fingerprint = async (queries: Queries) => {
      const { AppointmentID, centerid, type } = input;
      const center = move.needsStart ? await knownCenter(queries, centerid) : undefined;
      return [centerid, AppointmentID, type, center && startIn(center.timeZone, input).start];
    };
    return writeAppointment(call, START_PARAMETERS, { work: change, keys, fingerprint });

    async function change(queries: Queries): Promise<AppointmentChange> {
      const now = clock();
      const before = await knownAppointment(queries, input.AppointmentID, input.centerid);
      const center = await knownCenter(queries, before.centerId);
      const after = move.needsStart
        ? await reschedule(queries, before, center, move, now, input)
        : await changeStatus(queries, before, center, move, now);
      if (after.changed) {
        call.note({
          doctorId: before.doctorId,
          moveName: move.name,
          fromStatus: before.status,
          toStatus: after.status,
          fromStart: before.startsAt,
          toStart: after.startsAt,
        });
      }
      return {
        ResultCode: ResultCode.OK,
        ResultText: after.changed
          ? 'The appointment was changed.'
          : 'The appointment already matched the request, so nothing was changed.',
        AppointmentID: before.id,
        type: input.type,
        PreviousStatus: before.status,
        Status: after.status,
        StatusText: statusText(after.status),
        appdate: `${formatWallDay(after.startsAt)}T00:00:00`,
        apptime: formatWallMinute(after.startsAt),
        Changed: after.changed,
        centerid: before.centerId,
      };
    }
  };

/** A change reads its appointment. A change that may need a free slot also reads those of its doctor and patient, who stay the same. */
async function keysOf(call: CallContext, { AppointmentID, centerid }: Appointment_Status_UpdatesInput, move: Move) {
  const keys = [appointmentKey(centerid, AppointmentID)];
  if (!move.needsStart && !takesSlotBack(move)) return keys;
  const appointment = await call.store.read(({ appointments }) =>
    appointments.byId({ id: AppointmentID, centerId: centerid }),
  );
  if (appointment === undefined) return keys;
  const { centerId, doctorId } = appointment;
  return [...keys, doctorKey(centerId, doctorId), ...patientKeys(centerId, appointment)];
}

/** Whether the move applies to an appointment that has released its slot, so that the slot may now be taken. */
const takesSlotBack = ({ status, allowedFrom }: Move): boolean =>
  holdsSlot(status) && allowedFrom.some((from) => !holdsSlot(from));

const holdsSlot = (status: number): boolean => status <= LAST_HOLDING_STATUS;

type Change = Pick<StoredAppointment, 'status' | 'startsAt'> & { readonly changed: boolean };

async function changeStatus(
  queries: Queries,
  before: StoredAppointment,
  center: Center,
  move: Move,
  now: number,
): Promise<Change> {
  const { centerId, id, startsAt, endsAt } = before;
  const { changed, status } = nextStatus(before.status, move, { startsAt, endsAt, timeZone: center.timeZone, now });
  if (!changed) return { changed, status, startsAt };
  if (holdsSlot(status) && !holdsSlot(before.status)) {
    await queries.appointments.setSeat({ centerId, id, seat: await seatFor(queries, before, center, now) });
  }
  await queries.appointments.setStatus({ centerId, id, status, now });
  return { changed, status, startsAt };
}

/** A free seat at the time of an appointment that had released its own: the patient came after all. */
async function seatFor(queries: Queries, before: StoredAppointment, center: Center, now: number): Promise<number> {
  const { centerId, doctorId, startsAt: start, id: movingId } = before;
  const parameters = 'AppointmentID';
  const doctor = await knownDoctor(queries, centerId, doctorId, parameters);
  return (await requireFreeSeat(queries, { center, doctor, patient: before, start, parameters, now, movingId })).seat;
}

/** Moves the appointment to another time. A refusal leaves it where it was, with its seat. */
async function reschedule(
  queries: Queries,
  before: StoredAppointment,
  center: Center,
  move: Move,
  now: number,
  input: Appointment_Status_UpdatesInput,
): Promise<Change> {
  const { centerId, id, doctorId, startsAt, endsAt } = before;
  const { start, parameters } = startIn(center.timeZone, input);
  const { status } = nextStatus(before.status, move, { startsAt, endsAt, timeZone: center.timeZone, now });
  if (start === startsAt && status === before.status) return { changed: false, status, startsAt };
  const doctor = await knownDoctor(queries, centerId, doctorId, 'AppointmentID');
  if (doctor.active !== 1) {
    throw new Refusal(
      'UnknownDoctor',
      `Parameter AppointmentID: doctor ${doctorId}, whose appointment ${id} is, no longer takes any; expected a new booking with another doctor.`,
      'AppointmentID',
    );
  }
  const wanted = { center, doctor, patient: before, start, parameters, now, movingId: id };
  const slot = await requireFreeStart(queries, wanted);
  const day = formatWallDay(start);
  const tokenNo =
    day === formatWallDay(startsAt)
      ? before.tokenNo
      : await queries.appointments.takeToken({ centerId, doctorId, day });
  await queries.appointments.move({ ...slot, centerId, id, tokenNo, status, now });
  return { changed: true, status, startsAt: start };
}

const startIn = (zone: string, { appdate, apptime }: Appointment_Status_UpdatesInput) =>
  appointmentStart(
    { value: requireGiven(appdate, 'appdate'), name: 'appdate' },
    { value: requireGiven(apptime, 'apptime'), name: 'apptime' },
    zone,
  );

/** The other moves ignore the two dates, so the contract allows them to be absent, and the message says why this one does not. */
function requireGiven(value: DateTimeValue | undefined, parameter: string): DateTimeValue {
  if (value !== undefined) return value;
  throw new ServiceError('MissingParameter', `Missing parameter: ${parameter}, which Reschedule needs.`, { parameter });
}
