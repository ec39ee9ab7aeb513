import { KeptReference } from './kept-reference.ts';

/** Gives the queries of a connection the reference data that they need not read again. */
export interface ReferenceCache {
  /** What is kept of the version that the queries see; a promise while that version is being read; undefined if they must ask the database. */
  current(): KeptReference | Promise<KeptReference> | undefined;
  /** Call it when the running transaction changes reference data, and do not read such data at the same time. */
  changed?(): void;
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

  /** Until the end of the transaction, the cache is neither read nor filled, because the transaction may be rolled back. */
  changed(): void {
    this.#isChanged = true;
  }

  async #ofVersion(): Promise<KeptReference> {
    const transaction = this.#transactions;
    const version = await this.#readVersion();
    if (this.#kept?.version !== version) this.#kept = new KeptReference(version);
    // The transaction may have failed and ended before this query was answered.
    if (this.#transactions === transaction) this.#current = this.#kept;
    return this.#kept;
  }
}
