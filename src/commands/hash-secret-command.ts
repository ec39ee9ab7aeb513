import { CLIENT_NAME } from '../access/clients-file.ts';
import { hashSecret, isTooLong, LONGEST_SECRET, writeSecretHash } from '../access/secret-hash.ts';
import { ServiceError } from '../vocabulary/errors.ts';
import { type CommandHost, type DefineCommand, UsageError } from './command-host.ts';

export interface HashSecretHost extends CommandHost {
  /** Reads the line that contains the secret. It is not an argument, because other users can see command lines. */
  readonly readSecret: () => Promise<string>;
  readonly random: (count: number) => Buffer;
}

const LEAST_LENGTH = 12;
const KEY_BYTES = 24;

export const hashSecretCommand: DefineCommand<HashSecretHost> = (command, host) =>
  command
    .description('Prints the scrypt hash of a secret from standard input.')
    .option('--new-key <client>', 'creates an API key for the client with this name, and prints it with its hash')
    .action(({ newKey }: { readonly newKey?: string }) =>
      newKey === undefined ? hashGivenSecret(host) : makeKey(newKey, host),
    );

async function hashGivenSecret({ readSecret, random, output }: HashSecretHost): Promise<void> {
  const secret = await readSecret();
  if (secret.length < LEAST_LENGTH || isTooLong(secret) || /\p{Cc}/u.test(secret)) {
    const expected = `a secret of ${LEAST_LENGTH} characters to ${LONGEST_SECRET} bytes without control characters`;
    throw new ServiceError('InvalidValue', `Expected ${expected} on standard input.`);
  }
  output.write(`${writeSecretHash(await hashSecret(secret, random))}\n`);
}

async function makeKey(client: string, { random, output }: HashSecretHost): Promise<void> {
  if (!CLIENT_NAME.test(client)) {
    throw new UsageError('--new-key: expected the name of a client, up to 64 letters, digits, _ and -');
  }
  const key = `${client}.${random(KEY_BYTES).toString('base64url')}`;
  output.write(`key   ${key}\nhash  ${writeSecretHash(await hashSecret(key, random))}\n`);
}
