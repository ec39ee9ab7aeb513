import type { Kysely } from 'kysely';
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import { type Session, statement } from '../statement.ts';

const stepNames = statement<object, { name: string }>((db) =>
  (db as unknown as Kysely<{ [DEFAULT_MIGRATION_TABLE]: { name: string } }>)
    .selectFrom(DEFAULT_MIGRATION_TABLE)
    .select('name'),
);

/** What the database stores about its own schema. */
export class SchemaQueries {
  readonly #session: Session;
  constructor(session: Session) {
    this.#session = session;
  }

  /** Names of the steps that created its schema, in no particular order. */
  async steps(): Promise<readonly string[]> {
    return (await stepNames(this.#session, {})).map(({ name }) => name);
  }
}
