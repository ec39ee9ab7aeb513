import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../examples/gateways', import.meta.url));

/** Files of gateway templates that come with the service, with their paths. */
export const EXAMPLE_GATEWAYS: readonly string[] = readdirSync(FOLDER).map((name) => `${FOLDER}/${name}`);

/** What SMS_GATEWAY=http:… says for a provider: Kannel's template is built in, those of others are files. */
export const gatewayNamed = (provider: string): string =>
  provider === 'kannel' ? provider : `${FOLDER}/${provider}.json`;
