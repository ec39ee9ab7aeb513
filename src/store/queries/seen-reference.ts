import type { Session } from '../session.ts';
import { valueStatement } from '../statement.ts';
import { ReferenceData } from './reference-data.ts';
import { allReferenceRows } from './reference-table-queries.ts';

const currentVersion = valueStatement((db, _: object) => db.selectFrom('reference_version').select('version as value'));

/** The newest reference data that any session of a store has loaded. */
export interface KnownReference {
  latest?: ReferenceData;
}

/** The reference data that the queries of a session see. Only what has another version than the known data is loaded. */
export class SeenReference {
  readonly #session: Session;
  readonly #known: KnownReference;
  /** Since the session last began to see what is committed. */
  #seen: Promise<ReferenceData> | undefined;
  #isChanged = false;

  constructor(session: Session, known: KnownReference) {
    this.#session = session;
    this.#known = known;
  }

  /** The version is asked for once until `forget` is called. */
  data(): Promise<ReferenceData> {
    // What a unit of work has changed may be rolled back.
    if (this.#isChanged) return this.#load();
    this.#seen ??= this.#load().catch((error: unknown) => {
      this.#seen = undefined;
      throw error;
    });
    return this.#seen;
  }

  /** Called when the session may see another version: its transaction begins, or another connection has committed. */
  forget(): void {
    this.#seen = undefined;
    this.#isChanged = false;
  }

  /** Called when the transaction changes reference data. */
  noteChange(): void {
    this.#isChanged = true;
  }

  async #load(): Promise<ReferenceData> {
    for (;;) {
      const version = await currentVersion(this.#session, {});
      if (this.#known.latest?.version === version) return this.#known.latest;
      const data = new ReferenceData(version, await allReferenceRows(this.#session));
      // Each statement sees what was committed when it began.
      if ((await currentVersion(this.#session, {})) !== version) continue;
      if (!this.#isChanged) this.#known.latest = data;
      return data;
    }
  }
}
