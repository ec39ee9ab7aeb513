import { fileURLToPath } from 'node:url';

/** Where Debian's package `chromium` puts the browser. */
export const CHROMIUM = '/usr/bin/chromium';

/** Folder of the screenshots; git ignores it. */
export const SCREENSHOTS = fileURLToPath(new URL('../../test-output/pages/', import.meta.url));
