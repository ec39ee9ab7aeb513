import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { certificatesIn } from '../../../src/access/client-certificate.ts';
import { readClientsFile } from '../../../src/access/clients-file.ts';
import { EXPECTED_HASH } from '../../../src/access/secret-hash.ts';
import { SetUpError } from '../../../src/vocabulary/errors.ts';
import { EXPECTED_NETWORK } from '../../../src/vocabulary/ip-address.ts';
import { ownContract } from '../../wire/contract/own-wsdl.ts';

const HASH = `scrypt$16384$8$1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
const context = {
  path: 'clients.json',
  operations: ownContract.operations.map(({ name }) => name),
  answers: { refusals: 'fault', results: 'record' } as const,
  readSecretFile: (path: string) => {
    if (path === 'there') return 'geheim';
    throw new Error('ENOENT');
  },
  readCertificates: certificatesIn,
};
const read = (clients: unknown) => readClientsFile(JSON.stringify({ clients }), context);

function mistakesOf(text: string): readonly string[] {
  try {
    readClientsFile(text, context);
  } catch (error) {
    expect(error).to.be.instanceOf(SetUpError);
    return (error as Error).message
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
  throw new Error(`accepted: ${text}`);
}
const mistakesIn = (...clients: readonly object[]) => mistakesOf(JSON.stringify({ clients }));

describe('A clients file', () => {
  it('says how each client is identified and what it may do', () => {
    const clients = read([
      {
        name: 'desk',
        networks: ['10.1.0.0/16'],
        apiKeyHash: HASH,
        username: 'Desk 1',
        passwordHash: HASH,
        usernameToken: true,
        wsPasswordFile: 'there',
        certificateFingerprint: `${'AB:'.repeat(31)}cd`,
        operations: ['GetDoctor'],
        transports: ['soap12'],
        centers: [1, -2],
        ratePerMinute: 0,
        refusals: 'result',
      },
      { name: 'kiosk', networks: ['::1'] },
    ]);
    const [desk, kiosk] = clients.all;
    expect([...(desk?.ways ?? [])]).to.have.members(['network', 'apiKey', 'password', 'certificate']);
    expect(desk).to.include({
      name: 'desk',
      wsPassword: 'geheim',
      usernameToken: true,
      ratePerMinute: 0,
      refusals: 'result',
    });
    expect([...(desk?.certificateFingerprints ?? [])]).to.deep.equal([`${'ab'.repeat(31)}cd`]);
    expect([...(desk?.centers ?? [])]).to.deep.equal([1, -2]);
    expect(clients.byUsername.get('Desk 1')).to.equal(desk);
    expect(clients.byName.get('desk')).to.equal(desk);
    expect(clients.takeUsernameTokens).to.equal(true);
    expect(kiosk).to.not.have.any.keys('operations', 'transports', 'centers', 'ratePerMinute', 'fields', 'refusals');
    expect(clients.withoutSecrets).to.deep.equal([kiosk]);
  });

  const near = { name: 'a', networks: ['::1'] };
  const user = { name: 'a', username: 'a' };
  const fingerprints = ['a'.repeat(64), 'a'.repeat(40)];
  const HEX = 'a SHA-256 fingerprint of 64 hexadecimal digits, with or without colons between them';
  const NAME = 'a name of up to 64 letters, digits, _ and -, that begins with a letter or digit';
  for (const [place, expected, client] of [
    ['.name', NAME, { ...near, name: 'a b' }],
    ['.name', 'a name other than anonymous', { ...near, name: 'anonymous' }],
    ['.networks[1]', EXPECTED_NETWORK.slice('expected '.length), { ...near, networks: ['::1', '10.1'] }],
    ['.networks', 'at least one network', { ...near, networks: [] }],
    ['.apiKeyHash', EXPECTED_HASH.slice('expected '.length), { name: 'a', apiKeyHash: 'geheim' }],
    ['.passwordHash', EXPECTED_HASH.slice('expected '.length), { ...user, passwordHash: 7 }],
    [
      '.username',
      '1 to 128 characters without a colon, of at most 256 bytes',
      { ...user, username: 'a:b', passwordHash: HASH },
    ],
    ['', 'passwordHash with username', user],
    ['', 'username with the password', { name: 'a', passwordHash: HASH }],
    ['', 'username with usernameToken', { ...near, usernameToken: true }],
    ['', 'usernameToken true with wsPasswordFile', { ...user, wsPasswordFile: 'there' }],
    ['.wsPasswordFile', 'a file that can be read', { ...user, usernameToken: true, wsPasswordFile: 'gone' }],
    ['.certificateFingerprint[1]', HEX, { name: 'a', certificateFingerprint: fingerprints }],
    ['', 'at least one of networks, apiKeyHash, username, certificateFingerprint', { name: 'a', centers: [1] }],
    ['.certificateFile', 'certificates in PEM', { name: 'a', certificateFile: 'none' }],
    ['.centers[0]', 'a centerid', { ...near, centers: [2 ** 31] }],
    ['.operations', 'names of operations; leave the field out for no limit', { ...near, operations: [] }],
    ['.transports[0]', 'one of soap11, soap12, httpGet, httpPost', { ...near, transports: ['soap'] }],
    ['.centers[0]', 'a centerid', { ...near, centers: ['1'] }],
    ['.ratePerMinute', 'a whole number from 0 to 100000000', { ...near, ratePerMinute: 1.5 }],
    ['.fields', 'minimal or full', { ...near, fields: 'all' }],
    ['.refusals', 'fault or result', { ...near, refusals: 'both' }],
    ['.results', 'record or none', { ...near, results: 'empty' }],
    ['', 'refusals fault with results none', { ...near, refusals: 'result', results: 'none' }],
  ] as const) {
    it(`is refused if its clients[0]${place} is not ${expected}`, () => {
      expect(mistakesIn(client)).to.deep.equal([`clients[0]${place}: expected ${expected}`]);
    });
  }

  it('is refused if it has an unknown field', () => {
    expect(mistakesIn({ ...near, center: 1 })).to.deep.equal(['clients[0]: there is no field center']);
  });

  it('is refused with all of its mistakes at once, whatever their kind', () => {
    expect(
      mistakesIn(
        { name: 'a', networks: ['x'] },
        { name: 'a', username: 'u', centre: 1 },
        { name: 'c', username: 'u', passwordHash: HASH },
      ),
    ).to.have.members([
      `clients[0].networks[0]: ${EXPECTED_NETWORK}`,
      'clients[1]: there is no field centre',
      'clients[1].name: expected one other than that of clients[0]',
      'clients[1]: expected passwordHash with username',
      'clients[2].username: expected one other than that of clients[1]',
    ]);
  });

  it('is refused if it is not an object with a list of clients', () => {
    expect(mistakesOf('[]')).to.deep.equal(['the file: expected an object with the field clients']);
    expect(mistakesOf('null')).to.deep.equal(['the file: expected an object with the field clients']);
    expect(mistakesOf('{"clients":{}}')).to.deep.equal(['clients: expected an array of clients']);
    expect(mistakesOf('{"clients":[]}')).to.deep.equal(['clients: expected at least one client']);
    expect(mistakesOf('{"clients":[1]}')).to.deep.equal(['clients[0]: expected an object']);
  });

  it('is valid as docs/operators/access.md shows it', () => {
    const [, example = ''] =
      /```json\n([\s\S]*?)\n```/.exec(
        readFileSync(new URL('../../../docs/operators/access.md', import.meta.url), 'utf8'),
      ) ?? [];
    expect(readClientsFile(example, context).all.map(({ name }) => name)).to.include('front-desk');
  });

  it('is refused without quoting it if it is not JSON', () => {
    expect(() => readClientsFile(`{"clients":[{"apiKeyHash":"${HASH}" x`, context)).to.throw(
      SetUpError,
      /^The clients file clients\.json is not JSON( \(line \d+ column \d+\))?\.$/,
    );
  });
});
