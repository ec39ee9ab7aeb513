import { randomBytes } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { createServer } from 'node:http';
import { platform } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { hashSecret, writeSecretHash } from '../../src/access/secret-hash.ts';
import type { SmokeHost } from '../../src/commands/smoke/log-in.ts';
import { smokeCommand } from '../../src/commands/smoke/smoke-command.ts';
import { NOBODYS_PHONE } from '../../src/commands/smoke/smoke-transport.ts';
import { listenOn } from '../../src/http/listen-on.ts';
import { toE164, toMobileE164 } from '../../src/rules/phone.ts';
import { type CommandFolder, commandFolder } from '../support/commands/command-folder.ts';
import { type CommandEnd, runHere } from '../support/commands/run-here.ts';
import { freePort } from '../support/process/free-port.ts';
import { type RunningService, startService, TEST_NOW } from '../support/process/start-service.ts';

/** What cannot be read from, and the command's message about it. */
const OPEN_FILE: readonly [args: readonly string[], words: string] = [
  ['--api-key-file', 'open.txt'],
  '--api-key-file open.txt: expected a file that only its owner and group can read',
];
const SENDING = '--send-sms';

describe('The smoke command', () => {
  let folder: CommandFolder;
  let service: RunningService;
  /** Each run has its own patients. */
  let runs = 0;

  /** One doctor is on leave for weeks; another works on Sunday and Wednesday nights. */
  beforeEach(async () => {
    folder = commandFolder();
    folder.write('centers.csv', 'centerid,CenterName\n7,Hubli\n');
    folder.write('doctors.csv', 'centerid,DoctorID,DoctorName,SlotMinutes\n7,1,Dr. A,20\n7,2,Dr. B,20\n');
    folder.write('hours.csv', 'centerid,DoctorID,Days,From,To\n7,1,Mon-Sun,09:10,17:10\n7,2,Sun Wed,21:10,22:10\n');
    folder.write('leave.csv', 'centerid,DoctorID,From,To\n7,1,2026-11-01,2027-01-31\n');
    await folder.imported('centers.csv', 'doctors.csv', 'hours.csv', 'leave.csv');
  });
  afterEach(async () => {
    await service.close();
    folder.dispose();
  });

  const start = async (environment: Readonly<Record<string, string>> = {}) => {
    const DATABASE_URL = await folder.databaseUrl();
    service = await startService({ environment: { DATABASE_URL, DEMO_DATA: 'false', ...environment } });
  };
  const smokeWith = (host: Partial<SmokeHost>, ...args: readonly string[]): Promise<CommandEnd> =>
    runHere<SmokeHost>(smokeCommand, args, {
      clock: () => TEST_NOW + ++runs * 1000,
      folder: folder.path,
      random: randomBytes,
      ...host,
    });
  const smoke = (...args: readonly string[]): Promise<CommandEnd> => smokeWith({}, ...args);
  const appointments = async (): Promise<readonly string[]> => {
    await folder.export('--out', 'out', 'appointments');
    return folder.read('out/appointments.csv').trim().split('\n').slice(1);
  };
  const messages = () => service.store.read(({ messageList }) => messageList.countByStatus());

  for (const REFUSALS of ['fault', 'result']) {
    it(`books in a doctor's real hours over every transport, and cancels (REFUSALS=${REFUSALS})`, async () => {
      await start({ REFUSALS });
      const { code, output, errors } = await smoke(service.baseUrl, '7');
      expect(errors).to.equal('');
      expect(output).to.include('28 of 28 calls were answered as expected.');
      expect(code).to.equal(0);
      const rows = await appointments();
      expect(rows).to.have.length(4);
      for (const row of rows) expect(row).to.include('Cancelled');
      const ids = rows.map((row) => row.split(',')[1]).join(', ');
      expect(output).to.match(
        new RegExp(
          `^What remains, of patients whose numbers begin with SMOKE-\\d+: cancelled appointments ${ids} of center 7; feedback 1, 2, 3, 4\\.$`,
          'm',
        ),
      );
    });
  }

  it('leaves a phone number that is valid, belongs to nobody, and is not a mobile number', async () => {
    // From Ofcom's telephone numbers for drama use: London.
    expect(Number(NOBODYS_PHONE)).to.be.within(44_20_7946_0000, 44_20_7946_0999);
    expect(toE164(NOBODYS_PHONE, 'IN')).to.equal(NOBODYS_PHONE);
    expect(toMobileE164(NOBODYS_PHONE, 'IN')).to.equal(undefined);
    await start();
    await smoke(service.baseUrl, '7');
    for (const row of await appointments()) expect(row).to.include(`,'${NOBODYS_PHONE},`).and.include(',SMOKE-');
    const feedback = await service.store.read(({ exports }) => exports.feedbackAfter(0));
    for (const row of feedback) {
      expect(row.mobile).to.equal(NOBODYS_PHONE);
      expect(row.ipno).to.match(/^SMOKE-/);
    }
    expect(feedback).to.have.length(4);
  });

  it('queues no text message unless it is given a phone', async () => {
    await start();
    const { output } = await smoke(service.baseUrl, '7');
    expect(output).to.include('No text message was sent');
    expect(await messages()).to.deep.equal([]);
    const sent = await smoke(service.baseUrl, '7', SENDING, '9845012399');
    expect(sent.output).to.include('28 of 28').and.include('Text messages were sent to ******2399.');
    expect(await messages()).to.deep.equal([{ status: 1, count: 4 }]);
  });

  it('fails with what it received instead, and names what it could not cancel', async () => {
    await start({ APPOINTMENT_TYPES: '9=Cancel' });
    const { code, output } = await smoke(service.baseUrl, '7');
    expect(code).to.equal(1);
    expect(output).to.include('Appointment_Status_Updates over HTTP GET: ResultCode 22');
    expect(output).to.match(
      /^Appointment \d+ of doctor 2 on 2026-11-22 at 21:10 was not cancelled; cancel it by hand\.$/m,
    );
    expect(output).not.to.include('Everything that was booked is cancelled.');
    expect((await smoke(service.baseUrl, '7', '--cancel-type', '9')).code).to.equal(0);
  });

  describe('logs in', () => {
    const SECRET = 'a long enough secret';
    const KEY = `desk.${SECRET.replaceAll(' ', '-')}`;
    const writeSecret = (file: string, secret: string) => {
      folder.write(file, `${secret}\n`);
      chmodSync(join(folder.path, file), 0o600);
    };
    beforeEach(async () => {
      const hash = async (secret: string) => writeSecretHash(await hashSecret(secret, randomBytes));
      writeSecret('key.txt', KEY);
      writeSecret('password.txt', SECRET);
      const clients = [
        { name: 'desk', apiKeyHash: await hash(KEY) },
        { name: 'website', username: 'website', passwordHash: await hash(SECRET) },
        {
          name: 'ward',
          username: 'ward',
          passwordHash: await hash(SECRET),
          usernameToken: true,
          wsPasswordFile: 'password.txt',
        },
      ];
      folder.write('clients.json', JSON.stringify({ clients }));
      await start({ CLIENTS_FILE: join(folder.path, 'clients.json'), PROTECT_METADATA: 'true' });
    });
    const ways: readonly (readonly [way: string, args: readonly string[]])[] = [
      ['an API key', ['--api-key-file', 'key.txt']],
      ['a user name and a password by HTTP Basic', ['--user', 'website', '--password-file', 'password.txt']],
      [
        'a UsernameToken with a digest',
        ['--user', 'ward', '--password-file', 'password.txt', '--ws-security', 'digest'],
      ],
    ];
    for (const [way, args] of ways) {
      it(`with ${way} from a file`, async () => {
        const { code, output, errors } = await smoke(service.baseUrl, '7', ...args);
        expect(errors).to.equal('');
        expect(output).to.include('28 of 28 calls');
        expect(code).to.equal(0);
      });
    }

    it('with secrets from the environment', async () => {
      const environment = { SMOKE_API_KEY: KEY };
      expect((await smokeWith({ environment }, service.baseUrl, '7')).code).to.equal(0);
      const password = { environment: { SMOKE_PASSWORD: SECRET } };
      expect((await smokeWith(password, service.baseUrl, '7', '--user', 'website')).code).to.equal(0);
    });

    it('over only the transports that it is given', async () => {
      const { code, output } = await smoke(
        ...[service.baseUrl, '7', '--api-key-file', 'key.txt', '--transports', 'soap11', 'httpGet'],
      );
      expect(output).to.include('14 of 14 calls').and.not.include('SOAP 1.2');
      expect(code).to.equal(0);
    });

    it('and says what is missing, wrong or readable by everybody, but never shows a secret', async () => {
      writeSecret('wrong.txt', 'not the password at all');
      folder.write('open.txt', 'secret');
      chmodSync(join(folder.path, 'open.txt'), 0o644);
      const refusals: readonly (readonly [args: readonly string[], words: string])[] = [
        [[], 'does not return a WSDL of this service: status 401.'],
        [['--user', 'website', '--password-file', 'wrong.txt'], 'does not return a WSDL of this service: status 401.'],
        [['--user', 'website'], '--user: expected --password-file, or SMOKE_PASSWORD, with it.'],
        [['--password-file', 'password.txt'], '--password-file, SMOKE_PASSWORD: expected --user with the password.'],
        [['--ws-security', 'text'], '--ws-security: expected --user with it.'],
        [['--api-key-file', 'none.txt'], '--api-key-file none.txt: expected a file that can be read.'],
        // Windows has no file modes.
        ...(platform() === 'win32' ? [] : [OPEN_FILE]),
        [
          ['--api-key-file', 'key.txt', '--user', 'ward', '--password-file', 'password.txt', '--ws-security', 'digest'],
          '--ws-security: expected no API key with it',
        ],
      ];
      for (const [args, words] of refusals) {
        const { code, output, errors } = await smoke(service.baseUrl, '7', ...args);
        expect(code, words).to.equal(/: expected (?:--|no API)/.test(words) ? 2 : 1);
        expect(errors).to.include(words);
        expect(output + errors).not.to.match(/long enough|not the password|secret/);
      }
    });
  });

  it('fails with a message if there is no service, no doctor or no URL', async () => {
    await start();
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    expect((await smoke(nowhere)).errors).to.match(/\?wsdl does not return a WSDL of this service: .*ECONNREFUSED/);
    expect((await smoke('hospital')).errors).to.equal(
      'hospital is not a URL; expected one such as http://127.0.0.1:8080.\n',
    );
    expect((await smoke()).errors).to.include("missing required argument 'url'");
    const unknown = await smoke(service.baseUrl, '8');
    expect(unknown.code).to.equal(1);
    expect(unknown.output).to.include('Fetch_Details over SOAP 1.1: center 8 has no doctors');
    expect((await smoke('--help')).code).to.equal(0);
  });

  it("shows a server's text on one line, without control characters that a terminal would obey", async () => {
    await start();
    const wsdl = await (await fetch(`${service.baseUrl}/TPWebServices.asmx?wsdl`)).text();
    const hostile = createServer((request, response) => {
      if (request.url?.endsWith('?wsdl')) response.end(wsdl);
      else response.writeHead(500).end('\u001b[2Jall is well\r\n28 of 28 calls answered\u202e');
    });
    try {
      const port = await listenOn(hostile, '127.0.0.1', 0, 'none');
      const { code, output, errors } = await smoke(`http://127.0.0.1:${port}`);
      expect(code).to.equal(1);
      expect(output).to.include(String.raw`\u{1b}[2Jall is well\u{d}\u{a}28 of 28 calls answered\u{202e}`);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
      expect(output + errors).not.to.match(/[\u0000-\u0009\u000b-\u001f\u202e]|^28 of 28/m);
    } finally {
      hostile.close();
    }
  });
});
