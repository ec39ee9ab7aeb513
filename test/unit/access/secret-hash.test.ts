import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import {
  HASH_COSTS,
  hashSecret,
  matchesHash,
  readSecretHash,
  writeSecretHash,
} from '../../../src/access/secret-hash.ts';

const CHEAP = { N: 2, r: 1, p: 1 };

describe('The hash of a secret', () => {
  it('is read back as it was written, and matches only its secret', async () => {
    const text = writeSecretHash(await hashSecret('geheimnis', randomBytes, CHEAP));
    expect(text).to.match(/^scrypt\$2\$1\$1\$[\w-]{22}\$[\w-]{43}$/);
    const read = readSecretHash(text);
    if (read === undefined) throw new Error('not read');
    expect(await matchesHash('geheimnis', read)).to.equal(true);
    for (const other of ['geheimni', 'geheimnis ', 'geheimnis\0', 'Geheimnis', ''])
      expect(await matchesHash(other, read)).to.equal(false);
  });

  // Source: RFC 7914, 12.
  it('matches the example of the standard', async () => {
    const hash =
      'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640';
    const stored = { N: 1024, r: 8, p: 16, salt: Buffer.from('NaCl'), hash: Buffer.from(hash, 'hex') };
    expect(await matchesHash('password', stored)).to.equal(true);
  });

  it('is the same whether accented letters are composed or decomposed', async () => {
    const stored = await hashSecret('p\u00e4ss', randomBytes, CHEAP);
    expect(await matchesHash('pa\u0308ss', stored)).to.equal(true);
  });

  it('has its own salt and the current cost', async () => {
    const [a, b] = await Promise.all([hashSecret('x', randomBytes, CHEAP), hashSecret('x', randomBytes, CHEAP)]);
    expect(writeSecretHash(a)).to.not.equal(writeSecretHash(b));
    expect(HASH_COSTS.N * HASH_COSTS.r * HASH_COSTS.p).to.be.at.least(2 ** 15 * 8);
  });

  it('is refused if it is not a hash, or too expensive to check', () => {
    const [salt, hash] = ['A'.repeat(22), 'A'.repeat(43)];
    const wrong = [
      '',
      'password',
      `scrypt$3$1$1$${salt}$${hash}`,
      `scrypt$1$1$1$${salt}$${hash}`,
      `scrypt$1048576$8$1$${salt}$${hash}`,
      `scrypt$16384$8$17$${salt}$${hash}`,
      `scrypt$16384$8$1$AAAA$${hash}`,
      `scrypt$16384$8$1$${salt}$AAAA`,
      `scrypt$16384$8$1$${salt}`,
      `bcrypt$16384$8$1$${salt}$${hash}`,
      ` scrypt$16384$8$1$${salt}$${hash}`,
    ];
    expect(wrong.filter((text) => readSecretHash(text) !== undefined)).to.deep.equal([]);
  });
});
