import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { Access } from '../../../src/access/access.ts';
import { ANONYMOUS, type Incoming, type KnownClient, knownClients } from '../../../src/access/client.ts';
import { createGate, type Gate } from '../../../src/access/gate.ts';
import { limitRates } from '../../../src/access/rate-limits.ts';
import { originAt } from '../../../src/access/request-origin.ts';
import type { ServiceError } from '../../../src/vocabulary/errors.ts';
import { ipNetworks } from '../../../src/vocabulary/ip-address.ts';
import { cheapHash } from './known-clients.ts';

const NOBODY: KnownClient = {
  name: 'nobody',
  ways: new Set(),
  networks: undefined,
  apiKeyHash: undefined,
  username: undefined,
  passwordHash: undefined,
  usernameToken: false,
  wsPassword: undefined,
  certificateFingerprints: new Set(),
};
const KEY = 'desk.right';

/** The error with which a request is rejected, immediately or later. */
const refusalOf = async (admit: () => Promise<void> | undefined): Promise<string | undefined> => {
  try {
    await admit();
    return undefined;
  } catch (error) {
    return (error as ServiceError).code;
  }
};

describe('The gate', () => {
  let gate: Gate;
  let address: string;
  const request = (headers: Record<string, string> = {}): Incoming => ({
    request: { headers } as unknown as IncomingMessage,
    origin: originAt(address, false, false),
    client: ANONYMOUS,
  });

  beforeEach(async () => {
    address = '192.0.2.1';
    const apiKeyHash = await cheapHash(KEY);
    const clients = knownClients([
      { ...NOBODY, name: 'desk', ways: new Set(['apiKey']), apiKeyHash },
      { ...NOBODY, name: 'ward', ways: new Set(['network']), networks: ipNetworks(['10.0.0.0/8']) },
      { ...NOBODY, name: 'lab', ways: new Set(['password']), username: 'lab', usernameToken: true, wsPassword: 'x' },
    ]);
    const access = new Access({
      proxyClientCertificates: false,
      clients: () => clients,
      processKey: Buffer.alloc(32),
      clock: () => 1_000_000,
      stopwatch: () => 1_000_000,
      logFailure: () => {},
      pause: async () => {},
      takeNonce: () => Promise.reject(new Error('no token here')),
    });
    gate = createGate(
      limitRates({ perMinute: 3, limitsThisMachine: true }, () => 1),
      access,
    );
  });

  it('admits a client by its secret, and by its network if it needs no secret', async () => {
    for (let n = 0; n < 2; n++) {
      const known = request({ 'x-api-key': KEY });
      await gate.admit(known);
      expect(known.client.name).to.equal('desk');
    }
    address = '10.1.2.3';
    const local = request();
    await gate.admit(local);
    expect(local.client.name).to.equal('ward');
  });

  it('rejects a caller without credentials or with a wrong secret, and remembers neither', async () => {
    for (const headers of [{}, { 'x-api-key': 'desk.wrong' }]) {
      const stranger = request(headers);
      expect(await refusalOf(() => gate.admit(stranger))).to.equal('Unauthorized');
      expect(stranger.client.name).to.equal('anonymous');
    }
  });

  it('counts rejected callers by address, and clients by name', async () => {
    for (let i = 0; i < 3; i++) expect(await refusalOf(() => gate.admit(request()))).to.equal('Unauthorized');
    expect(await refusalOf(() => gate.admit(request()))).to.equal('TooManyRequests');
    for (let i = 0; i < 3; i++) {
      expect(await refusalOf(() => gate.admit(request({ 'x-api-key': KEY })))).to.equal(undefined);
    }
    expect(await refusalOf(() => gate.admit(request({ 'x-api-key': KEY })))).to.equal('TooManyRequests');
  });

  it('lets a message be read if it may identify the caller, and counts it once, afterwards', async () => {
    for (let i = 0; i < 3; i++) {
      const stranger = request();
      expect(await refusalOf(() => gate.letRead(stranger))).to.equal(undefined);
      expect(await refusalOf(() => gate.admit(stranger, []))).to.equal('Unauthorized');
    }
    expect(await refusalOf(() => gate.letRead(request()))).to.equal('TooManyRequests');
    const known = request({ 'x-api-key': KEY });
    await gate.letRead(known);
    for (let i = 0; i < 5; i++) await gate.admit(known, []);
  });
});
