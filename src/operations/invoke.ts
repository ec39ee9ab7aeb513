import type { Client } from '../access/client.ts';
import type { Operation, OperationInput, ResultRecord, Transport } from '../contract/contract.ts';
import type { Log } from '../log.ts';
import { isRefusal, Refusal } from '../result-codes.ts';
import type { Store } from '../store/store.ts';
import type { CallContext, Clock } from './dependencies.ts';
import { EarlierAnswer, idempotentStore } from './idempotent-store.ts';

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
}

/** The only caller of an implementation, whatever the transport: what holds for every call belongs here. */
export function createInvoke({ implementations, store, log, clock }: InvokeDependencies): Invoke {
  const byName = new Map<string, Implementation>(Object.entries(implementations));

  function storeFor({ operation, input, idempotencyKey }: Call): Store {
    if (idempotencyKey === undefined || operation.safe) return store;
    return idempotentStore(store, { key: idempotencyKey, operation, input, now: clock() });
  }

  async function outcomeOf(call: Call): Promise<Outcome> {
    const { operation, input, transport, correlationId } = call;
    const implementation = byName.get(operation.name);
    if (implementation === undefined) throw new Error(`${operation.name} has no implementation`);
    try {
      const record = await implementation(input, { store: storeFor(call), transport, correlationId });
      return { record, refused: isRefusal(record.ResultCode as number), parameter: undefined };
    } catch (error) {
      if (error instanceof EarlierAnswer) return { record: error.record, refused: false, parameter: undefined };
      if (!(error instanceof Refusal)) throw error;
      const record = { ResultCode: error.resultCode, ResultText: error.message };
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
