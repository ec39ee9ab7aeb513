import type { Store } from '../store/store.ts';

interface StoreMeter {
  /** Monotonic milliseconds. */
  readonly stopwatch: () => number;
  readonly observe: (access: 'read' | 'write', seconds: number) => void;
}

/** The same store, with the time of each read and write measured, including failed ones. */
export function meteredStore(store: Store, { stopwatch, observe }: StoreMeter): Store {
  function timed<T>(access: 'read' | 'write', work: () => Promise<T>): Promise<T> {
    const began = stopwatch();
    const ended = () => observe(access, (stopwatch() - began) / 1000);
    const result = work();
    // The caller gets the original promise, because waiting for one derived from it would take longer.
    result.then(ended, ended);
    return result;
  }
  return {
    // A getter, because the description may contain more once the database can be reached.
    get description() {
      return store.description;
    },
    read: (work) => timed('read', () => store.read(work)),
    write: (work, keys) => timed('write', () => store.write(work, keys)),
    referenceVersion: () => store.referenceVersion(),
    flaw: () => store.flaw(),
    purge: () => store.purge(),
    size: () => store.size(),
    close: () => store.close(),
  };
}
