import { ServiceError } from '../../vocabulary/errors.ts';
import { DatabaseAway } from '../database-away.ts';
import type { PostgresLocation } from '../database-location.ts';
import { mayPass } from './postgres-differences.ts';

/** Why a server cannot be used, in a sentence for the operator; DatabaseAway if that may pass. */
export function cannotBeUsed(location: PostgresLocation, error: unknown): ServiceError {
  const words = `PostgreSQL at ${placeOf(location)} cannot be used (${saidBy(error)}); expected DATABASE_URL to name a running server, a user who may log in, and a database.`;
  return mayPass(error) ? new DatabaseAway(words, error) : new ServiceError('Unavailable', words, { cause: error });
}

/** Host, port and database, without the password. */
export const placeOf = ({ url }: PostgresLocation): string =>
  url.replace(/^.*@|\?.*$/g, '').replace(/^postgres(?:ql)?:\/\//, '');

/** The error for an address with several hosts has no message of its own. */
export const saidBy = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : String((error as { readonly code?: unknown }).code);
