// npm run hash-secret -- [--new-key CLIENT]: prints the hash of a secret for the clients file. See docs/access.md.
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { hashSecretCommand } from '../src/commands/hash-secret-command.ts';
import { thisProcess } from './this-process.ts';

process.exitCode = await hashSecretCommand(process.argv.slice(2), {
  ...thisProcess('hash-secret'),
  readSecret,
  random: randomBytes,
});

/** The first line of standard input, without its line ending; a terminal does not show it. */
async function readSecret(): Promise<string> {
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
