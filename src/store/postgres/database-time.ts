/** The server's clock in SQL: milliseconds since the epoch, not the beginning of the transaction. */
export const DATABASE_TIME = '(extract(epoch FROM clock_timestamp()) * 1000)::float8';
