import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { hashSecret, writeSecretHash } from '../../../src/access/secret-hash.ts';
import { NOBODYS_PHONE, smokeCommand } from '../../../src/commands/smoke-command.ts';
import { listenOn } from '../../../src/http/listen-on.ts';
import { toE164, toMobileE164 } from '../../../src/vocabulary/phone.ts';
import { commandFolder } from '../../support/commands/command-folder.ts';
import { type CommandEnd, runHere } from '../../support/commands/run-here.ts';
import { startOldService } from '../../support/http/old-service.ts';
import { perTest } from '../../support/prepared.ts';
import { freePort } from '../../support/process/free-port.ts';
import { type RunningService, startService, TEST_NOW } from '../../support/process/start-service.ts';
import { ownContract, ownWsdl } from '../../wire/contract/own-wsdl.ts';

const SENDING = '--send-sms';
/** Every operation over each of the four transports. */
const CALLS = 4 * ownContract.operations.length;

describe('The smoke command', () => {
  afterEach(() => service.close());
  const folder = perTest(() => commandFolder());
  let service: RunningService;
  /** Each run has its own patients. */
  let runs = 0;

  /** One doctor is on leave for weeks; another works on Sunday and Wednesday nights. */
  beforeEach(async () => {
    folder.write('centers.csv', 'centerid,CenterName\n7,Hubli\n');
    folder.write('doctors.csv', 'centerid,DoctorID,DoctorName,SlotMinutes\n7,1,Dr. A,20\n7,2,Dr. B,20\n');
    folder.write('hours.csv', 'centerid,DoctorID,Days,From,To\n7,1,Mon-Sun,09:10,17:10\n7,2,Sun Wed,21:10,22:10\n');
    folder.write('leave.csv', 'centerid,DoctorID,From,To\n7,1,2026-11-01,2027-01-31\n');
    await folder.imported('centers.csv', 'doctors.csv', 'hours.csv', 'leave.csv');
  });

  const start = async (environment: Readonly<Record<string, string>> = {}) => {
    const DATABASE_URL = await folder.databaseUrl();
    service = await startService({ environment: { DATABASE_URL, DEMO_DATA: 'false', ...environment } });
  };
  const smoke = (...args: readonly string[]): Promise<CommandEnd> => smokeWith(ownWsdl, ...args);
  const smokeWith = (wsdl: string, ...args: readonly string[]): Promise<CommandEnd> =>
    runHere((command, host) => smokeCommand(command, host, wsdl), args, {
      clock: () => TEST_NOW + ++runs * 1000,
      folder: folder.path,
    });
  /** At a server with that WSDL, which answers every call with the same text. */
  const smokeAt = async (wsdl: string, status: number, text: string, ...args: readonly string[]) => {
    const server = createServer((request, response) => {
      if (request.url?.endsWith('?wsdl')) response.end(wsdl);
      else response.writeHead(status).end(text);
    });
    try {
      return await smokeWith(wsdl, `http://127.0.0.1:${await listenOn(server, '127.0.0.1', 0, 'none')}`, ...args);
    } finally {
      server.close();
    }
  };
  const appointments = async (): Promise<readonly string[]> => {
    await folder.export('--out', 'out', 'appointments');
    return folder.read('out/appointments.csv').trim().split('\n').slice(1);
  };
  const messages = () => service.store.read(({ messageList }) => messageList.countByStatus({}));

  for (const REFUSALS of ['fault', 'result']) {
    it(`books in a doctor's real hours over every transport, and cancels (REFUSALS=${REFUSALS})`, async () => {
      await start({ REFUSALS });
      const { code, output, errors } = await smoke(service.baseUrl, '7');
      expect(errors).to.equal('');
      expect(output).to.include(`${CALLS} of ${CALLS} calls were answered as expected.`);
      expect(output).not.to.include('is not called');
      expect(code).to.equal(0);
      const rows = await appointments();
      expect(rows).to.have.length(4);
      for (const row of rows) expect(row).to.include('Cancelled');
      for (const id of rows.map((row) => row.split(',')[1])) {
        expect(output).to.match(new RegExp(`^Appointment ${id} of doctor 2 on .* remains, cancelled\\.$`, 'm'));
      }
      expect(output.match(/^Feedback \d+ remains\.$/gm)).to.have.length(4);
    });
  }

  it('gives programs a line of JSON for each call, and for what remains', async () => {
    await start();
    const { code, output } = await smoke(service.baseUrl, '7', '--json', '--transports', 'httpGet');
    expect(code).to.equal(0);
    const records = output
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
    const calls = records.filter(({ operation }) => operation !== undefined);
    expect(calls.map(({ operation }) => operation)).to.have.members(ownContract.operations.map(({ name }) => name));
    for (const call of calls) expect(call).to.include({ transport: 'httpGet', ok: true });
    const [AppointmentID] = (await appointments()).map((row) => row.split(',')[1]);
    expect(records).to.deep.include({ transport: 'httpGet', centerid: '7', AppointmentID, cancelled: true });
    expect(records.filter(({ FeedbackID }) => FeedbackID !== undefined)).to.have.length(1);
  });

  it('leaves a phone number that is valid, belongs to nobody, and is not a mobile number', async () => {
    // From Ofcom's telephone numbers for drama use: London.
    expect(Number(NOBODYS_PHONE)).to.be.within(44_20_7946_0000, 44_20_7946_0999);
    expect(toE164(NOBODYS_PHONE, 'IN')).to.equal(NOBODYS_PHONE);
    expect(toMobileE164(NOBODYS_PHONE, 'IN')).to.equal(undefined);
    await start();
    await smoke(service.baseUrl, '7');
    for (const row of await appointments()) expect(row).to.include(`,'${NOBODYS_PHONE},`).and.include(',SMOKE-');
    const feedback = await service.store.read(({ exports }) => exports.feedbackAfter({ id: 0 }));
    for (const row of feedback) {
      expect(row.mobile).to.equal(NOBODYS_PHONE);
      expect(row.inpatientNumber).to.match(/^SMOKE-/);
    }
    expect(feedback).to.have.length(4);
  });

  it('queues no text message unless it is given a phone', async () => {
    await start();
    await smoke(service.baseUrl, '7');
    expect(await messages()).to.deep.equal([]);
    const sent = await smoke(service.baseUrl, '7', SENDING, '9845012399');
    expect(sent.output).to.include(`${CALLS} of ${CALLS}`);
    expect(await messages()).to.deep.equal([{ status: 1, gateway: null, count: 4 }]);
  });

  it('cancels by the number of type that the service states', async () => {
    await start({ APPOINTMENT_TYPES: '1=Reschedule,9=Cancel' });
    expect((await smoke(service.baseUrl, '7')).code).to.equal(0);
  });

  it('fails with what it received instead, and names what it could not cancel', async () => {
    await start({ APPOINTMENT_TYPES: '9=Reschedule' });
    const { code, output } = await smoke(service.baseUrl, '7');
    expect(code).to.equal(1);
    expect(output).to.match(/^FAILED {2}HTTP GET {3}Appointment_Status_Updates: ResultCode 22/m);
    const left = /^Appointment \d+ of doctor 2 on 2026-12-\d\d at 21:10 was not cancelled; cancel it by hand\.$/m;
    expect(output).to.match(left);
    expect(output).to.include(`${CALLS - 4} of ${CALLS} calls were answered as expected.`);
  });

  it('sends the headers in a file, such as credentials, and only over the transports that it is given', async () => {
    const secret = 'a-long-enough-secret';
    const hash = async (text: string) => writeSecretHash(await hashSecret(text, randomBytes));
    const clients = [
      { name: 'desk', apiKeyHash: await hash(`desk.${secret}`) },
      { name: 'website', username: 'website', passwordHash: await hash(secret) },
    ];
    folder.write('clients.json', JSON.stringify({ clients }));
    folder.write('key.txt', `X-API-Key: desk.${secret}\r\n`);
    folder.write('basic.txt', `Authorization: Basic ${Buffer.from(`website:${secret}`).toString('base64')}\n`);
    await start({ CLIENTS_FILE: join(folder.path, 'clients.json'), PROTECT_METADATA: 'true' });
    const byKey = await smoke(service.baseUrl, '7', '--headers', 'key.txt');
    expect(byKey).to.include({ code: 0, errors: '' });
    expect(byKey.output).to.include(`${CALLS} of ${CALLS} calls`);
    const some = ['--transports', 'soap11', 'httpGet'];
    const byPassword = await smoke(service.baseUrl, '7', '--headers', 'basic.txt', ...some);
    expect(byPassword).to.include({ code: 0, errors: '' });
    expect(byPassword.output)
      .to.include(`${CALLS / 2} of ${CALLS / 2} calls`)
      .and.not.include('SOAP 1.2')
      .and.not.include(secret);
    const refused = await smoke(service.baseUrl, '7');
    expect(refused.errors).to.include('does not return a WSDL of this service: status 401.');
    expect((await smoke(service.baseUrl, '7', '--headers', 'none.txt')).errors).to.match(
      /--headers .*none\.txt: expected a file that can be read/,
    );
  });

  it('does not call a service whose WSDL is not the one that it knows, such as the old service', async () => {
    await start();
    const old = await startOldService();
    const { code, output, errors } = await smoke(old.url);
    await old.close();
    expect({ code, output }).to.deep.equal({ code: 1, output: '' });
    expect(errors).to.include('does not return a WSDL of this service: the type AppointmentBooking is not in it.');
  });

  it('fails with a message if there is no service, no doctor or no URL', async () => {
    await start();
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    expect((await smoke(nowhere)).errors).to.match(/\?wsdl does not return a WSDL of this service: .*ECONNREFUSED/);
    const noUrl = 'hospital is not a URL; expected one such as http://127.0.0.1:8080.\n';
    expect((await smoke('hospital')).errors).to.equal(noUrl);
    expect((await smoke()).errors).to.include("missing required argument 'url'");
    const unknown = await smoke(service.baseUrl, '8');
    expect(unknown.code).to.equal(1);
    expect(unknown.output).to.include('FAILED  SOAP 1.1   Fetch_Details: center 8 has no doctors');
    expect((await smoke('--help')).code).to.equal(0);
  });

  it("shows a server's text on one line, without control characters that a terminal would obey", async () => {
    await start();
    const hostile = '\u001b[2Jall is well\r\n28 of 28 calls answered\u202e';
    const { code, output, errors } = await smokeAt(ownWsdl, 500, hostile);
    expect(code).to.equal(1);
    expect(output).to.include(String.raw`\u{1b}[2Jall is well\u{d}\u{a}28 of 28 calls answered\u{202e}`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(output + errors).not.to.match(/[\u0000-\u0009\u000b-\u001f\u202e]|^28 of 28/m);
  });

  it('calls an operation that it does not know if that changes nothing, and otherwise says that it does not', async () => {
    await start();
    const renamed = ownWsdl.replaceAll(/Appointment_Status(?!_)/g, 'Token_Status').replaceAll('Sent_SMS', 'Sent_Fax');
    const { output } = await smokeAt(renamed, 422, '<a><ResultCode>20</ResultCode></a>', '--transports', 'httpGet');
    expect(output).to.match(/^ok {6}HTTP GET {3}Token_Status$/m);
    expect(output)
      .to.match(/^Sent_Fax is not called, /m)
      .and.not.match(/GET +Sent_Fax/);
    const failed = await smokeAt(renamed, 500, 'no');
    expect(failed.output).to.match(/^FAILED {2}SOAP 1.1 {3}Token_Status: status 500: no$/m);
  });
});
