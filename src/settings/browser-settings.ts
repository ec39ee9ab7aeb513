import { count, list, type SettingValues } from './setting.ts';

/** An origin as browsers send it: no path, no default port, lower case. */
const isOrigin = (value: string): boolean =>
  /^https?:\/\/[a-z0-9.:[\]-]+$/.test(value) && URL.canParse(value) && new URL(value).origin === value;

/** Two years, as recommended for the browsers' built-in list of such hosts (preload list), which requires one year. */
const LONGEST_HSTS = 63_072_000;

/** What other sites' pages may do, and what browsers are told. */
export const BROWSER_SETTINGS = {
  CORS_ORIGINS: list(
    'Comma-separated origins whose pages may call the service by script and read its answers, such as https://desk.example.org',
    '',
  ).refine(
    (origins) => origins.every(isOrigin),
    'expected origins such as https://desk.example.org, in lower case, without path and default port',
  ),
  HSTS_SECONDS: count(
    'Seconds for which browsers that call the service over TLS are to use only TLS with this host, on any port; 0 sends them no such instruction',
    0,
    0,
    LONGEST_HSTS,
  ),
};

export const browserConfig = (s: SettingValues<typeof BROWSER_SETTINGS>) => ({
  browser: {
    /** Exactly as browsers send them. */
    corsOrigins: s.CORS_ORIGINS as readonly string[],
    hstsSeconds: s.HSTS_SECONDS,
  },
});
