import { KeptReference } from './kept-reference.ts';

/** The reference data that the queries of a connection may take from a cache. */
export interface ReferenceCache {
  /** The cache of the version that the queries see; undefined if they must ask the database. A promise while the version is being read. */
  current(): KeptReference | Promise<KeptReference> | undefined;
  /** The running transaction has changed reference data. */
  changed(): void;
}

/** The cache of a connection that writes. It reads the version once per transaction, when the cache is first needed. */
export class WriterReferenceCache implements ReferenceCache {
  readonly #readVersion: () => Promise<number>;
  #kept: KeptReference | undefined;
  #current: KeptReference | Promise<KeptReference> | undefined;
  #isChanged = false;
  #transactions = 0;

  constructor(readVersion: () => Promise<number>) {
    this.#readVersion = readVersion;
  }

  /** Call it when a transaction begins. */
  begin(): void {
    this.#transactions++;
    this.#current = undefined;
    this.#isChanged = false;
  }

  current(): KeptReference | Promise<KeptReference> | undefined {
    if (this.#isChanged) return undefined;
    this.#current ??= this.#ofVersion();
    return this.#current;
  }

  /** From here to the end of the transaction, nothing is cached, because the transaction may be rolled back. */
  changed(): void {
    this.#isChanged = true;
  }

  async #ofVersion(): Promise<KeptReference> {
    const transaction = this.#transactions;
    const version = await this.#readVersion();
    if (this.#kept?.version !== version) this.#kept = new KeptReference(version);
    // A transaction that failed may have ended before its query.
    if (this.#transactions === transaction) this.#current = this.#kept;
    return this.#kept;
  }
}
