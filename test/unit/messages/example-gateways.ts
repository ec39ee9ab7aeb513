import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../../examples/gateways', import.meta.url));

/** The gateway templates that are supplied with the service, with their paths. */
export const EXAMPLE_GATEWAYS: readonly string[] = readdirSync(FOLDER).map((name) => `${FOLDER}/${name}`);

/** The template of a provider: Kannel's has a name, the others are files. */
export const gatewayNamed = (provider: string): string =>
  provider === 'kannel' ? provider : `${FOLDER}/${provider}.json`;

/** A copy of a provider's template with another address, in a folder. */
export function gatewayAt(folder: string, url: string, provider = 'kannel'): string {
  const file = join(folder, `${provider}.json`);
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(`${FOLDER}/${provider}.json`, 'utf8')), url }));
  return file;
}
