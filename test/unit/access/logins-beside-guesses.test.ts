import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { Access } from '../../../src/access/access.ts';
import { ANONYMOUS, type Incoming, type KnownClient, knownClients } from '../../../src/access/client.ts';
import { originAt } from '../../../src/access/request-origin.ts';
import { ServiceError } from '../../../src/vocabulary/errors.ts';
import { basic } from '../../support/http/send-as.ts';
import { cheapHash } from './known-clients.ts';
import { digestToken, readHeader, type TokenParts, textToken, xmlTime } from './ws-security/security-header.ts';

const NOW = Date.UTC(2026, 10, 20, 3);
/** Two addresses of one subscriber. */
const CLIENT = '2001:db8:0:1::1';
const GUESSER = '2001:db8:0:1::2';

/** A client with every kind of secret; its name is also its user name. */
async function clientOf(name: string, secret: string): Promise<KnownClient> {
  return {
    name,
    ways: new Set(),
    username: name,
    usernameToken: true,
    apiKeyHash: await cheapHash(`${name}.${secret}`),
    passwordHash: await cheapHash(secret),
    wsPassword: secret,
  };
}

describe('A client that has logged in, while others guess at its address', () => {
  let clients: ReturnType<typeof knownClients>;
  let access: Access;
  let address: string;
  let pauses: number;

  beforeEach(async () => {
    clients = knownClients([await clientOf('his', 'old'), await clientOf('lab', 'right')]);
    pauses = 0;
    access = new Access({
      proxyClientCertificates: false,
      clients: () => clients,
      processKey: randomBytes(32),
      clock: () => NOW,
      stopwatch: () => NOW,
      logFailure: () => {},
      pause: async () => void pauses++,
      takeNonce: async () => true,
    });
  });

  /** The client as which the caller is identified, or the code of the refusal. */
  const send = async (headers: Readonly<Record<string, string>>, token?: TokenParts) => {
    const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    const request = { headers: Object.fromEntries(lowerCase) } as IncomingMessage;
    const incoming: Incoming = { request, origin: originAt(address, true, false), client: ANONYMOUS };
    try {
      if (token === undefined) await access.identify(incoming);
      else await access.identifyByToken(incoming, readHeader(token));
      return incoming.client.name;
    } catch (error) {
      if (error instanceof ServiceError) return error.code;
      throw error;
    }
  };
  const logIn: Readonly<Record<string, (name: string, secret: string) => Promise<string>>> = {
    'an API key': (name, secret) => send({ 'X-API-Key': `${name}.${secret}` }),
    'HTTP Basic': (name, secret) => send(basic(name, secret)),
    'a PasswordText': (name, secret) => send({}, textToken(name, secret)),
    'a PasswordDigest': (name, secret) =>
      send({}, digestToken(name, secret, randomBytes(16).toString('base64'), xmlTime(NOW))),
  };
  const guess = async () => {
    address = GUESSER;
    for (const by of Object.values(logIn)) {
      for (let n = 0; n < 10; n++) {
        expect(await by(`nobody-${n}`, `guess ${n}`)).to.equal('Unauthorized');
        expect(await by('lab', `guess ${n}`)).to.equal('Unauthorized');
      }
    }
    expect(pauses).to.be.above(70);
    pauses = 0;
  };

  const expectFree = async (call: () => Promise<string>) => {
    expect(await Promise.all(Array.from({ length: 20 }, call))).to.deep.equal(Array(20).fill('his'));
    expect(pauses).to.equal(0);
  };

  for (const [kind, by] of Object.entries(logIn)) {
    it(`makes 20 calls at once with ${kind} without a delay`, async () => {
      address = CLIENT;
      expect(await by('his', 'old')).to.equal('his');
      await guess();
      address = CLIENT;
      await expectFree(() => by('his', 'old'));
    });

    it(`makes 20 calls at once with ${kind} without a delay after its secret was replaced`, async () => {
      address = CLIENT;
      expect(await by('his', 'old')).to.equal('his');
      await guess();
      clients = knownClients([await clientOf('his', 'new'), await clientOf('lab', 'right')]);
      address = CLIENT;
      await expectFree(() => by('his', 'new'));
    });
  }
});
