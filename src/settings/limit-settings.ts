import { count, type SettingValues, text } from './setting.ts';

const MOST_PER_MINUTE = 100_000_000;
/** 100 per second is more than any hospital's programs request from one address, but far less than the service can answer. */
const DEFAULT_RATE = 6000;
const MOST_CONNECTIONS = 1_000_000;

/** How much one caller may request, and how long it may take. */
export const LIMIT_SETTINGS = {
  RATE_LIMIT: text(
    `Requests per minute for one client, or for one address if the client is unknown; 0 means no limit. If unset, the limit is ${DEFAULT_RATE}, and callers on this machine are not limited`,
    '',
  )
    .refine(
      (v) => v === '' || (/^\d{1,9}$/.test(v) && Number(v) <= MOST_PER_MINUTE),
      `expected a whole number from 0 to ${MOST_PER_MINUTE}`,
    )
    .transform((v) => (v === '' ? undefined : Number(v))),
  MAX_CONNECTIONS: count(
    'Maximum number of open connections, of which the last tenth is reserved for addresses that have none yet',
    10_000,
    1,
    MOST_CONNECTIONS,
  ),
  MAX_CONNECTIONS_PER_ADDRESS: count(
    'Maximum number of open connections from one address, unless it is a trusted proxy; 0 means no limit',
    1000,
    0,
    MOST_CONNECTIONS,
  ),
  KEEP_ALIVE_SECONDS: count('Seconds for which an idle connection is kept open for the next request', 65, 1, 3600),
};

export const limitConfig = (s: SettingValues<typeof LIMIT_SETTINGS>) => ({
  limits: {
    /** Requests per minute; 0 means no limit. */
    ratePerMinute: s.RATE_LIMIT ?? DEFAULT_RATE,
    /** Whether the rate also applies to programs on this machine, which is only the case if somebody has set it. */
    limitsThisMachine: s.RATE_LIMIT !== undefined,
    connections: {
      most: s.MAX_CONNECTIONS,
      /** 0 means no limit. */
      mostPerAddress: s.MAX_CONNECTIONS_PER_ADDRESS,
      /** Milliseconds. */
      keepAlive: s.KEEP_ALIVE_SECONDS * 1000,
    },
  },
});
