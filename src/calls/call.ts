import type { Client } from '../access/client.ts';
import type { Operation, OperationInput, ResultRecord } from '../contract/contract.ts';
import type { Transport } from '../vocabulary/transport.ts';

/** One call, after it was read from any transport. */
export interface Call {
  readonly operation: Operation;
  readonly input: OperationInput;
  readonly transport: Transport;
  /** Who calls. */
  readonly client: Client;
  /** The network of the caller; computed only if needed, which is rare. */
  readonly network: () => string;
  /** The address of the caller in the form that is recorded. */
  readonly address: string;
  /** Connects the answer with the log. */
  readonly correlationId: string;
  /** The caller's id for this call, with which it may be sent again. */
  readonly idempotencyKey?: string | undefined;
}

/** The result of a call: a success or a refusal, both with their ResultCode. */
export interface Outcome {
  readonly record: ResultRecord;
  /** True if a hospital rule refused the request, so that nothing was changed. */
  readonly refused: boolean;
  /** For a refusal: the parameter at fault. */
  readonly parameter: string | undefined;
}

/** Throws ServiceError or any internal error; the transport turns it into an answer. */
export type Invoke = (call: Call) => Promise<Outcome>;
