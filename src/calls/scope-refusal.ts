import type { Client } from '../access/client.ts';
import { TRANSPORT_TITLES } from '../contract/contract.ts';
import { appointmentNotFound, unknownCenter } from '../operations/known-records.ts';
import { ServiceError } from '../vocabulary/errors.ts';
import type { Refusal } from '../vocabulary/result-codes.ts';
import type { Call } from './call.ts';

/**
 * Why a client may not make a call, or undefined if it may. An operation or transport that it may not use is a ServiceError `Forbidden`. A
 * center that it may not use is refused like one that does not exist, and an appointment there like an unknown one. This requires no
 * lookup, so the answer does not reveal whether the center exists.
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
