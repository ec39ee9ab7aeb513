import type { Kysely } from 'kysely';
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import type { Session } from '../session.ts';
import { statement } from '../statement.ts';

/** When the last complete backup was started: an instant in ms, in decimal digits. */
const LAST_BACKUP = 'last-backup';
/** When the last deletion of expired rows was started, in the same form. */
const LAST_CLEANED = 'cleaned-on';

export const setFact = statement((db, v: { name: string; value: string }) =>
  db
    .insertInto('service_fact')
    .values({ name: v.name, value: v.value })
    .onConflict((c) => c.column('name').doUpdateSet({ value: v.value })),
);

export const removeFact = statement((db, v: { name: string }) =>
  db.deleteFrom('service_fact').where('name', '=', v.name),
);

const factByName = statement((db, v: { name: string }) =>
  db.selectFrom('service_fact').select('value').where('name', '=', v.name),
);

const stepNames = statement<object, { name: string }>((db) =>
  (db as unknown as Kysely<{ [DEFAULT_MIGRATION_TABLE]: { name: string } }>)
    .selectFrom(DEFAULT_MIGRATION_TABLE)
    .select('name'),
);

/** What the database knows about itself. */
export class FactQueries {
  readonly #session: Session;
  constructor(session: Session) {
    this.#session = session;
  }

  async get(name: string): Promise<string | undefined> {
    return (await factByName(this.#session, { name }))[0]?.value;
  }

  /** Sets a fact to a value, whether or not it exists. */
  async set(name: string, value: string): Promise<void> {
    await setFact(this.#session, { name, value });
  }

  async remove(name: string): Promise<void> {
    await removeFact(this.#session, { name });
  }

  /** Instant, ms, at which the last complete backup was started; undefined if there has been none. */
  lastBackupOn(): Promise<number | undefined> {
    return this.#instant(LAST_BACKUP);
  }

  /** Instant, ms, at which the last deletion of expired rows was started; undefined if there has been none. */
  lastCleanedOn(): Promise<number | undefined> {
    return this.#instant(LAST_CLEANED);
  }

  async noteCleaned(begunOn: number): Promise<void> {
    await this.set(LAST_CLEANED, String(begunOn));
  }

  async #instant(name: string): Promise<number | undefined> {
    const instant = await this.get(name);
    return instant === undefined ? undefined : Number(instant);
  }

  async noteBackup(begunOn: number): Promise<void> {
    await this.set(LAST_BACKUP, String(begunOn));
  }

  /** Names of the steps that created the schema, in no particular order. */
  async schemaSteps(): Promise<readonly string[]> {
    return (await stepNames(this.#session, {})).map(({ name }) => name);
  }
}
