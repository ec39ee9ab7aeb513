import { type Operation, type RecordType, TRANSPORT_TITLES } from '../contract/contract.ts';
import { appointmentNotFound, unknownCenter } from '../operations/known-records.ts';
import { ServiceError } from '../vocabulary/errors.ts';
import type { Refusal } from '../vocabulary/result-codes.ts';
import type { Call } from './call.ts';

/**
 * What an operation does that returns a `centerid` but takes none, for a client that may use only some centers. 'forbidden': such a client
 * may not call it. 'limited': its implementation shows only what belongs to `context.centers`. A test fails if such an operation is missing
 * here; until then it is forbidden.
 */
export const ANSWERS_WITH_CENTERS: Readonly<Record<string, 'forbidden' | 'limited'>> = {};

/**
 * Why a client may not make a call, or undefined if it may. An operation or transport that it may not use is a ServiceError `Forbidden`. A
 * center that it may not use is refused like one that does not exist, and an appointment there like an unknown one. This requires no
 * lookup, so the answer does not reveal whether the center exists.
 */
export function scopeRefusalOf(
  { client, operation, transport, input }: Call,
  answersWithCenters = ANSWERS_WITH_CENTERS,
): ServiceError | Refusal | undefined {
  const { name } = operation;
  const showsAllCenters =
    client.centers !== undefined && returnsUnaskedCenter(operation) && answersWithCenters[name] !== 'limited';
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
