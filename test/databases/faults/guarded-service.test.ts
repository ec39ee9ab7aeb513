import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { hashSecret, writeSecretHash } from '../../../src/access/secret-hash.ts';
import { type Answer, RawConnection } from '../../support/http/raw-connection.ts';
import { basic } from '../../support/http/send-as.ts';
import { perSuite } from '../../support/prepared.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { until } from '../../support/process/until.ts';
import {
  digestToken,
  securityHeader,
  type TokenParts,
  textToken,
  usernameToken,
  xmlTime,
} from '../../unit/access/ws-security/security-header.ts';
import { exchange, resultCodeOf, textOf } from './answers.ts';
import { startAttackedService } from './attacked-service.ts';
import { bodyOf, envelope, type Headers, operationElement, PATH, request, soapRequest } from './requests.ts';

const PASSWORD = 'a long password of the ward';
/** Characters that Unicode normalization sorts, each compared with all others. */
const COMBINING = '\u0301\u0316'.repeat(3500);
const NETWORKS = 45;
/** Failed logins: the milliseconds between two, and their number. */
const FLOOD_PACE = 50;
const FLOOD = 120;

/** A service with clients, behind a proxy that this test imitates. */
describe('The service with clients under attack', function () {
  this.timeout(120_000);
  const folder = perSuite(temporaryFolder);
  const keyOf = (client: string) => `${client}.${'k'.repeat(32)}`;

  const service = perSuite(async () => {
    const hashed = async (secret: string) => writeSecretHash(await hashSecret(secret, randomBytes));
    writeFileSync(join(folder.path, 'ward.txt'), PASSWORD, { mode: 0o600 });
    const clients = [
      // The good client, whose calls contain no secret.
      { name: 'desk', networks: ['127.0.0.1'] },
      { name: 'his', apiKeyHash: await hashed(keyOf('his')) },
      { name: 'lab', apiKeyHash: await hashed(keyOf('lab')) },
      { name: 'ward', username: 'ward', usernameToken: true, wsPasswordFile: 'ward.txt' },
      { name: 'office', username: 'office', usernameToken: true, passwordHash: await hashed(PASSWORD) },
      { name: 'guessed', username: 'guessed', usernameToken: true, wsPasswordFile: 'ward.txt' },
    ];
    const file = join(folder.path, 'clients.json');
    writeFileSync(file, JSON.stringify({ clients }));
    return startAttackedService({
      environment: {
        CLIENTS_FILE: file,
        TRUSTED_PROXIES: '127.0.0.1',
        // The good client calls more often than a client may; what counts here is whether it is served in time.
        RATE_LIMIT: '1000000',
      },
    });
  });

  const row = (title: string, run: () => Promise<unknown>) => it(title, () => service.attack(title, run));
  const from = (address: string): Headers[number] => ['X-Forwarded-For', address];
  const ask = (headers: Headers) =>
    exchange(service.port, request('GET', `${PATH}/GetDoctor?centerid=1`, headers)).then(({ answer }) => answer);
  const tokenRequest = (address: string, token: TokenParts) => {
    const header = securityHeader(usernameToken(token));
    const xml = envelope('1.1', operationElement('GetDoctor', bodyOf('GetDoctor')), header);
    // As over TLS, without which a password as text is not accepted.
    return soapRequest('1.1', xml, [from(address), ['X-Forwarded-Proto', 'https']]);
  };
  const askWithToken = async (address: string, token: TokenParts) =>
    (await exchange(service.port, tokenRequest(address, token))).answer;
  const digest = (password: string, name = 'ward') =>
    digestToken(name, password, randomBytes(16).toString('base64'), xmlTime(Date.now()));
  /** Why the latest of some calls was rejected, according to the log once it is written. */
  const loggedReasons = async (count: number): Promise<readonly string[]> => {
    const reasons = () =>
      service.process
        .output()
        .split('\n')
        .filter((line) => line.includes('"msg":"call rejected"'))
        .map((line) => JSON.parse(line).reason as string);
    const before = reasons().length;
    await until(() => reasons().length > before);
    return reasons().slice(-count);
  };

  row('refuses secrets of many kilobytes before it processes them', async () => {
    // A header is Latin-1; the service reads it as UTF-8.
    const key = Buffer.from(`his.${COMBINING}`).toString('latin1');
    const { Authorization = '' } = basic('ward', COMBINING.slice(0, 5000));
    const { Authorization: longName = '' } = basic(COMBINING.slice(0, 5000), PASSWORD);
    for (const header of [
      ['X-API-Key', key.slice(0, 14_000)],
      ['Authorization', Authorization],
      ['Authorization', longName],
    ] as const) {
      expect((await ask([from('10.3.0.1'), header])).status).to.equal(401);
    }
    expect(await loggedReasons(3)).to.deep.equal(Array(3).fill('secret too long'));
    const long = COMBINING.repeat(4);
    for (const part of ['username', 'password', 'nonce', 'created'] as const) {
      const answer = await askWithToken('10.3.0.2', { ...digest(PASSWORD), [part]: long });
      expect(textOf(answer)).to.include('InvalidSecurityToken').and.include('is longer than 256 bytes');
    }
  });

  row('logs at most a thousand failed logins per minute, and the number of the rest', async () => {
    const failures = () => service.process.output().split('"msg":"login failed"').length - 1;
    const before = failures();
    const tooLong = request('GET', `${PATH}/GetDoctor?centerid=1`, [
      from('10.3.1.1'),
      ['X-API-Key', `his.${'k'.repeat(300)}`],
    ]);
    for (let n = 0; n < 1200; n += 50) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => exchange(service.port, tooLong)));
      expect(new Set(answers.map(({ answer }) => answer.status))).to.deep.equal(new Set([401]));
    }
    await new Promise((resume) => setTimeout(resume, 300));
    expect(failures() - before).to.be.within(900, 1000);
    return `${failures() - before} lines of 1200 failures`;
  });

  row('accepts no address that a caller wrote before that of the proxy, in quotes or not', async () => {
    for (const forwarded of ['"x, 127.0.0.1", 10.3.0.4', '"127.0.0.1, 10.3.0.4', '127.0.0.1, 10.3.0.4']) {
      expect((await ask([['X-Forwarded-For', forwarded]])).status).to.equal(401);
    }
  });

  row('slows down a caller that guesses digests at the address of a client that is logged in', async () => {
    expect(resultCodeOf(await askWithToken('10.4.0.1', digest(PASSWORD)))).to.equal(0);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => askWithToken('10.4.0.1', digest(`guess ${n}`))),
    );
    const checked = answers.filter((answer) => textOf(answer).includes('FailedAuthentication')).length;
    expect(answers.filter(({ status }) => status === 429).length).to.equal(60 - checked);
    expect(checked).to.be.below(40);
    // The client calls from another address without waiting for them.
    expect(resultCodeOf(await askWithToken('10.4.0.2', digest(PASSWORD)))).to.equal(0);
    return `${checked} of 60 guesses checked`;
  });

  row('slows down a guesser of digests that does not wait for the answers', async () => {
    expect(resultCodeOf(await askWithToken('10.4.0.3', digest(PASSWORD)))).to.equal(0);
    for (let n = 0; n < 60; n++) {
      const connection = new RawConnection(service.port);
      await connection.send(tokenRequest('10.4.0.3', digest(`guess ${n}`)));
      connection.destroy();
    }
    const refused = () =>
      service.process
        .output()
        .split('\n')
        .filter((line) => line.includes('"reason":"failed logins"') && line.includes('"address":"10.4.0.3"')).length;
    await until(() => refused() >= 40);
    expect(refused()).to.be.at.least(40);
    return `${refused()} of 60 guesses refused`;
  });

  row('serves clients that have logged in at once, by whatever secret, beside guesses of other names', async () => {
    type Ask = (address: string, name: string, secret: string) => Promise<Answer>;
    const byKey: Ask = (address, name, secret) => ask([from(address), ['X-API-Key', `${name}.${secret}`]]);
    const byBasic: Ask = (address, name, secret) => ask([from(address), ...Object.entries(basic(name, secret))]);
    const byText: Ask = (address, name, secret) => askWithToken(address, textToken(name, secret));
    const byDigest: Ask = (address, name, secret) => askWithToken(address, digest(secret, name));
    const clients = [
      ['his', 'k'.repeat(32), byKey],
      ['office', PASSWORD, byBasic],
      ['office', PASSWORD, byText],
      ['ward', PASSWORD, byDigest],
    ] as const;
    const callsBesideGuesses = async (
      [name, secret, by]: (typeof clients)[number],
      address: string,
      guesser: string,
    ): Promise<number> => {
      expect(resultCodeOf(await by(address, name, secret))).to.equal(0);
      const guesses = [byDigest, byKey, byBasic, byText].flatMap((guess, way) =>
        Array.from({ length: 10 }, (_, n) => guess(guesser, n % 2 === 0 ? `nobody-${way}-${n}` : 'guessed', `no-${n}`)),
      );
      // One is refused once as many as may are waiting.
      await Promise.any(guesses.map(async (answer) => expect((await answer).status).to.equal(429)));
      const began = performance.now();
      const answers = await Promise.all(Array.from({ length: 20 }, () => by(address, name, secret)));
      const took = performance.now() - began;
      expect(answers.map(resultCodeOf)).to.deep.equal(Array(20).fill(0));
      await Promise.all(guesses);
      return took;
    };
    const took = await Promise.all(
      clients.flatMap((client, n) => [
        callsBesideGuesses(client, `10.5.0.${n}`, `10.5.0.${n}`),
        callsBesideGuesses(client, `2001:db8:5:${n}::1`, `2001:db8:5:${n}::2`),
      ]),
    );
    return `slowest 20 calls ${Math.max(...took).toFixed(0)} ms`;
  });

  row('admits a client that has logged in before, and its neighbor, while 45 networks try wrong secrets', async () => {
    const logIn = (address: string, key: string) => ask([from(address), ['X-API-Key', key]]);
    expect((await logIn('10.2.0.1', keyOf('his'))).status).to.equal(200);
    const wrong: Promise<unknown>[] = [];
    const times: number[] = [];
    for (let n = 0; n < FLOOD; n++) {
      const name = n % 2 === 0 ? 'his' : `nobody-${n}`;
      wrong.push(logIn(`10.1.${n % NETWORKS}.1`, `${name}.guess-${n}`).catch(() => undefined));
      await new Promise((resume) => setTimeout(resume, FLOOD_PACE));
      if (n % 5 !== 0) continue;
      const began = performance.now();
      expect((await logIn('10.2.0.1', keyOf('his'))).status).to.equal(200);
      times.push(performance.now() - began);
    }
    // Another client on that network, whose secret must be hashed.
    const began = performance.now();
    expect((await logIn('10.2.0.1', keyOf('lab'))).status).to.equal(200);
    const neighbor = performance.now() - began;
    await Promise.all(wrong);
    return `slowest ${Math.max(...times).toFixed(0)} ms, neighbor's first login ${neighbor.toFixed(0)} ms`;
  });
});
