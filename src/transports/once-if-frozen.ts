import type { ResultRecord } from '../contract/contract.ts';

/** What `make` returns for a record. If the record is frozen, `make` is called only once, because its result remains valid. */
export function onceIfFrozen<T>(make: (record: ResultRecord) => T): (record: ResultRecord) => T {
  const kept = new WeakMap<ResultRecord, { readonly made: T }>();
  return (record) => {
    const known = kept.get(record);
    if (known !== undefined) return known.made;
    const made = make(record);
    if (Object.isFrozen(record)) kept.set(record, { made });
    return made;
  };
}
