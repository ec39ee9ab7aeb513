import type { Operation, OperationInput, ResultRecord } from '../contract/contract.ts';
import type { AuditEntry, AuditSubject } from '../store/queries/audit-queries.ts';
import { type ErrorCode, ServiceError } from '../vocabulary/errors.ts';
import { Refusal, ResultCode } from '../vocabulary/result-codes.ts';
import type { AuditAction } from '../vocabulary/stored-records.ts';
import type { Call } from './call.ts';

/** How an operation is audited, derived from the contract once. */
export interface AuditPlan {
  /** Whether its calls are audited, because it changes something or shows patient data. */
  readonly audited: boolean;
  /** Whether its calls are recorded by the minute, because it shows an appointment without the patient. */
  readonly summed: boolean;
  /** What a call of it normally does. */
  readonly action: AuditAction;
  /** The ids in the answer and in the parameters. */
  subjectOf(input: OperationInput, record?: ResultRecord): AuditSubject;
}

/** The contract's names for what an audit row is about, in any case, because some parameters spell them differently. */
const SUBJECT_FIELDS = {
  centerId: 'centerid',
  appointmentId: 'appointmentid',
  doctorId: 'doctorid',
  feedbackId: 'feedbackid',
  messageId: 'smsid',
} as const satisfies Partial<Record<keyof AuditSubject, string>>;

/** The parameter that names a record. An operation that changes something but lacks it creates a record. */
const NAMED_RECORD = SUBJECT_FIELDS.appointmentId;

export function compileAuditPlan({ safe, parameters, resultType }: Operation): AuditPlan {
  const nameIn = (named: readonly { readonly name: string }[], field: string): string =>
    named.find(({ name }) => name.toLowerCase() === field)?.name ?? '';
  const sources = Object.entries(SUBJECT_FIELDS).map(([column, field]) => ({
    column: column as keyof typeof SUBJECT_FIELDS,
    answered: nameIn(resultType.fields, field),
    asked: nameIn(parameters, field),
  }));
  const audited = !safe || resultType.fields.some(({ patientData }) => patientData);
  return {
    audited,
    summed: !audited && nameIn(parameters, NAMED_RECORD) !== '',
    action: safe ? 'R' : nameIn(parameters, NAMED_RECORD) === '' ? 'C' : 'U',
    subjectOf: (input, record) => {
      const subject: Partial<Record<keyof typeof SUBJECT_FIELDS, number>> = {};
      for (const { column, answered, asked } of sources) {
        const value = record?.[answered] ?? input[asked];
        // A number cannot be a name, a phone number or a text.
        if (typeof value === 'number') subject[column] = value;
      }
      return subject;
    },
  };
}

/** The row of a call that was answered with a record. `now`: ms. */
export const answerRow = (
  plan: AuditPlan,
  call: Call,
  record: ResultRecord,
  now: number,
  action = actionOf(plan, record),
): AuditEntry => ({
  ...callOf(call, now),
  action,
  outcome: 0,
  resultCode: Number(record.ResultCode),
  ...plan.subjectOf(call.input, record),
});

/** The row of a call that failed. A refusal is a minor failure: nothing was changed, and nothing is broken. */
export function failureRow(plan: AuditPlan, call: Call, error: unknown, now: number): AuditEntry {
  const row = { ...callOf(call, now), action: plan.action, ...plan.subjectOf(call.input) };
  if (error instanceof Refusal) return { ...row, outcome: 4, resultCode: error.resultCode };
  const errorCode: ErrorCode = error instanceof ServiceError ? error.code : 'Internal';
  return { ...row, outcome: errorCode === 'Internal' ? 8 : 4, errorCode };
}

const callOf = ({ operation, client, address, transport, correlationId }: Call, now: number) => ({
  recordedOn: now,
  operation: operation.name,
  client: client.name,
  address,
  transport,
  correlationId,
});

/** What a call did: if it returned an earlier record, or found everything as requested, it only read. */
const actionOf = ({ action }: AuditPlan, { ResultCode: code, Changed }: ResultRecord): AuditAction =>
  code === ResultCode.Duplicate || Changed === false ? 'R' : action;
