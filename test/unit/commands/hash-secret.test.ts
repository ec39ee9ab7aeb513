import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { matchesHash, readSecretHash } from '../../../src/access/secret-hash.ts';

const TPWS = fileURLToPath(new URL('../../../src/tpws.js', import.meta.url));

async function run(input: string, ...args: string[]) {
  const child = spawn(process.execPath, [TPWS, 'hash-secret', ...args]);
  let output = '';
  let errors = '';
  child.stdout.on('data', (text) => (output += text));
  child.stderr.on('data', (text) => (errors += text));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code, output, errors };
}

const matches = async (secret: string, text: string) => {
  const stored = readSecretHash(text.trim());
  return stored !== undefined && (await matchesHash(secret, stored));
};

describe('tpws hash-secret', () => {
  it('hashes the first line of standard input, and shows nothing of it', async () => {
    const { code, output, errors } = await run('correct horse battery\nstaple\n');
    expect({ code, errors }).to.deep.equal({ code: 0, errors: '' });
    expect(await matches('correct horse battery', output)).to.equal(true);
    expect(output).to.not.include('horse');
  });

  it('refuses a text that is too short to be a secret', async () => {
    const { code, output, errors } = await run('short');
    expect(code).to.equal(1);
    expect(output).to.equal('');
    expect(errors).to.match(/^Expected a secret of 12 characters to /);
  });

  it("creates an API key that begins with its client's name", async () => {
    const { code, output } = await run('', '--new-key', 'front-desk');
    const [, key = '', hash = ''] = /^key {3}(front-desk\.[\w-]{32})\nhash {2}(\S+)\n$/.exec(output) ?? [];
    expect(code).to.equal(0);
    expect(await matches(key, hash)).to.equal(true);
    expect((await run('', '--new-key', 'front desk')).code).to.equal(2);
  });
});
