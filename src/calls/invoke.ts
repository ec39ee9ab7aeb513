import { callerName } from '../access/client.ts';
import type { Contract, Operation, OperationInput, ResultRecord } from '../contract/contract.ts';
import { isUnavailable } from '../vocabulary/errors.ts';
import type { Machine } from '../vocabulary/machine.ts';
import { Refusal } from '../vocabulary/result-codes.ts';
import { type AuditPlan, compileAuditPlan, failureRow } from './audit-rows.ts';
import {
  type AuditRefusalDependencies,
  type Call,
  type CallCounter,
  type CallEvent,
  type Invoke,
  scopeRefusalOf,
  tryToAudit,
  withoutPatientData,
} from './call.ts';
import type { CallContext } from './dependencies.ts';
import { SumReads } from './sum-reads.ts';
import { CallTransaction } from './transaction.ts';

type Implementation = (input: OperationInput, context: CallContext) => Promise<ResultRecord>;

export interface InvokeDependencies extends AuditRefusalDependencies, Pick<Machine, 'stopwatch'> {
  readonly contract: Contract;
  /** The service object: one function per operation, named as in the contract. */
  readonly implementations: object;
  readonly counters: readonly CallCounter[];
}

/** Refusals by the hospital's rules per caller that are audited and logged individually. No legitimate client gets this many. */
const MOST_REFUSALS_PER_MINUTE = 600;

/** The only caller of implementations, whatever the transport. Anything that applies to all calls belongs here. */
export function createInvoke(dependencies: InvokeDependencies): Invoke {
  const { store, log, clock, stopwatch } = dependencies;
  const prepared = prepare(dependencies);
  const mayRecord = refusalBudget(dependencies);
  const sums = new SumReads(dependencies);
  const counters = [...dependencies.counters, sums];

  return invoke;

  async function invoke(call: Call): Promise<ResultRecord> {
    const { client, input, operation } = call;
    const known = prepared.get(operation);
    if (known === undefined) throw new Error(`${operation.name} is not of this contract`);
    const { implementation, plan } = known;
    const began = stopwatch();
    const transaction = new CallTransaction(dependencies, plan, call);
    const outOfScope = scopeRefusalOf(call);
    try {
      if (outOfScope !== undefined) throw outOfScope;
      const record = await implementation(input, transaction);
      const finishing = transaction.finish(record, sums);
      if (finishing !== undefined) await finishing;
      const resultCode = Number(record.ResultCode);
      const read = plan.summed ? { call, subject: plan.subjectOf(input, record) } : undefined;
      logCall(call, resultCode, ended(call, began, resultCode, read));
      return client.fields === 'minimal' ? withoutPatientData(operation.resultType, record) : record;
    } catch (error) {
      const refusal = error instanceof Refusal ? error : undefined;
      const isAudited = plan.audited || error === outOfScope;
      const read = refusal && plan.summed && error !== outOfScope ? { call, subject: undefined } : undefined;
      const ms = ended(call, began, refusal?.resultCode, read);
      // The transaction has written the row of a refusal that names a record. A database that is unreachable cannot store a row either, and the
      // log reports that already.
      const isWritten = refusal && transaction.noted.appointmentId !== undefined;
      const isRecorded = (refusal || (isAudited && !isUnavailable(error))) && mayRecord(call);
      if (isRecorded) {
        if (isAudited && !isWritten) await tryToAudit(store, log, failureRow(plan, call, error, clock()));
        if (refusal) logCall(call, refusal.resultCode, ms, refusal);
      }
      throw error;
    }
  }

  /** Tells all who count calls. `read`: of a read that is recorded by the minute. */
  function ended(call: Call, began: number, resultCode: number | undefined, read: CallEvent['read']): number {
    const { operation, transport } = call;
    const event = { operation, transport, ms: stopwatch() - began, resultCode, read };
    for (const counter of counters) counter.count(event);
    return event.ms;
  }

  function logCall(call: Call, resultCode: number, ms: number, refusal?: Refusal) {
    const { operation, transport, client, address, correlationId } = call;
    // Most of the traffic is reads, which change nothing: a log line for each would cost more than the answer.
    const isRoutine = operation.safe && refusal === undefined;
    if (isRoutine && !log.writesDebug) return;
    log[isRoutine ? 'debug' : 'info']('call', {
      operation: operation.name,
      transport,
      resultCode,
      ...(refusal?.parameter === undefined ? {} : { parameter: refusal.parameter }),
      milliseconds: Math.round(ms),
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
