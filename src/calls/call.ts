import type { Client } from '../access/client.ts';
import {
  type Operation,
  type OperationInput,
  type RecordType,
  type ResultRecord,
  TRANSPORT_TITLES,
  type Transport,
} from '../contract/contract.ts';
import type { Budgets } from '../log/budgets.ts';
import type { Log } from '../log/log.ts';
import type { AuditEntry, AuditSubject } from '../store/queries/audit-queries.ts';
import type { Store } from '../store/store.ts';
import { type ErrorCode, ServiceError } from '../vocabulary/errors.ts';
import type { Machine } from '../vocabulary/machine.ts';
import type { Refusal } from '../vocabulary/result-codes.ts';
import { appointmentNotFound, unknownCenter } from './known-records.ts';

export interface Call {
  readonly operation: Operation;
  readonly input: OperationInput;
  readonly transport: Transport;
  readonly client: Client;
  readonly network: string;
  /** The caller's address, in the form in which it is recorded. */
  readonly address: string;
  /** Appears in both the answer and the log. */
  readonly correlationId: string;
  /** The caller's id for this call, which makes it safe to send the call again. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * Resolves with the result of a success. Throws Refusal, ServiceError or an internal error, which the transport turns into an answer.
 */
export type Invoke = (call: Call) => Promise<ResultRecord>;

/** What is counted: a call that ended, and a request that is answered with a fault, whether or not it became a call. */
export interface CallEvent {
  /** Undefined for a request that was refused before it was known. */
  readonly operation: Operation | undefined;
  readonly transport: Transport | 'http';
  /** How long a call took, ms. */
  readonly ms?: number | undefined;
  /** Of a call that succeeded, or was refused by a rule. */
  readonly resultCode?: number | undefined;
  /** Of a request that is answered with a fault of another kind. */
  readonly fault?: ErrorCode | undefined;
  /** A read that is recorded by the minute, with what it showed: nothing for an id that does not exist. */
  readonly read?: { readonly call: Call; readonly subject: AuditSubject | undefined } | undefined;
}

/** Who counts calls. */
export interface CallCounter {
  count(event: CallEvent): void;
}

/**
 * Why a client may not make a call, or undefined if it may. An operation or transport that it may not use is a ServiceError `Forbidden`, and
 * for a client that may use only some centers, so is an operation whose answer contains a center that the call did not
 * name. A center that it may not use is refused like one that does not exist, and an appointment there like an unknown
 * one. This requires no lookup, so the answer does not reveal whether the center exists.
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

/**
 * An answer for a client that may not see who a patient is: without the fields that the contract marks as patient data, also in the records
 * inside it. None of them is required, so the answer still fits the WSDL.
 */
export function withoutPatientData({ fields }: RecordType, record: ResultRecord): ResultRecord {
  const kept: Record<string, ResultRecord[string]> = {};
  for (const { name, type, patientData } of fields) {
    const value = record[name];
    if (typeof type !== 'object') {
      if (!patientData) kept[name] = value;
    } else if (Array.isArray(value)) {
      kept[name] = value.map((inner: ResultRecord) => withoutPatientData(type, inner));
    } else if (value !== undefined) {
      kept[name] = withoutPatientData(type, value as unknown as ResultRecord);
    }
  }
  return kept;
}

/**
 * A call that was refused before anything was executed. Its client is anonymous if the caller is not identified: what strangers give as their
 * name may be anything, even a password.
 */
interface RefusedCall extends Pick<Call, 'client' | 'address' | 'correlationId'> {
  /** Absent if the call was not read that far. */
  readonly operation?: Operation | undefined;
  readonly transport?: Transport | undefined;
  readonly code: ErrorCode;
}

/** Records that a call was refused. Never rejects, because the answer does not depend on it. */
export type AuditRefusal = (call: RefusedCall) => Promise<void>;

export interface AuditRefusalDependencies extends Pick<Machine, 'clock'> {
  readonly store: Store;
  readonly log: Log;
  readonly budgets: Budgets;
}

/** Rows per minute and code. Strangers must not be able to fill the disk. The log allows more lines. */
const MOST_PER_MINUTE = 120;

export function createAuditRefusal({ store, log, clock, budgets }: AuditRefusalDependencies): AuditRefusal {
  const mayAudit = budgets.perCode<ErrorCode>(MOST_PER_MINUTE, 'refusals not audited');
  return async ({ client, operation, transport, code, ...call }) => {
    const row = {
      recordedOn: clock(),
      operation: operation?.name,
      transport,
      action: 'E',
      outcome: 4,
      errorCode: code,
    } as const;
    if (mayAudit(code)) await tryToAudit(store, log, { ...call, ...row, client: client.name });
  };
}

/** Writes a row in a separate transaction. If that fails, logs it at `error`. Resolves with whether it is written. */
export async function tryToAudit(store: Store, log: Log, entry: AuditEntry): Promise<boolean> {
  try {
    // It depends on no other row, so it needs no lock against other writers.
    await store.write(({ audit }) => audit.add(entry), []);
    return true;
  } catch (error) {
    const { correlationId, operation, transport, errorCode: code, resultCode } = entry;
    const known = Object.entries({ operation, transport, code, resultCode }).filter(([, value]) => value !== undefined);
    log.error('audit row not written', { correlationId, ...Object.fromEntries(known), error });
    return false;
  }
}
