import { fileURLToPath } from 'node:url';

/** The paths at which Debian's packages of these names install the browsers. */
export const EXECUTABLES = { chromium: '/usr/bin/chromium', 'firefox-esr': '/usr/bin/firefox-esr' } as const;

/** The folder of the screenshots; git ignores it. */
export const SCREENSHOTS = fileURLToPath(new URL('../../test-output/pages/', import.meta.url));
