import { callerName } from '../access/client.ts';
import type { Contract, Operation, OperationInput, ResultRecord } from '../contract/contract.ts';
import { ServiceError } from '../vocabulary/errors.ts';
import { isRefusal, Refusal } from '../vocabulary/result-codes.ts';
import { type AuditRefusalDependencies, tryToAudit } from './audit-refusal.ts';
import { type AuditPlan, answerRow, compileAuditPlan, faultRow } from './audit-rows.ts';
import type { Call, Invoke } from './call.ts';
import type { CallContext } from './dependencies.ts';
import { withoutPatientData } from './minimal-fields.ts';
import { scopeRefusalOf } from './scope-refusal.ts';
import { SumReads } from './sum-reads.ts';
import { CallTransaction } from './transaction.ts';

type Implementation = (input: OperationInput, context: CallContext) => Promise<ResultRecord>;

export interface InvokeDependencies extends AuditRefusalDependencies {
  readonly contract: Contract;
  /** The service object: one function per operation, named as in the contract. */
  readonly implementations: object;
}

/** Refusals by the hospital's rules per caller that are audited and logged individually. No legitimate client gets this many. */
const MOST_REFUSALS_PER_MINUTE = 600;

/** The only caller of implementations, whatever the transport. Anything that applies to all calls belongs here. */
export function createInvoke(dependencies: InvokeDependencies): Invoke {
  const { store, log, clock } = dependencies;
  const prepared = prepare(dependencies);
  const mayRecord = refusalBudget(dependencies);
  const sums = new SumReads(dependencies);

  return async (call) => {
    const known = prepared.get(call.operation);
    if (known === undefined) throw new Error(`${call.operation.name} is not of this contract`);
    const { implementation, plan } = known;
    const began = clock();
    const outOfScope = scopeRefusalOf(call);
    try {
      if (outOfScope !== undefined) throw outOfScope;
      const transaction = new CallTransaction(dependencies, plan, call);
      const record = await implementation(call.input, transaction);
      const finishing = transaction.finish(record, sums);
      if (finishing !== undefined) await finishing;
      if (plan.summed) sums.one(call, plan.subjectOf(call.input, record));
      logCall(call, record, began, undefined);
      const answer = call.client.fields === 'minimal' ? withoutPatientData(call.operation.resultType, record) : record;
      return { record: answer, refused: isRefusal(Number(record.ResultCode)), parameter: undefined };
    } catch (error) {
      const isAudited = plan.audited || error === outOfScope;
      if (error instanceof Refusal) {
        const record = { ResultCode: error.resultCode, ResultText: error.message };
        if (plan.summed && error !== outOfScope) sums.one(call);
        if (mayRecord(call)) {
          if (isAudited) await tryToAudit(store, log, answerRow(plan, call, record, clock(), plan.action));
          logCall(call, record, began, error);
        }
        return { record, refused: true, parameter: error.parameter };
      }
      // A database that is unreachable cannot store the row either, and the log reports that already.
      const isAway = error instanceof ServiceError && error.code === 'Unavailable';
      if (isAudited && !isAway && mayRecord(call)) await tryToAudit(store, log, faultRow(plan, call, error, clock()));
      throw error;
    }
  };

  function logCall(
    { operation, transport, client, address, correlationId }: Call,
    record: ResultRecord,
    began: number,
    refusal: Refusal | undefined,
  ) {
    // Most of the traffic is reads, which change nothing: a log line for each would cost more than the answer.
    const isRoutine = operation.safe && refusal === undefined;
    if (isRoutine && !log.writesDebug) return;
    log[isRoutine ? 'debug' : 'info']('call', {
      operation: operation.name,
      transport,
      resultCode: Number(record.ResultCode),
      ...(refusal?.parameter === undefined ? {} : { parameter: refusal.parameter }),
      milliseconds: clock() - began,
      client: client.name,
      address,
      correlationId,
    });
  }
}

/** What is known about each operation before its first call. */
function prepare({ contract, implementations }: InvokeDependencies) {
  const byName = new Map<string, Implementation>(Object.entries(implementations));
  const prepared = new Map<Operation, { readonly implementation: Implementation; readonly plan: AuditPlan }>();
  for (const operation of contract.operations) {
    const implementation = byName.get(operation.name);
    if (implementation === undefined)
      throw new Error(`The WSDL has the operation ${operation.name}, which has no implementation.`);
    prepared.set(operation, { implementation, plan: compileAuditPlan(operation) });
  }
  return prepared;
}

/** Whether a call that is refused is audited and logged. If not, it is counted, and a row and a line say how many there were. */
function refusalBudget({ store, log, clock, budgets }: InvokeDependencies): (call: Call) => boolean {
  const take = budgets.perKey<{ readonly client: string; readonly correlationId: string }>(
    MOST_REFUSALS_PER_MINUTE,
    (count, { client, correlationId }) => {
      log.warn('refusals not recorded individually', { client, correlationId, count });
      const entry = { recordedOn: clock(), action: 'E', outcome: 4 } as const;
      return tryToAudit(store, log, { ...entry, client, correlationId, errorCode: `${count} more refusals` });
    },
  );
  return (call) => take(callerName(call), { client: call.client.name, correlationId: call.correlationId });
}
