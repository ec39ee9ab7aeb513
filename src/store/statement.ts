import type { Compilable, Kysely, SelectQueryBuilder } from 'kysely';
import type { Schema } from './schema.ts';
import type { CompiledStatement, Numbers, Session } from './session.ts';

/** Stands for a value while a query is compiled. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });

/** SQL that differs between the databases. */
type EngineSql = Pick<Numbers, 'nextAppointmentId'>;

type Build<Values, Row> = (db: Kysely<Schema>, values: Values, engineSql: EngineSql) => Compilable<Row>;
type BuildSelect<Values, Row> = (
  ...args: Parameters<Build<Values, Row>>
) => Compilable<Row> & { readonly isSelectQueryBuilder: true };

/**
 * A query that Kysely builds and compiles once per database, not once per call: building one costs more than SQLite needs
 * to run it. `build` sees placeholders instead of the values, so it must not inspect them.
 */
export function statement<Values extends object, Row>(
  build: Build<Values, Row>,
): (session: Session, values: Values) => Promise<Row[]> {
  return (session, values) => {
    const compiled = compiledFor(session, build);
    return session.run(compiled.sql, boundTo(values, compiled)) as Promise<Row[]>;
  };
}

/**
 * A SELECT that finds at most one row. The type admits no INSERT with RETURNING: node:sqlite stops after the first row, and so misses
 * a violated foreign key, which SQLite reports at the end of the statement.
 */
export function rowStatement<Values extends object, Row>(
  build: BuildSelect<Values, Row>,
): (session: Session, values: Values) => Promise<Row | undefined> {
  return (session, values) => {
    const compiled = compiledFor(session, build);
    return session.first(compiled.sql, boundTo(values, compiled)) as Promise<Row | undefined>;
  };
}

/** A SELECT whose only row has only this value, such as a count. */
export function valueStatement<Values extends object, Value>(
  build: BuildSelect<Values, { value: Value }>,
): (session: Session, values: Values) => Promise<Value> {
  const row = rowStatement(build);
  return async (session, values) => ((await row(session, values)) as { value: Value }).value;
}

/** Counts the messages that `build` selects, up to `limit`, so that counting costs the same however many there are. */
export const countStatement = <Values extends { readonly limit: number }>(
  build: (...args: Parameters<Build<Values, never>>) => SelectQueryBuilder<Schema, 'message', object>,
) =>
  valueStatement((db, v: Values, engineSql) =>
    db
      .selectFrom(build(db, v, engineSql).select('id').limit(v.limit).as('counted'))
      .select((row) => row.fn.countAll<number>().as('value')),
  );

/** An INSERT, UPDATE or DELETE: resolves with the number of rows that it inserted, changed or deleted. */
export function changeStatement<Values extends object>(
  build: Build<Values, unknown>,
): (session: Session, values: Values) => Promise<number> {
  return (session, values) => {
    const compiled = compiledFor(session, build);
    return session.change(compiled.sql, boundTo(values, compiled));
  };
}

/** Runs a query that is built for each call, because its text depends on the values. */
export async function rowsOf<Row>(session: Session, query: Compilable<Row>): Promise<Row[]> {
  const { sql, parameters } = query.compile();
  return (await session.run(sql, parameters)) as Row[];
}

function compiledFor<Values, Row>({ db, compiled, numbers }: Session, build: Build<Values, Row>): CompiledStatement {
  let known = compiled.get(build);
  if (known === undefined) {
    const { sql, parameters } = build(db, placeholders as Values, numbers).compile();
    const positions = [...parameters.keys()].filter((position) => parameters[position] instanceof Placeholder);
    known = { sql, parameters, positions };
    compiled.set(build, known);
  }
  return known;
}

function boundTo(values: object, { parameters, positions }: CompiledStatement): unknown[] {
  // A copy, because its elements are of V8's general kind from the start. An empty array that receives numbers and then texts would be
  // converted for each call.
  const bound = parameters.slice();
  for (const position of positions) {
    const { name } = parameters[position] as Placeholder;
    bound[position] = (values as Record<string, unknown>)[name] ?? null;
  }
  return bound;
}
