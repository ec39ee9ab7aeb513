import type { Operation, OperationInput, ResultRecord } from '../contract/contract.ts';
import type { AuditAction, AuditOutcome, AuditSubject } from '../store/queries/audit-queries.ts';
import { isRefusal, ResultCode } from '../vocabulary/result-codes.ts';

/** How an operation is audited, derived from the contract once. */
export interface AuditPlan {
  /** Whether its calls are audited, because it changes something or shows patient data. */
  readonly audited: boolean;
  /** What a call of it normally does. */
  readonly action: AuditAction;
  /** The ids in the answer and in the parameters. */
  subjectOf(input: OperationInput, record?: ResultRecord): AuditSubject;
}

type SubjectId = Exclude<keyof AuditSubject, 'day'>;

/** The contract's names for what an audit row is about, in any case, because some parameters spell them differently. */
const SUBJECT_FIELDS: readonly (readonly [column: SubjectId, field: string])[] = [
  ['centerId', 'centerid'],
  ['appointmentId', 'appointmentid'],
  ['doctorId', 'doctorid'],
  ['feedbackId', 'feedbackid'],
  ['messageId', 'smsid'],
];

/** The parameter that names the record to change. An operation that changes something but lacks it creates a record. */
const CHANGED_RECORD = 'appointmentid';

/** Derives the plan from an operation's parameters and result fields. */
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
      const subject: Partial<Record<SubjectId, number>> = {};
      for (const { column, answered, asked } of sources) {
        const value =
          (answered === undefined ? undefined : record?.[answered]) ?? (asked === undefined ? undefined : input[asked]);
        // A number cannot be a name, a phone number or a text.
        if (typeof value === 'number') subject[column] = value;
      }
      return subject;
    },
  };
}

/** What a call did: if it returned an earlier record, or found everything as requested, it only read. */
export const actionOf = ({ action }: AuditPlan, { ResultCode: code, Changed }: ResultRecord): AuditAction =>
  code === ResultCode.Duplicate || Changed === false ? 'R' : action;

/** A refusal is a minor failure: nothing was changed, and nothing is broken. */
export const outcomeOf = ({ ResultCode: code }: ResultRecord): AuditOutcome => (isRefusal(Number(code)) ? 4 : 0);
