import { ServiceError } from '../vocabulary/errors.ts';

/** The database cannot be reached just now; it may be there later, without anybody changing a setting. */
export class DatabaseAway extends ServiceError {
  constructor(message: string, cause: unknown) {
    super('Unavailable', message, { cause });
  }
}
