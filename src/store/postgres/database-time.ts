/** The server's clock in SQL: whole milliseconds since the epoch, not the start of the transaction. */
export const DATABASE_TIME = 'round(extract(epoch FROM clock_timestamp()) * 1000)::float8';
