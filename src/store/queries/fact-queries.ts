import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import type { Session } from '../session.ts';
import { changeStatement, rowStatement, statement } from '../statement.ts';

/**
 * When something last started: a complete backup, or the deletion of expired rows; and the first and the last readings of a clock
 * that is doubted. Instants in ms, in decimal digits.
 */
type LastStart = 'last-backup' | 'cleaned-on' | 'doubted-from' | 'doubted-on';

export const setFact = changeStatement((db, v: { name: string; value: string }) =>
  db
    .insertInto('service_fact')
    .values({ name: v.name, value: v.value })
    .onConflict((c) => c.column('name').doUpdateSet({ value: v.value })),
);

export const removeFact = changeStatement((db, v: { name: string }) =>
  db.deleteFrom('service_fact').where('name', '=', v.name),
);

const factByName = rowStatement((db, v: { name: string }) =>
  db.selectFrom('service_fact').select('value').where('name', '=', v.name),
);

const stepNames = statement<object, { name: string }>((db) =>
  (db as unknown as Kysely<{ [DEFAULT_MIGRATION_TABLE]: { name: string } }>)
    .selectFrom(DEFAULT_MIGRATION_TABLE)
    .select('name'),
);

/** A clock that is so far ahead of what the database recorded is doubted until it has gone on for as long. */
const DOUBTED_MS = 7 * 86_400_000;

/** One row if any of these tables contains a row. */
const anything = rowStatement((db, _: object) => {
  const one = sql<number>`1`.as('found');
  return db
    .selectFrom('center')
    .select(one)
    .unionAll(db.selectFrom('doctor').select(one))
    .unionAll(db.selectFrom('appointment').select(one))
    .unionAll(db.selectFrom('feedback').select(one))
    .unionAll(db.selectFrom('message').select(one))
    .limit(1);
});

const newestEvent = rowStatement((db, _: object) =>
  db.selectFrom('audit_event').select('recorded_on as on').orderBy('id', 'desc').limit(1),
);

/** What the database knows about itself. */
export const factQueries = {
  get: async (session: Session, name: string) => (await factByName(session, { name }))?.value,

  /** Sets a fact to a value, whether or not it exists. */
  set: setFact,

  remove: removeFact,

  /** Instant, ms; undefined if there has been none. */
  async lastStart(session: Session, name: LastStart): Promise<number | undefined> {
    const fact = await factByName(session, { name });
    return fact && Number(fact.value);
  },

  /** By how much a clock is too far ahead of the last instant that this database recorded of one that was believed, ms; else undefined. */
  async aheadMs(session: Session, now: number): Promise<number | undefined> {
    const last = (await factQueries.lastStart(session, 'cleaned-on')) ?? (await newestEvent(session, {}))?.on ?? now;
    return now - last > DOUBTED_MS ? now - last : undefined;
  },

  /** Notes a reading of a doubted clock. Whether its readings have followed one another for long enough; one that jumps again begins anew. */
  async hasGoneOn(session: Session, now: number): Promise<boolean> {
    const on = (await factQueries.lastStart(session, 'doubted-on')) ?? 0;
    const goesOn = Math.abs(now - on) <= DOUBTED_MS;
    const from = goesOn ? ((await factQueries.lastStart(session, 'doubted-from')) ?? now) : now;
    await factQueries.noteStart(session, 'doubted-from', from);
    await factQueries.noteStart(session, 'doubted-on', now);
    return now - from >= DOUBTED_MS;
  },

  noteStart: (session: Session, name: LastStart, begunOn: number) => setFact(session, { name, value: String(begunOn) }),

  planByValues: (session: Session) => session.planByValues(),

  missingRights: (session: Session) => session.missingRights(),

  vitals: (session: Session) => session.vitals(),

  /** True if there is no center, doctor, appointment, feedback or message. */
  isEmpty: async (session: Session) => (await anything(session, {})) === undefined,

  /** Names of the steps that created the schema, in no particular order. */
  schemaSteps: async (session: Session) => (await stepNames(session, {})).map(({ name }) => name),
};
