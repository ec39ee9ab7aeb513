import { ServiceError } from '../vocabulary/errors.ts';
import { SCHEMA_STEPS } from './migrate.ts';

/** Throws ServiceError `Unavailable` if the database `name` was changed by steps that this program doesn't know. */
export function refuseNewerSchema(taken: readonly string[], name: string): void {
  if (taken.every((step) => SCHEMA_STEPS.includes(step))) return;
  throw new ServiceError(
    'Unavailable',
    `The database ${name} was brought up to date by a newer version of the service; expected that version's commands.`,
  );
}

/** Throws ServiceError `Unavailable` unless the database `name` has the schema of this program. */
export function requireCurrentSchema(taken: readonly string[], name: string): void {
  refuseNewerSchema(taken, name);
  if (SCHEMA_STEPS.every((step) => taken.includes(step))) return;
  throw new ServiceError(
    'Unavailable',
    `The database ${name} is of an older version of the service, or empty; start the service once, which brings it up to date.`,
  );
}
