// Prints the hash of a secret for the clients file. The secret comes from standard input: what stands on a command line, others can see.
// With --new-key NAME it makes an API key for that client, and prints key and hash.
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { hashSecret, writeSecretHash } from '../src/access/secret-hash.ts';

const LEAST_LENGTH = 12;
const KEY_BYTES = 24;

const command = new Command('hash-secret')
  .description('Prints the scrypt hash of a secret from standard input.')
  .option('--new-key <client>', 'makes an API key for the client of that name, and prints it with its hash')
  .parse();
const { newKey } = command.opts<{ newKey?: string }>();

if (newKey === undefined) {
  const secret = await secretFromInput();
  if (secret.length < LEAST_LENGTH) {
    console.error(`The secret is too short; expected at least ${LEAST_LENGTH} characters on standard input.`);
    process.exitCode = 1;
  } else if (/\p{Cc}/u.test(secret)) {
    console.error('The secret holds a control character; expected a line of text on standard input.');
    process.exitCode = 1;
  } else {
    console.log(writeSecretHash(await hashSecret(secret, randomBytes)));
  }
} else if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(newKey)) {
  const key = `${newKey}.${randomBytes(KEY_BYTES).toString('base64url')}`;
  console.log(`key   ${key}`);
  console.log(`hash  ${writeSecretHash(await hashSecret(key, randomBytes))}`);
} else {
  console.error('expected the name of a client: up to 64 letters, digits, _ and -');
  process.exitCode = 1;
}

/** The first line, without its end; a terminal doesn't show it. */
async function secretFromInput(): Promise<string> {
  const { stdin } = process;
  if (!stdin.isTTY) {
    for await (const line of createInterface({ input: stdin })) return line;
    return '';
  }
  process.stderr.write('Secret: ');
  stdin.setRawMode(true);
  let secret = '';
  try {
    for await (const chunk of stdin.setEncoding('utf8')) {
      for (const char of String(chunk)) {
        if (char === '\r' || char === '\n' || char === '\u0004') return secret;
        if (char === '\u0003') process.exit(130);
        if (char === '\u007f' || char === '\b') secret = secret.slice(0, -1);
        else secret += char;
      }
    }
    return secret;
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    process.stderr.write('\n');
  }
}
