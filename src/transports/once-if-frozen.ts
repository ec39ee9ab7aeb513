import type { ResultRecord } from '../contract/contract.ts';

/** What `make` returns for a record. For a frozen record, which stays the same, `make` is called only once. */
export function onceIfFrozen<T extends NonNullable<unknown>>(
  make: (record: ResultRecord) => T,
): (record: ResultRecord) => T {
  const cached = new WeakMap<ResultRecord, T>();
  return (record) => {
    const known = cached.get(record);
    if (known !== undefined) return known;
    const made = make(record);
    if (Object.isFrozen(record)) cached.set(record, made);
    return made;
  };
}
