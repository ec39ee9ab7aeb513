import type { Operation, OperationInput, ResultRecord } from '../contract/contract.ts';
import type { AuditAction, AuditOutcome, AuditSubject } from '../store/records/audit-records.ts';
import { isRefusal, ResultCode } from '../vocabulary/result-codes.ts';

/** What the contract says about auditing an operation, worked out once. */
export interface AuditPlan {
  /** Whether its calls are audited: it changes something, or shows who patients are. */
  readonly audited: boolean;
  /** What a call of it is there to do. */
  readonly action: AuditAction;
  /** The ids that an answer has, and those that it was asked with. */
  subjectOf(input: OperationInput, record?: ResultRecord): AuditSubject;
}

/** The contract's names of what an audit row is about, whatever their case: parameters spell one of them differently. */
const SUBJECT_FIELDS: readonly (readonly [column: keyof AuditSubject, field: string])[] = [
  ['centerId', 'centerid'],
  ['appointmentId', 'appointmentid'],
  ['doctorId', 'doctorid'],
  ['feedbackId', 'feedbackid'],
  ['messageId', 'smsid'],
];

/** The record that a call with this parameter changes; without it, a call that changes something creates. */
const CHANGED_RECORD = 'appointmentid';

/** Reads the plan out of an operation's parameters and result fields. */
export function compileAuditPlan({ safe, parameters, resultType }: Operation): AuditPlan {
  const sources = SUBJECT_FIELDS.map(([column, field]) => ({
    column,
    answered: resultType.fields.find(({ name }) => name.toLowerCase() === field)?.name,
    asked: parameters.find(({ name }) => name.toLowerCase() === field)?.name,
  })).filter(({ answered, asked }) => answered !== undefined || asked !== undefined);
  const changes = parameters.some(({ name }) => name.toLowerCase() === CHANGED_RECORD);
  return {
    audited: !safe || resultType.fields.some(({ patientData }) => patientData),
    action: safe ? 'R' : changes ? 'U' : 'C',
    subjectOf: (input, record) => {
      const subject: { -readonly [C in keyof AuditSubject]: number | undefined } = {};
      for (const { column, answered, asked } of sources) {
        const value =
          (answered === undefined ? undefined : record?.[answered]) ?? (asked === undefined ? undefined : input[asked]);
        // A number can be no name, no phone number and no text.
        if (typeof value === 'number') subject[column] = value;
      }
      return subject;
    },
  };
}

/** What an answer did: one that tells of an earlier call, or found everything as it was asked for, only reads. */
export const actionOf = ({ action }: AuditPlan, { ResultCode: code, Changed }: ResultRecord): AuditAction =>
  code === ResultCode.Duplicate || Changed === false ? 'R' : action;

/** A refusal is a minor failure: nothing was changed, and nothing is broken. */
export const outcomeOf = ({ ResultCode: code }: ResultRecord): AuditOutcome => (isRefusal(Number(code)) ? 4 : 0);
