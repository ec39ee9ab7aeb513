import type { Client } from '../access/client.ts';
import type { Operation, OperationInput, ResultRecord, Transport } from '../contract/contract.ts';

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

/** The result of a call: a success or a refusal, both with their ResultCode. */
export interface Outcome {
  readonly record: ResultRecord;
  /** True if a hospital rule refused the request, so that nothing was changed. */
  readonly refused: boolean;
  /** For a refusal: the offending parameter. */
  readonly parameter: string | undefined;
}

/** Throws ServiceError or an internal error, which the transport turns into an answer. */
export type Invoke = (call: Call) => Promise<Outcome>;
