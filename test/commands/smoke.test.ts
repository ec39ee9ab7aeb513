import { expect } from 'chai';
import { smokeCommand } from '../../src/commands/smoke/smoke-command.ts';
import { type CommandFolder, commandFolder } from '../support/commands/command-folder.ts';
import { type CommandEnd, runHere } from '../support/commands/run-here.ts';
import { freePort } from '../support/process/free-port.ts';
import { type RunningService, startService, TEST_NOW } from '../support/process/start-service.ts';

const SENDING = '--send-sms';

describe('The command smoke', () => {
  let folder: CommandFolder;
  let service: RunningService;
  /** Each run has patients of its own. */
  let runs = 0;

  /** A doctor on leave for weeks, and one who comes on Sundays and Wednesdays, at night. */
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
  const smoke = (...args: readonly string[]): Promise<CommandEnd> =>
    runHere(smokeCommand, args, { clock: () => TEST_NOW + ++runs * 1000 });
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
      expect(output).to.include('28 of 28 calls answered as they should be.');
      expect(code).to.equal(0);
      const rows = await appointments();
      expect(rows).to.have.length(4);
      for (const row of rows) expect(row).to.include('Cancelled');
    });
  }

  it('queues no text message unless it is told a phone', async () => {
    await start();
    const { output } = await smoke(service.baseUrl, '7');
    expect(output).to.include('No text message was sent');
    expect(await messages()).to.deep.equal([]);
    const sent = await smoke(service.baseUrl, '7', SENDING, '9845012399');
    expect(sent.output).to.include('28 of 28').and.include('Text messages were sent to ******2399.');
    expect(await messages()).to.deep.equal([{ status: 1, count: 4 }]);
  });

  it('fails with what came instead, and says what it could not cancel', async () => {
    await start({ APPOINTMENT_TYPES: '9=Cancel' });
    const { code, output } = await smoke(service.baseUrl, '7');
    expect(code).to.equal(1);
    expect(output).to.include('Appointment_Status_Updates over HTTP GET: ResultCode 22');
    expect(output).to.match(
      /^Appointment \d+ of doctor 2 on 2026-11-22 at 21:10 was not cancelled; cancel it by hand\.$/m,
    );
    expect(output).not.to.include('What was booked is cancelled.');
    expect((await smoke(service.baseUrl, '7', '--cancel-type', '9')).code).to.equal(0);
  });

  it('says where there is no service, no doctor, and no URL', async () => {
    await start();
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    expect((await smoke(nowhere)).errors).to.match(/\?wsdl gives no WSDL of the service: .*ECONNREFUSED/);
    expect((await smoke('hospital')).errors).to.equal(
      'hospital is no URL; expected one such as http://127.0.0.1:8080.\n',
    );
    expect((await smoke()).errors).to.include("missing required argument 'url'");
    const unknown = await smoke(service.baseUrl, '8');
    expect(unknown.code).to.equal(1);
    expect(unknown.output).to.include('Fetch_Details over SOAP 1.1: center 8 has no doctors');
    expect((await smoke('--help')).code).to.equal(0);
  });
});
