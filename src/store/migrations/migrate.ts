import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { POSTGRES_COUNTERS, SQLITE_COUNTERS } from './0001-counters.ts';
import { POSTGRES_GUARDS, SQLITE_GUARDS } from './0001-guards.ts';
import { reports } from './0001-reports.ts';
import { type Engine, INDEXES, tables } from './0001-tables.ts';
import { WITHOUT_PATIENT_GUARD } from './0002-patient-guard.ts';
import { PATIENTS_AS_GIVEN } from './0003-patients-as-given.ts';
import { LEAVE_OF_CENTERS } from './0004-leave-of-centers.ts';
import { WITH_MESSAGE_END } from './0005-message-end.ts';
import { GUARDS_BY_THEMSELVES } from './0006-guards-by-themselves.ts';
import { AUDIT_TIME } from './0007-audit-time.ts';
import { WHAT_ERASURE_MISSED } from './0008-what-erasure-missed.ts';
import { TEMPLATES_COUNTED } from './0009-templates-counted.ts';
import { APPOINTMENT_LENGTH } from './0010-appointment-length.ts';
import { NUMBERS_AS_GIVEN } from './0012-numbers-as-given.ts';
import { commentsOn, type DescribedTable, type Step, statementsOf, tablesIn } from './step.ts';

const FIRST_SCHEMA: Step = {
  statements: (engine) => [
    ...tables(engine),
    ...INDEXES,
    ...(engine === 'sqlite' ? [...SQLITE_GUARDS, ...SQLITE_COUNTERS] : [...POSTGRES_GUARDS, ...POSTGRES_COUNTERS]),
    ...reports(engine),
    ...(engine === 'sqlite' ? [] : commentsOn(tablesIn(tables(engine)))),
  ],
};

/** The steps that make up the schema, by name, in order. The last one of a release has its version, which an earlier release can name. */
export const SCHEMA_STEPS = new Map<string, Step>([
  ['0001-first-schema', FIRST_SCHEMA],
  ['0002-patient-guard', WITHOUT_PATIENT_GUARD],
  ['0003-patients-as-given', PATIENTS_AS_GIVEN],
  ['0004-leave-of-centers', LEAVE_OF_CENTERS],
  ['0005-message-end', WITH_MESSAGE_END],
  ['0006-guards-by-themselves', GUARDS_BY_THEMSELVES],
  ['0007-audit-time', AUDIT_TIME],
  ['0008-what-erasure-missed', WHAT_ERASURE_MISSED],
  ['0009-templates-counted', TEMPLATES_COUNTED],
  ['0010-appointment-length', APPOINTMENT_LENGTH],
  ['0012-numbers-as-given', NUMBERS_AS_GIVEN],
  ['0013-version-1.1.0', {}],
]);

/** The tables of this version, whichever step added them or their columns, with the types of PostgreSQL. */
export function describedTables(): readonly DescribedTable[] {
  const steps = [...SCHEMA_STEPS.values()];
  const later = steps.flatMap(({ columns = [], nullable = [], described = [] }) => [
    ...columns,
    ...nullable,
    ...described,
  ]);
  return steps
    .flatMap((step) => tablesIn(statementsOf(step, 'postgres')))
    .map((table) => {
      const columns = [...table.columns, ...later.filter((column) => column.table === table.name)];
      return { ...table, columns: [...new Map(columns.map((column) => [column.name, column])).values()] };
    });
}

/**
 * Brings the database's schema up to date; `onStep` is called with the name of each step that was missing, before it is taken. Throws if a
 * step fails. If Kysely neither locks the database nor uses a transaction for it, the caller must do so.
 */
export async function migrate<Tables>(
  db: Kysely<Tables>,
  engine: Engine,
  onStep: (name: string) => void = () => {},
): Promise<void> {
  const migrations: Record<string, Migration> = {};
  for (const [name, step] of SCHEMA_STEPS) {
    const up = async (untyped: Kysely<unknown>) => {
      onStep(name);
      for (const statement of statementsOf(step, engine)) await sql.raw(statement).execute(untyped);
      await step.rows?.(untyped);
    };
    migrations[name] = { up };
  }
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
