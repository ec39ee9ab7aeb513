import type { ResultRecord } from '../contract/contract.ts';

/** What `make` makes of a record; made only once if the record is frozen, because it then remains valid. */
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
