import type { ResultRecord } from '../contract/contract.ts';

/** The record, never to be changed again, with all that is in it. Writers keep what they wrote of such a record. */
export function freezeRecord<R extends ResultRecord>(record: R): R {
  for (const value of Object.values(record)) {
    if (typeof value === 'object') freezeRecord(value as ResultRecord);
  }
  return Object.freeze(record);
}
