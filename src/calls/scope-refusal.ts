import { type Operation, type RecordType, TRANSPORT_TITLES } from '../contract/contract.ts';
import { ServiceError } from '../vocabulary/errors.ts';
import type { Refusal } from '../vocabulary/result-codes.ts';
import type { Call } from './call.ts';
import { appointmentNotFound, unknownCenter } from './known-records.ts';

/**
 * Why a client may not make a call, or undefined if it may. An operation or transport that it may not use is a ServiceError `Forbidden`, and
 * for a client that may use only some centers, so is an operation whose answer contains a center that the call did not name. A center that it may not use is refused like one that does not exist, and an appointment there like an unknown one. This requires no
 * lookup, so the answer does not reveal whether the center exists.
 */
export function scopeRefusalOf({ client, operation, transport, input }: Call): ServiceError | Refusal | undefined {
  const { name } = operation;
  const showsAllCenters = client.centers !== undefined && returnsUnaskedCenter(operation);
  if (client.operations?.has(name) === false || showsAllCenters) {
    return new ServiceError('Forbidden', `This client may not call ${name}.`, { reason: 'operation' });
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

/** Whether an answer may contain a center that the call did not name. */
export const returnsUnaskedCenter = ({ parameters, resultType }: Operation): boolean =>
  !parameters.some(({ name }) => name === 'centerid') && hasCenter(resultType);

const hasCenter = ({ fields }: RecordType): boolean =>
  fields.some(({ name, type }) => name === 'centerid' || (typeof type === 'object' && hasCenter(type)));
