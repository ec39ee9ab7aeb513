import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { hashSecret, type SecretHash } from '../../../src/access/secret-hash.ts';
import { SecretVerifier } from '../../../src/access/secret-verifier.ts';
import { ServiceError } from '../../../src/vocabulary/errors.ts';
import { cheapHash } from './known-clients.ts';

describe('The check of a secret', () => {
  let stored: SecretHash;
  let now: number;
  let hashings: number;
  let verifier: SecretVerifier;
  const before = async () => {
    hashings++;
  };
  const verify = (secret: string, isReal = true, hash = stored, name = 'desk') =>
    verifier.verify({ secret, name, stored: hash, isReal }, false, before);
  beforeEach(async () => {
    stored = await cheapHash('right');
    now = 1_000_000;
    hashings = 0;
    verifier = new SecretVerifier({ processKey: randomBytes(32), stopwatch: () => now });
  });

  it('hashes a correct secret again only after a day without use, and a wrong one every time', async () => {
    for (let i = 0; i < 3; i++) expect(await verify('right')).to.equal(true);
    expect(hashings).to.equal(1);
    for (let i = 0; i < 3; i++) expect(await verify('wrong')).to.equal(false);
    expect(hashings).to.equal(4);
    for (let day = 0; day < 3; day++) {
      now += 24 * 3_600_000;
      expect(await verify('right')).to.equal(true);
    }
    expect(hashings).to.equal(4);
    now += 24 * 3_600_000 + 1;
    expect(await verify('right')).to.equal(true);
    expect(hashings).to.equal(5);
  });

  it('hashes once for simultaneous calls', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => verify('right')));
    expect(new Set(answers)).to.deep.equal(new Set([true]));
    expect(hashings).to.equal(1);
  });

  it('hashes once for each name, so that two unknown ones take as long as two known ones', async () => {
    await Promise.all(['nobody', 'no-one'].map((name) => verify('wrong', false, stored, name)));
    expect(hashings).to.equal(2);
  });

  it('no longer accepts a secret whose hash was replaced', async () => {
    await verify('right');
    expect(await verify('right', true, await cheapHash('other'))).to.equal(false);
  });

  it('rejects an unknown name, but still hashes the secret', async () => {
    expect(await verify('right', false)).to.equal(false);
    expect(hashings).to.equal(1);
    expect(await verify('right')).to.equal(true);
    expect(await verify('right', false)).to.equal(false);
  });

  it('checks two at a time, lets 64 wait and rejects the rest', async () => {
    const slow = await hashSecret('right', randomBytes, { N: 2 ** 12, r: 8, p: 1 });
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, (_, i) => verify(`wrong ${i}`, true, slow)));
    const refused = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused).to.have.length(100 - 2 - 64);
    for (const { reason } of refused)
      expect(reason).to.be.instanceOf(ServiceError).with.property('code', 'TooManyRequests');
    expect(await verify('right')).to.equal(true);
  });

  it('hashes first what comes from a network that has proved a secret', async () => {
    const slow = await hashSecret('right', randomBytes, { N: 2 ** 12, r: 8, p: 1 });
    const done: string[] = [];
    const check = (name: string, goesFirst: boolean) =>
      verifier
        .verify({ secret: name, name, stored: slow, isReal: true }, goesFirst, before)
        .then(() => void done.push(name));
    const strangers = Array.from({ length: 20 }, (_, n) => check(`stranger ${n}`, false));
    await Promise.all([...strangers, check('neighbor', true)]);
    // On an idle machine third or fourth; a busy one may keep its thread waiting, but not for most of the others.
    expect(done.indexOf('neighbor')).to.be.at.most(15);
  });
});
