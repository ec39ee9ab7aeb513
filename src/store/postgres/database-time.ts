/** The server's clock in SQL, in whole milliseconds since the epoch. It is the current time, not that of the start of the transaction. */
export const DATABASE_TIME = 'round(extract(epoch FROM clock_timestamp()) * 1000)::float8';
