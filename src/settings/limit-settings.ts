import { count, type SettingValues, text } from './setting.ts';

const MOST_PER_MINUTE = 100_000_000;
/** A hundred a second is more than any hospital's programs ask for through one address, and far less than the service can answer. */
const DEFAULT_RATE = 6000;
const MOST_CONNECTIONS = 1_000_000;

/** How much one caller may ask for, and how long. */
export const LIMIT_SETTINGS = {
  RATE_LIMIT: text(
    `Requests a minute of one client, or of one address where it isn’t known; 0 for any number. Without it ${DEFAULT_RATE}, and any number for callers of this machine`,
    '',
  )
    .refine(
      (v) => v === '' || (/^\d{1,9}$/.test(v) && Number(v) <= MOST_PER_MINUTE),
      `expected a whole number from 0 to ${MOST_PER_MINUTE}`,
    )
    .transform((v) => (v === '' ? undefined : Number(v))),
  MAX_CONNECTIONS: count(
    'Open connections at most, the last tenth of them for addresses that have none yet; with WORKERS, divided among them',
    10_000,
    1,
    MOST_CONNECTIONS,
  ),
  MAX_CONNECTIONS_PER_ADDRESS: count(
    'Open connections of one address, trusted proxies aside; 0 for any number; with WORKERS, divided among them',
    1000,
    0,
    MOST_CONNECTIONS,
  ),
  KEEP_ALIVE_SECONDS: count('How long an idle connection is kept for the next request', 65, 1, 3600),
};

export const limitConfig = (s: SettingValues<typeof LIMIT_SETTINGS>) => ({
  limits: {
    /** Requests a minute, 0 for any number. */
    ratePerMinute: s.RATE_LIMIT ?? DEFAULT_RATE,
    /** Whether that goes for this machine's own programs, too: only where somebody asked for a limit. */
    limitsThisMachine: s.RATE_LIMIT !== undefined,
    connections: {
      most: s.MAX_CONNECTIONS,
      /** 0 for any number. */
      mostPerAddress: s.MAX_CONNECTIONS_PER_ADDRESS,
      /** Milliseconds. */
      keepAlive: s.KEEP_ALIVE_SECONDS * 1000,
    },
  },
});
