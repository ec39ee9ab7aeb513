import { sql } from 'kysely';
import type { SharedClock } from '../shared-clock.ts';

/**
 * The server's clock when a statement arrives, in whole milliseconds since the epoch. That of the transaction's beginning would be older, by
 * the time for which it waited for its locks; an index serves no comparison with `clock_timestamp()`, which changes during the statement.
 */
export const SERVER_TIME = 'floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint';

const serverTime = sql.raw(SERVER_TIME);

/** The processes may run on different machines, whose clocks differ. */
export const SERVER_CLOCK: SharedClock = {
  stored: (instant, now) => sql<number>`(${instant}::bigint + (${serverTime} - ${now}::bigint))`,
  own: (column, now) => sql<number>`(${sql.ref(column)} - (${serverTime} - ${now}::bigint))`,
};
