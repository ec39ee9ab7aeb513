import { type SecurityFault, ServiceError } from '../../vocabulary/errors.ts';

/** The error for a Security header that is refused. `reason` is for the log, `message` for the caller. */
export const securityError = (securityFault: SecurityFault, reason: string, message: string): ServiceError =>
  new ServiceError('Unauthorized', message, { reason, securityFault });
