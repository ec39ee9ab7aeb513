import { ServiceError } from '../vocabulary/errors.ts';

/** The database cannot be reached at the moment; it may be reachable later, without anyone changing a setting. */
export class DatabaseAway extends ServiceError {
  constructor(message: string, cause: unknown) {
    super('Unavailable', message, { cause });
  }
}
