import type { CallContext, OperationDependencies } from '../calls/dependencies.ts';
import { knownAppointment, knownCenter, knownDoctor } from '../calls/known-records.ts';
import type { Appointment_Status_UpdatesInput, AppointmentChange } from '../contract/generated-types.ts';
import type { ReferenceData } from '../store/queries/reference-data.ts';
import type { Center, Doctor } from '../store/queries/reference-rows.ts';
import type { Queries } from '../store/store.ts';
import { appointmentKey, doctorKey, patientKeys } from '../store/store-keys.ts';
import { LAST_HOLDING_STATUS, lengthOf, type Move } from '../vocabulary/appointments.ts';
import { Refusal, ResultCode } from '../vocabulary/result-codes.ts';
import type { StoredAppointment } from '../vocabulary/stored-records.ts';
import { formatWallDay, formatWallMinute } from '../vocabulary/wall-minute.ts';
import { appointmentStart } from './appointment-start.ts';
import { moveOfType, nextStatus, statusText } from './next-status.ts';
import { requireFreeSeat, requireFreeStart, slotAt } from './require-seat.ts';

/** Appointment_Status_Updates: moves an appointment to another status, or to another time. Source: HL7 v2 SIU S13, S15. */
export function changeAppointment({ clock, policy }: OperationDependencies) {
  return appointmentStatusUpdates;

  async function appointmentStatusUpdates(
    input: Appointment_Status_UpdatesInput,
    call: CallContext,
  ): Promise<AppointmentChange> {
    // Undefined for a number that means none, or no longer any: a repeated call gets its first answer all the same.
    const known = policy.moves.find(({ type }) => type === input.type);
    const keys = await keysOf(call, input, known);
    return call.write(change, keys);

    async function change(queries: Queries): Promise<AppointmentChange> {
      const move = known ?? moveOfType(input.type, policy.moves);
      const before = await knownAppointment(queries, input.AppointmentID, input.centerid);
      const reference = await queries.reference();
      const center = knownCenter(reference, before.centerId);
      const request = {
        reference,
        center,
        doctor: knownDoctor(reference, before.centerId, before.doctorId, 'AppointmentID'),
        move,
        now: clock(),
        mayOverbook: call.mayOverbook,
      };
      const after = move.needsStart
        ? await reschedule(queries, before, { ...request, input })
        : await changeStatus(queries, before, request);
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
        TokenNo: after.tokenNo,
      };
    }
  }
}

/** A change reads its appointment. A change that may need a free slot also reads those of its doctor and patient, who stay the same. */
async function keysOf(call: CallContext, { AppointmentID, centerid }: Appointment_Status_UpdatesInput, move?: Move) {
  const keys = [appointmentKey(centerid, AppointmentID)];
  if (move === undefined || !(move.needsStart || takesSlotBack(move))) return keys;
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

type Change = Pick<StoredAppointment, 'status' | 'startsAt' | 'tokenNo'> & { readonly changed: boolean };

/** What is done to an appointment, when, and whether the caller may have a full slot for it. */
interface Request {
  readonly reference: ReferenceData;
  readonly center: Center;
  readonly doctor: Doctor;
  readonly move: Move;
  readonly now: number;
  readonly mayOverbook: boolean;
}

async function changeStatus(queries: Queries, before: StoredAppointment, request: Request): Promise<Change> {
  const { centerId, id, startsAt: start, tokenNo } = before;
  const { changed, status } = nextStatus(before, request.move, request);
  if (!changed) return { ...before, changed };
  if (holdsSlot(status) && !holdsSlot(before.status)) {
    // It had released its seat, and the patient came after all.
    const slot = slotAt(request, start, lengthOf(before));
    const wanted = { patient: before, slot, subject: 'Parameter AppointmentID: ', ...request, moving: before };
    await queries.appointments.setSeat({ centerId, id, ...(await requireFreeSeat(queries, wanted)) });
  }
  await queries.appointments.setStatus({ centerId, id, status, now: request.now });
  return { changed, status, startsAt: start, tokenNo };
}

/** Moves the appointment to another time. A refusal leaves it where it was, with its seat. */
async function reschedule(
  queries: Queries,
  before: StoredAppointment,
  request: Request & { readonly input: Appointment_Status_UpdatesInput },
): Promise<Change> {
  const { centerId, id, doctorId, startsAt } = before;
  const { start: sent, subject } = appointmentStart(request.input, ['appdate', 'apptime'], request.center.timeZone);
  const { status } = nextStatus(before, request.move, request);
  if (sent === startsAt && status === before.status) return { ...before, changed: false };
  if (request.doctor.active !== 1) {
    throw new Refusal(
      'UnknownDoctor',
      `doctor ${doctorId}, whose appointment ${id} is, no longer takes any; expected a new booking with another doctor.`,
      'AppointmentID',
    );
  }
  const slot = slotAt(request, sent, lengthOf(before)).meant();
  if (slot.start === startsAt && status === before.status) return { ...before, changed: false };
  const seat = await requireFreeStart(queries, { patient: before, slot, subject, ...request, moving: before });
  const day = formatWallDay(slot.start);
  const tokenNo =
    day === formatWallDay(startsAt)
      ? before.tokenNo
      : await queries.appointments.takeToken({ centerId, doctorId, day });
  await queries.appointments.move({ ...seat, centerId, id, tokenNo, status, now: request.now });
  return { changed: true, status, startsAt: slot.start, tokenNo };
}
