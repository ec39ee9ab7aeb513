/** Gives the queries of a session the reference data that they need not read again. */
export interface ReferenceCache {
  /**
   * The cached data of the version that the queries see; a promise while that version is being read; undefined if they must ask the
   * database. Values that the queries read are added to it.
   */
  data(): CachedReferenceData | Promise<CachedReferenceData> | undefined;
  /** Called when the running transaction changes reference data. It must not read such data at the same time. */
  onChange?(): void;
}

/** The cache of a connection that writes. It reads the version once per transaction, when the cache is first needed. */
export class WriterReferenceCache implements ReferenceCache {
  readonly #readVersion: () => Promise<number>;
  /** The data of the last version that was read, kept from one transaction to the next. */
  #latest = new CachedReferenceData(0);
  /** The data of the version that the running transaction sees; undefined until a query needs it. */
  #ofTransaction: CachedReferenceData | Promise<CachedReferenceData> | undefined;
  #isChanged = false;
  #transactions = 0;

  constructor(readVersion: () => Promise<number>) {
    this.#readVersion = readVersion;
  }

  onBegin(): void {
    this.#transactions++;
    this.#ofTransaction = undefined;
    this.#isChanged = false;
  }

  data(): CachedReferenceData | Promise<CachedReferenceData> | undefined {
    if (this.#isChanged) return undefined;
    this.#ofTransaction ??= this.#find();
    return this.#ofTransaction;
  }

  /** Until the end of the transaction, the cache is neither read nor filled, because the transaction may be rolled back. */
  onChange(): void {
    this.#isChanged = true;
  }

  async #find(): Promise<CachedReferenceData> {
    const transaction = this.#transactions;
    const version = await this.#readVersion();
    this.#latest = this.#latest.ofVersion(version);
    // The transaction may have failed and ended before this query was answered.
    if (this.#transactions === transaction) this.#ofTransaction = this.#latest;
    return this.#latest;
  }
}

/**
 * The part of one version of the reference data that has been read so far, by a key for each query and its values. Missing centers and doctors
 * are not cached, because callers can ask for any number. Hours and leaves are read only for doctors who exist.
 */
export class CachedReferenceData {
  readonly version: number;
  readonly values = new Map<string, unknown>();

  constructor(version: number) {
    this.version = version;
  }

  /** This data if it is of that version, otherwise empty data of that version. */
  ofVersion(version: number): CachedReferenceData {
    return version === this.version ? this : new CachedReferenceData(version);
  }
}
