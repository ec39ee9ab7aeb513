import { createHash } from 'node:crypto';
import { ANONYMOUS, type Client } from '../access/client.ts';
import type { Operation, OperationInput, ResultRecord } from '../contract/contract.ts';
import type { CallStore } from '../operations/dependencies.ts';
import { idempotencyKey } from '../store/store-keys.ts';
import { ServiceError } from '../vocabulary/errors.ts';

/** For how long a repeated Idempotency-Key returns the first answer. */
export const IDEMPOTENCY_HOURS = 24;
export const IDEMPOTENCY_WINDOW_MS = IDEMPOTENCY_HOURS * 60 * 60 * 1000;

/** Thrown from the transaction of a call whose key was answered before, so that no part of the call is executed again. */
export class EarlierAnswer extends Error {
  readonly record: ResultRecord;
  constructor(record: ResultRecord) {
    super('the Idempotency-Key has an answer already');
    this.name = 'EarlierAnswer';
    this.record = record;
  }
}

export interface KeyedCall {
  readonly key: string;
  /** The owner of the key: two clients may use the same key, and neither sees the other's answer. */
  readonly client: Client;
  readonly operation: Operation;
  readonly input: OperationInput;
  /** Instant, ms. */
  readonly now: number;
  /** How long a key returns its first answer, in milliseconds. */
  readonly window: number;
}

/**
 * The store for one call with an Idempotency-Key: the answer is stored in the transaction of the change, where a second call finds it.
 * `write` throws EarlierAnswer if the same call is repeated, and ServiceError IdempotencyKeyReused if the key comes with a different call.
 * A refusal is not stored: nothing was changed, and the call may succeed next time.
 */
export function idempotentStore(
  store: CallStore,
  { key: ownKey, client, operation, input, now, window }: KeyedCall,
): CallStore {
  const key = keyOf(client, ownKey);
  const fingerprint = fingerprintOf(operation, input);
  return {
    read: (work) => store.read(work),
    referenceVersion: () => store.referenceVersion(),
    write: (work, keys) =>
      store.write(
        async (queries) => {
          const earlier = await queries.idempotency.answer({ key, since: now - window, now });
          if (earlier !== undefined) {
            if (earlier.fingerprint === fingerprint) throw new EarlierAnswer(JSON.parse(earlier.answer ?? '{}'));
            throw new ServiceError(
              'IdempotencyKeyReused',
              'The Idempotency-Key was already used for a call with different parameters; expected a new key for a new call.',
            );
          }
          const record = await work(queries);
          const answer = { key, fingerprint, answer: JSON.stringify(record), now };
          await queries.idempotency.keep(answer);
          return record;
        },
        keys && [...keys, idempotencyKey(key)],
      ),
  };
}

/** Neither a name nor a key contains a space. The key of an anonymous client is stored unchanged. */
const keyOf = ({ name }: Client, key: string): string => (name === ANONYMOUS.name ? key : `${name} ${key}`);

function fingerprintOf({ name, parameters }: Operation, input: OperationInput): string {
  // The forms send an empty text where SOAP omits the parameter. Operations treat both alike.
  const values = parameters.map(({ name: parameter }) => (input[parameter] === '' ? null : (input[parameter] ?? null)));
  return createHash('sha256')
    .update(JSON.stringify([name, values]))
    .digest('base64');
}
