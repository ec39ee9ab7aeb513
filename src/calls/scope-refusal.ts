import type { Client } from '../access/client.ts';
import { appointmentNotFound } from '../operations/appointments/known-appointment.ts';
import { unknownCenter } from '../operations/known-center.ts';
import { ServiceError } from '../vocabulary/errors.ts';
import type { Refusal } from '../vocabulary/result-codes.ts';
import { TRANSPORT_TITLES } from '../vocabulary/transport.ts';
import type { Call } from './call.ts';

/**
 * Why a client may not make a call, or undefined if it may. An operation or a transport that is not its own is a ServiceError
 * `Forbidden`. A center that is not its own is refused as one that does not exist, and an appointment there as one that is not
 * known: nothing is looked up for that, so the answer can't tell whether there is such a center.
 */
export function scopeRefusalOf({ client, operation, transport, input }: Call): ServiceError | Refusal | undefined {
  if (isUnlimited(client)) return undefined;
  if (client.operations?.has(operation.name) === false) {
    return new ServiceError('Forbidden', `This client may not call ${operation.name}.`, { reason: 'operation' });
  }
  if (client.transports?.has(transport) === false) {
    return new ServiceError('Forbidden', `This client may not call over ${TRANSPORT_TITLES[transport]}.`, {
      reason: 'transport',
    });
  }
  const { centerid, AppointmentID } = input;
  if (typeof centerid !== 'number' || client.centers === undefined || client.centers.has(centerid)) return undefined;
  return typeof AppointmentID === 'number' ? appointmentNotFound(AppointmentID, centerid) : unknownCenter(centerid);
}

const isUnlimited = ({ operations, transports, centers }: Client): boolean =>
  operations === undefined && transports === undefined && centers === undefined;
