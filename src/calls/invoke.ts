import type { Client } from '../access/client.ts';
import type { Operation, OperationInput, ResultRecord, Transport } from '../contract/contract.ts';
import type { Log } from '../log/log.ts';
import type { CallContext, Clock } from '../operations/dependencies.ts';
import type { Store } from '../store/store.ts';
import { ServiceError } from '../vocabulary/errors.ts';
import { isRefusal, Refusal } from '../vocabulary/result-codes.ts';
import { type AuditPlan, compileAuditPlan } from './audit-plan.ts';
import { tryToAudit } from './audit-refusal.ts';
import { createCallAudit } from './call-audit.ts';
import { EarlierAnswer, idempotentStore } from './idempotent-store.ts';
import { scopeRefusalOf } from './scope-refusal.ts';

/** One call, read from whatever transport. */
export interface Call {
  readonly operation: Operation;
  readonly input: OperationInput;
  readonly transport: Transport;
  /** Who calls. */
  readonly client: Client;
  /** Ties the answer to the log. */
  readonly correlationId: string;
  /** The caller's name for this call, under which it may be sent again. */
  readonly idempotencyKey?: string | undefined;
}

/** What the hospital answers: a success or a refusal, both with their ResultCode. */
export interface Outcome {
  readonly record: ResultRecord;
  /** Nothing was changed, because a rule of the hospital says no. */
  readonly refused: boolean;
  /** For a refusal: the parameter at fault. */
  readonly parameter: string | undefined;
}

/** Throws ServiceError, or whatever broke: the transport answers it. */
export type Invoke = (call: Call) => Promise<Outcome>;

type Implementation = (input: OperationInput, context: CallContext) => Promise<ResultRecord>;

export interface InvokeDependencies {
  /** The service object: a function an operation, by the contract's names. */
  readonly implementations: object;
  readonly store: Store;
  readonly log: Log;
  readonly clock: Clock;
  /** How long an Idempotency-Key stands for its first answer, in milliseconds; a day unless given. */
  readonly idempotencyWindow?: number;
}

const DAY = 24 * 60 * 60 * 1000;

const noNote = () => {};

/** The only caller of an implementation, whatever the transport: what holds for every call belongs here. */
export function createInvoke({
  implementations,
  store,
  log,
  clock,
  idempotencyWindow = DAY,
}: InvokeDependencies): Invoke {
  const byName = new Map<string, Implementation>(Object.entries(implementations));

  const plans = new Map<Operation, AuditPlan>();

  function planOf(operation: Operation): AuditPlan {
    const known = plans.get(operation);
    if (known !== undefined) return known;
    const plan = compileAuditPlan(operation);
    plans.set(operation, plan);
    return plan;
  }

  /** The audit's store is the inner one: an answer that an Idempotency-Key gives again is audited as well. */
  function storeFor({ operation, input, client, idempotencyKey }: Call, inner: Store): Store {
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

  async function outcomeOf(call: Call): Promise<Outcome> {
    const { operation, input, transport, correlationId } = call;
    const implementation = byName.get(operation.name);
    if (implementation === undefined) throw new Error(`${operation.name} has no implementation`);
    const plan = planOf(operation);
    const outOfScope = scopeRefusalOf(call);
    const audit = plan.audited || outOfScope !== undefined ? createCallAudit({ store, clock, plan, call }) : undefined;
    try {
      if (outOfScope !== undefined) throw outOfScope;
      const record = await implementation(input, {
        store: storeFor(call, audit?.store ?? store),
        transport,
        correlationId,
        note: audit?.note ?? noNote,
      });
      await audit?.finish(record);
      return { record, refused: isRefusal(record.ResultCode as number), parameter: undefined };
    } catch (error) {
      if (error instanceof EarlierAnswer) return { record: error.record, refused: false, parameter: undefined };
      if (!(error instanceof Refusal)) {
        // A database that is away takes no row either, and the log tells of it.
        const isAway = error instanceof ServiceError && error.code === 'Unavailable';
        if (audit !== undefined && !isAway) await tryToAudit(store, log, audit.fault(error));
        throw error;
      }
      const record = { ResultCode: error.resultCode, ResultText: error.message };
      if (audit !== undefined) await tryToAudit(store, log, audit.refusal(record));
      return { record, refused: true, parameter: error.parameter };
    }
  }

  return async (call) => {
    const began = clock();
    const outcome = await outcomeOf(call);
    // A desk that looks is most of the traffic and none of the history: a line each would cost more than the answer.
    log[call.operation.safe ? 'debug' : 'info']('call', {
      operation: call.operation.name,
      transport: call.transport,
      resultCode: outcome.record.ResultCode as number,
      milliseconds: clock() - began,
      correlationId: call.correlationId,
    });
    return outcome;
  };
}
