/** The columns of a query: the maximum numbers of concurrent connections; -1 for a role or a database without a limit. */
export const CONNECTION_LIMITS = `
  current_setting('max_connections')::int AS "ofServer",
  (SELECT rolconnlimit FROM pg_roles WHERE rolname = session_user) AS "ofRole",
  (SELECT datconnlimit FROM pg_database WHERE datname = current_database()) AS "ofDatabase"`;

/** The row that CONNECTION_LIMITS selects. */
export interface ConnectionLimits {
  readonly ofServer: number;
  readonly ofRole: number;
  readonly ofDatabase: number;
}

export interface ConnectionLimit {
  readonly allowed: number;
  /** Where the limit is set. */
  readonly by: 'server' | 'role' | 'database';
}

/** The smallest of the limits. */
export const connectionLimit = ({ ofServer, ofRole, ofDatabase }: ConnectionLimits): ConnectionLimit =>
  [
    { allowed: ofRole, by: 'role' } as const,
    { allowed: ofDatabase, by: 'database' } as const,
    { allowed: ofServer, by: 'server' } as const,
  ]
    .filter(({ allowed }) => allowed >= 0)
    .reduce((least, limit) => (limit.allowed < least.allowed ? limit : least));
