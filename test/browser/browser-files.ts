import { fileURLToPath } from 'node:url';

/** The path at which Debian's package `chromium` installs the browser. */
export const CHROMIUM = '/usr/bin/chromium';

/** The folder of the screenshots; git ignores it. */
export const SCREENSHOTS = fileURLToPath(new URL('../../test-output/pages/', import.meta.url));
