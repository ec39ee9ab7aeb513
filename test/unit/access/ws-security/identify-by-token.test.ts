import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { Access } from '../../../../src/access/access.ts';
import { ANONYMOUS, type Incoming, type KnownClient, knownClients } from '../../../../src/access/client.ts';
import { originAt } from '../../../../src/access/request-origin.ts';
import { ServiceError } from '../../../../src/vocabulary/errors.ts';
import { digestToken, readHeader, xmlTime } from './security-header.ts';

const NOW = Date.UTC(2026, 10, 20, 3);
const NONCE = 'AAECAwQFBgcICQoLDA0ODw==';

const WARD: KnownClient = {
  name: 'ward',
  ways: new Set(['password']),
  networks: undefined,
  apiKeyHash: undefined,
  username: 'ward',
  passwordHash: undefined,
  usernameToken: true,
  wsPassword: 'secret',
  certificateFingerprints: new Set(),
};

describe('A caller with a UsernameToken', () => {
  let pauses: number[];
  let address: string;
  let isNew: boolean;
  let send: (username: string, password: string) => Promise<string | undefined>;

  beforeEach(() => {
    pauses = [];
    address = '192.0.2.1';
    isNew = true;
    const access = new Access({
      proxyClientCertificates: false,
      clients: () => knownClients([WARD]),
      processKey: Buffer.alloc(32),
      clock: () => NOW,
      stopwatch: () => 1_000_000,
      logFailure: () => {},
      pause: async (milliseconds) => void pauses.push(milliseconds),
      takeNonce: async () => isNew,
    });
    send = async (username, password) => {
      const request = { headers: {} } as IncomingMessage;
      const incoming: Incoming = { request, origin: originAt(address, false, false), client: ANONYMOUS };
      try {
        await access.identifyByToken(incoming, readHeader(digestToken(username, password, NONCE, xmlTime(NOW))));
        return incoming.client.name;
      } catch (error) {
        if (error instanceof ServiceError) return error.reason;
        throw error;
      }
    };
  });

  it('slows down a caller that guesses passwords, more with each guess', async () => {
    for (let i = 0; i < 8; i++) expect(await send('ward', `guess ${i}`)).to.equal('ws-wrong-password');
    expect(pauses).to.have.length(5);
    expect(pauses).to.deep.equal(pauses.toSorted((a, b) => a - b));
  });

  it('slows down a caller that tries unknown names in the same way', async () => {
    for (let i = 0; i < 8; i++) expect(await send(`user ${i}`, 'secret')).to.equal('ws-unknown-user');
    expect(pauses).to.have.length(5);
  });

  it('does not slow down a client, however many calls it makes', async () => {
    const all = Array.from({ length: 50 }, () => send('ward', 'secret'));
    expect(new Set(await Promise.all(all))).to.deep.equal(new Set(['ward']));
    expect(pauses).to.deep.equal([]);
  });

  it("slows down a caller that guesses from a client's address like any other caller", async () => {
    expect(await send('ward', 'secret')).to.equal('ward');
    for (let i = 0; i < 8; i++) expect(await send('ward', `guess ${i}`)).to.equal('ws-wrong-password');
    expect(pauses).to.have.length(5);
    expect(pauses).to.deep.equal(pauses.toSorted((a, b) => a - b));
  });

  it('does not delay a client when others guess its password, from its own address or elsewhere', async () => {
    for (address of ['198.51.100.7', '192.0.2.1']) {
      for (let i = 0; i < 6; i++) await send('ward', `guess ${i}`);
      const before = pauses.length;
      for (let i = 0; i < 5; i++) expect(await send('ward', 'secret')).to.equal('ward');
      expect(pauses).to.have.length(before);
    }
  });

  it('does not become known at an address by a token that was sent before', async () => {
    isNew = false;
    for (let i = 0; i < 6; i++) expect(await send('ward', 'secret')).to.equal('ws-nonce-replayed');
    expect(pauses).to.deep.equal([]);
    for (let i = 0; i < 3; i++) await send('nobody', 'guess');
    await send('ward', 'guess');
    expect(pauses).to.have.length(1);
  });
});
