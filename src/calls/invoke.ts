import { ANONYMOUS } from '../access/client.ts';
import type { Contract, Operation, OperationInput, ResultRecord } from '../contract/contract.ts';
import type { Budgets } from '../log/budgets.ts';
import type { Log } from '../log/log.ts';
import type { CallContext, CallStore, Clock } from '../operations/dependencies.ts';
import type { Store } from '../store/store.ts';
import { ServiceError } from '../vocabulary/errors.ts';
import { isRefusal, Refusal } from '../vocabulary/result-codes.ts';
import { type AuditPlan, compileAuditPlan } from './audit-plan.ts';
import { tryToAudit } from './audit-refusal.ts';
import type { Call, Invoke } from './call.ts';
import { createCallAudit } from './call-audit.ts';
import { EarlierAnswer, idempotentStore } from './idempotent-store.ts';
import { scopeRefusalOf } from './scope-refusal.ts';

type Implementation = (input: OperationInput, context: CallContext) => Promise<ResultRecord>;

export interface InvokeDependencies {
  readonly contract: Contract;
  /** The service object: one function per operation, named as in the contract. */
  readonly implementations: object;
  readonly store: Store;
  readonly log: Log;
  readonly clock: Clock;
  /** How long an Idempotency-Key returns its first answer, in milliseconds. */
  readonly idempotencyWindow: number;
  readonly budgets: Budgets;
}

/** What is prepared for an operation before its first call. */
interface PreparedOperation {
  readonly implementation: Implementation;
  readonly plan: AuditPlan;
}

/** Refusals by the hospital's rules per caller that are audited and logged individually. No legitimate client gets this many. */
const MOST_REFUSALS_PER_MINUTE = 600;

const noNote = () => {};

/** The only caller of implementations, whatever the transport. Anything that applies to all calls belongs here. */
export function createInvoke({
  contract,
  implementations,
  store,
  log,
  clock,
  idempotencyWindow,
  budgets,
}: InvokeDependencies): Invoke {
  const byName = new Map<string, Implementation>(Object.entries(implementations));
  const prepared = new Map<Operation, PreparedOperation>();
  for (const operation of contract.operations) {
    const implementation = byName.get(operation.name);
    if (implementation === undefined)
      throw new Error(`The WSDL has the operation ${operation.name}, which has no implementation.`);
    prepared.set(operation, { implementation, plan: compileAuditPlan(operation) });
  }

  const takeRefusal = budgets.perKey<{ readonly client: string; readonly correlationId: string }>(
    MOST_REFUSALS_PER_MINUTE,
    (count, { client, correlationId }) => {
      log.warn('refusals not recorded individually', { client, correlationId, count });
      const entry = { now: clock(), operation: undefined, action: 'E', outcome: 4, transport: undefined } as const;
      return tryToAudit(store, log, { ...entry, client, correlationId, errorCode: `${count} more refusals` });
    },
  );
  const mayRecord = ({ client, network, correlationId }: Call): boolean => {
    const caller = client === ANONYMOUS ? `network ${network()}` : `client ${client.name}`;
    return takeRefusal(caller, { client: client.name, correlationId });
  };

  /** The store that audits is the inner one, so that an answer repeated for an Idempotency-Key is audited, too. */
  function storeFor({ operation, input, client, idempotencyKey }: Call, inner: CallStore): CallStore {
    if (idempotencyKey === undefined || operation.safe) return inner;
    return idempotentStore(inner, {
      key: idempotencyKey,
      client,
      operation,
      input,
      now: clock(),
      window: idempotencyWindow,
    });
  }

  // Most of the traffic is reads, which change nothing: a log line for each would cost more than the answer.
  const isLogged = ({ safe }: Operation): boolean => !safe || log.writesDebug;
  const logCall = (
    { operation, transport, client, address, correlationId }: Call,
    { ResultCode: code }: ResultRecord,
    began: number,
  ) => {
    if (!isLogged(operation)) return;
    log[operation.safe ? 'debug' : 'info']('call', {
      operation: operation.name,
      transport,
      resultCode: code as number,
      milliseconds: clock() - began,
      client: client.name,
      address,
      correlationId,
    });
  };

  return async (call) => {
    const { operation, input, client, transport, correlationId } = call;
    const began = isLogged(operation) ? clock() : 0;
    const known = prepared.get(operation);
    if (known === undefined) throw new Error(`${operation.name} is not of this contract`);
    const { implementation, plan } = known;
    const outOfScope = scopeRefusalOf(call);
    const audit = plan.audited || outOfScope !== undefined ? createCallAudit({ store, clock, plan, call }) : undefined;
    try {
      if (outOfScope !== undefined) throw outOfScope;
      const record = await implementation(input, {
        store: storeFor(call, audit?.store ?? store),
        client: client.name,
        centers: client.centers,
        transport,
        correlationId,
        note: audit?.note ?? noNote,
      });
      if (audit !== undefined) await audit.finish(record);
      logCall(call, record, began);
      return { record, refused: isRefusal(record.ResultCode as number), parameter: undefined };
    } catch (error) {
      if (error instanceof EarlierAnswer) {
        logCall(call, error.record, began);
        return { record: error.record, refused: false, parameter: undefined };
      }
      if (!(error instanceof Refusal)) {
        // A database that is unreachable cannot store the row either, and the log reports that already.
        const isAway = error instanceof ServiceError && error.code === 'Unavailable';
        if (audit !== undefined && !isAway && mayRecord(call)) await tryToAudit(store, log, audit.fault(error));
        throw error;
      }
      const record = { ResultCode: error.resultCode, ResultText: error.message };
      if (audit === undefined || mayRecord(call)) {
        if (audit !== undefined) await tryToAudit(store, log, audit.refusal(record));
        logCall(call, record, began);
      }
      return { record, refused: true, parameter: error.parameter };
    }
  };
}
