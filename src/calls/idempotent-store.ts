import { createHash } from 'node:crypto';
import type { Client } from '../access/client.ts';
import type { Operation, OperationInput, ResultRecord } from '../contract/contract.ts';
import type { Store } from '../store/store.ts';
import { idempotencyKey } from '../store/store-keys.ts';
import { ANONYMOUS_CLIENT } from '../vocabulary/anonymous-client.ts';
import { ServiceError } from '../vocabulary/errors.ts';

/** Thrown out of the transaction of a call whose key was answered before: nothing of the call may happen again. */
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
  /** Whose key it is: two clients may take the same one, and neither sees the other's answer. */
  readonly client: Client;
  readonly operation: Operation;
  readonly input: OperationInput;
  /** Instant, ms. */
  readonly now: number;
  /** How long a key stands for its first answer, in milliseconds. */
  readonly window: number;
}

/**
 * The store for one call with an Idempotency-Key: the answer is kept in the transaction that makes it true, and a second call finds
 * it there. `write` throws EarlierAnswer for the same call, ServiceError IdempotencyKeyReused for another one. A refusal is not
 * kept: nothing was changed, and what was refused may be possible the next time.
 */
export function idempotentStore(
  store: Store,
  { key: ownKey, client, operation, input, now, window }: KeyedCall,
): Store {
  const key = keyOf(client, ownKey);
  const fingerprint = fingerprintOf(operation, input);
  return {
    description: store.description,
    read: (work) => store.read(work),
    referenceVersion: () => store.referenceVersion(),
    time: () => store.time(),
    flaw: () => store.flaw(),
    size: () => store.size(),
    close: () => store.close(),
    write: (work, keys) =>
      store.write(
        async (records) => {
          const earlier = await records.idempotency.answer(key, now - window);
          if (earlier !== undefined) {
            if (earlier.fingerprint === fingerprint) throw new EarlierAnswer(JSON.parse(earlier.answer));
            throw new ServiceError(
              'IdempotencyKeyReused',
              'The Idempotency-Key was used for a call with other parameters; expected a new key for a new call.',
            );
          }
          const record = await work(records);
          const answer = { key, fingerprint, answer: JSON.stringify(record), now };
          await records.idempotency.keep(answer);
          return record;
        },
        keys && [...keys, idempotencyKey(key)],
      ),
  };
}

/** Neither a name nor a key holds a space. Where everybody is anonymous, a key is kept as it came. */
const keyOf = ({ name }: Client, key: string): string => (name === ANONYMOUS_CLIENT ? key : `${name} ${key}`);

function fingerprintOf({ name, parameters }: Operation, input: OperationInput): string {
  // The forms send an empty text where SOAP leaves the parameter out; to every operation it is the same.
  const values = parameters.map(({ name: parameter }) => (input[parameter] === '' ? null : (input[parameter] ?? null)));
  return createHash('sha256')
    .update(JSON.stringify([name, values]))
    .digest('base64');
}
