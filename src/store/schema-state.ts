import { ServiceError, SetUpError } from '../vocabulary/errors.ts';
import { VERSION } from '../vocabulary/version.ts';
import type { OnUpgrade } from './database-location.ts';
import { SCHEMA_STEPS } from './migrations/migrate.ts';

/** How a database's schema compares with this program's; `none` is an empty database, or one that is not the service's. */
export type SchemaState = 'current' | 'older' | 'newer' | 'none';

/** Derives the state from the names of the steps that created a database. */
export function schemaState(taken: readonly string[]): SchemaState {
  if (taken.length === 0) return 'none';
  if (taken.some((step) => !SCHEMA_STEPS.has(step))) return 'newer';
  return [...SCHEMA_STEPS.keys()].every((step) => taken.includes(step)) ? 'current' : 'older';
}

/**
 * Whether the database `name` lacks steps of this program. Throws ServiceError `Unavailable` if it has steps that this program does not
 * know.
 */
export function needsUpgrade(taken: readonly string[], name: string): boolean {
  const state = schemaState(taken);
  if (state !== 'newer') return state !== 'current';
  throw new ServiceError('Unavailable', `The database ${name} is ${newerSchema(taken)}`);
}

/** What a database is that has steps which this program does not know, and what to do. */
export function newerSchema(taken: readonly string[]): string {
  const [, version] =
    taken
      .filter((step) => !SCHEMA_STEPS.has(step))
      .toSorted()
      .at(-1)
      ?.split('-version-') ?? [];
  const newer = version === undefined ? 'a newer version' : `version ${version}`;
  return `of ${newer} of the service, and this is ${VERSION}; install that version, or restore an earlier backup.`;
}

/** Throws SetUpError if the database `name` is empty: a mistyped name must not create a hospital without appointments. */
export function requireNotNew(taken: readonly string[], name: string): void {
  if (taken.length > 0) return;
  throw new SetUpError(
    `There is no TPWebServices database in ${name}. Point DATABASE_URL at the hospital's database, or create a new one: with tpws import, or by starting the service with DATABASE_CREATE=true.`,
  );
}

/** Throws ServiceError `Unavailable` unless the database `name` has the schema of this program. */
export function requireCurrentSchema(taken: readonly string[], name: string): void {
  if (!needsUpgrade(taken, name)) return;
  throw new ServiceError(
    'Unavailable',
    `The database ${name} is of an older version of the service, or empty; run tpws migrate, or start the service, which upgrades it.`,
  );
}

/**
 * Takes the missing steps with `migrate`, and reports what happens, unless the database is new. `taken` are the steps that it already has.
 */
export async function upgrade(
  taken: readonly string[],
  migrate: (onStep: (step: string) => void) => Promise<unknown>,
  report: OnUpgrade = () => {},
): Promise<void> {
  const isNew = taken.length === 0;
  const ends = { from: taken.toSorted().at(-1), to: [...SCHEMA_STEPS.keys()].at(-1) };
  if (!isNew) report('schema upgrade begins', ends);
  await migrate((step) => {
    if (!isNew) report('schema step begins', { step });
  });
  if (!isNew) report('schema brought up to date', ends);
}
