import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { readClientsFile } from '../../src/access/clients-file.ts';
import { EXPECTED_NETWORK } from '../../src/access/ip-address.ts';
import { EXPECTED_HASH } from '../../src/access/secret-hash.ts';
import { SetUpError } from '../../src/vocabulary/errors.ts';
import { ownContract } from '../contract/own-wsdl.ts';

const HASH = `scrypt$16384$8$1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
const context = {
  path: 'clients.json',
  operations: ownContract.operations.map(({ name }) => name),
  readSecretFile: (path: string) => {
    if (path === 'there') return 'geheim';
    if (path === 'empty') return '';
    throw new Error('ENOENT');
  },
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

  const WRONG: readonly (readonly [mistake: string, client: object])[] = [
    [
      'clients[0].name: expected a name of up to 64 letters, digits, _ and -, that begins with a letter or digit',
      { name: 'a b', networks: ['::1'] },
    ],
    ['clients[0].name: expected a name other than anonymous', { name: 'anonymous', networks: ['::1'] }],
    [`clients[0].networks[1]: ${EXPECTED_NETWORK}`, { name: 'a', networks: ['::1', '10.1'] }],
    ['clients[0].networks: expected at least one network', { name: 'a', networks: [] }],
    [`clients[0].apiKeyHash: ${EXPECTED_HASH}`, { name: 'a', apiKeyHash: 'geheim' }],
    [`clients[0].passwordHash: ${EXPECTED_HASH}`, { name: 'a', username: 'a', passwordHash: 7 }],
    [
      'clients[0].username: expected 1 to 128 characters without a colon, of at most 256 bytes',
      { name: 'a', username: 'a:b', passwordHash: HASH },
    ],
    ['clients[0]: expected passwordHash with username', { name: 'a', username: 'a' }],
    ['clients[0]: expected username with the password', { name: 'a', passwordHash: HASH }],
    ['clients[0]: expected username with usernameToken', { name: 'a', networks: ['::1'], usernameToken: true }],
    [
      'clients[0]: expected usernameToken true with wsPasswordFile',
      { name: 'a', username: 'a', wsPasswordFile: 'there' },
    ],
    [
      'clients[0].wsPasswordFile: expected a file that can be read',
      { name: 'a', username: 'a', usernameToken: true, wsPasswordFile: 'gone' },
    ],
    [
      'clients[0].wsPasswordFile: expected a file that is not empty',
      { name: 'a', username: 'a', usernameToken: true, wsPasswordFile: 'empty' },
    ],
    [
      'clients[0].certificateFingerprint[1]: expected a SHA-256 fingerprint of 64 hexadecimal digits, with or without colons between them',
      { name: 'a', certificateFingerprint: ['a'.repeat(64), 'a'.repeat(40)] },
    ],
    [
      'clients[0]: expected at least one of networks, apiKeyHash, username, certificateFingerprint',
      { name: 'a', centers: [1] },
    ],
    [
      'clients[0].operations: expected names of operations; leave the field out for no limit',
      { name: 'a', networks: ['::1'], operations: [] },
    ],
    [
      'clients[0].transports[0]: expected one of soap11, soap12, httpGet, httpPost',
      { name: 'a', networks: ['::1'], transports: ['soap'] },
    ],
    ['clients[0].centers[0]: expected a centerid', { name: 'a', networks: ['::1'], centers: ['1'] }],
    [
      'clients[0].ratePerMinute: expected a whole number from 0 to 100000000',
      { name: 'a', networks: ['::1'], ratePerMinute: 1.5 },
    ],
    ['clients[0].fields: expected minimal', { name: 'a', networks: ['::1'], fields: 'all' }],
    ['clients[0].refusals: expected fault or result', { name: 'a', networks: ['::1'], refusals: 'both' }],
    ['clients[0]: there is no field center', { name: 'a', networks: ['::1'], center: 1 }],
  ];
  for (const [mistake, client] of WRONG) {
    it(`is refused with ${mistake}`, () => {
      expect(mistakesIn(client)).to.deep.equal([mistake]);
    });
  }

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
    expect(mistakesOf('{"clients":[1]}')).to.have.length(1);
  });

  it('is valid as docs/access.md shows it', () => {
    const [, example = ''] =
      /```json\n([\s\S]*?)\n```/.exec(readFileSync(new URL('../../docs/access.md', import.meta.url), 'utf8')) ?? [];
    expect(readClientsFile(example, context).all.map(({ name }) => name)).to.include('front-desk');
  });

  it('is refused without quoting it if it is not JSON', () => {
    expect(() => readClientsFile(`{"clients":[{"apiKeyHash":"${HASH}" x`, context)).to.throw(
      SetUpError,
      /^The clients file clients\.json is not JSON( \(line \d+ column \d+\))?\.$/,
    );
  });
});
