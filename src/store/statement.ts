import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** Where a statement runs: a connection or a transaction, with the statements compiled for its database so far. */
export interface Session {
  readonly db: Kysely<Schema>;
  readonly compiled: Map<unknown, CompiledStatement>;
}

interface CompiledStatement {
  readonly query: CompiledQuery;
  /** Per SQL parameter: the name of the value to put there, or undefined for a constant of the query. */
  readonly names: readonly (string | undefined)[];
}

/** Stands for a value while a query is compiled. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });

/**
 * A query that Kysely builds and compiles once per database, not once per call: building one costs more than SQLite needs
 * to run it. `build` sees placeholders in place of the values, so it must not look into them.
 */
export function statement<Values extends object, Row>(
  build: (db: Kysely<Schema>, values: Values) => Compilable<Row>,
): (session: Session, values: Values) => Promise<Row[]> {
  return async (session, values) => {
    let compiled = session.compiled.get(build);
    if (compiled === undefined) {
      const query = build(session.db, placeholders as Values).compile();
      compiled = { query, names: query.parameters.map((p) => (p instanceof Placeholder ? p.name : undefined)) };
      session.compiled.set(build, compiled);
    }
    const { query, names } = compiled;
    const parameters = names.map((name, i) =>
      name === undefined ? query.parameters[i] : ((values as Record<string, unknown>)[name] ?? null),
    );
    return (await session.db.executeQuery<Row>({ ...query, parameters } as CompiledQuery<Row>)).rows;
  };
}
