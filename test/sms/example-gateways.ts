import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../examples/gateways', import.meta.url));

/** The gateway templates that are supplied with the service, with their paths. */
export const EXAMPLE_GATEWAYS: readonly string[] = readdirSync(FOLDER).map((name) => `${FOLDER}/${name}`);

/** The SMS_GATEWAY=http:… setting for a provider: Kannel's template is built in, the others are files. */
export const gatewayNamed = (provider: string): string =>
  provider === 'kannel' ? provider : `${FOLDER}/${provider}.json`;
