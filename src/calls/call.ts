import type { Client } from '../access/client.ts';
import type { Operation, OperationInput, ResultRecord } from '../contract/contract.ts';
import type { Transport } from '../vocabulary/transport.ts';

/** One call, read from whatever transport. */
export interface Call {
  readonly operation: Operation;
  readonly input: OperationInput;
  readonly transport: Transport;
  /** Who calls. */
  readonly client: Client;
  /** The network that it comes from; asked for only where it matters, which is seldom. */
  readonly network: () => string;
  /** Where the call comes from, as it is written down. */
  readonly address: string;
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
