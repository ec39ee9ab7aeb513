import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import type { RehearsalReport } from '../../../src/commands/rehearse/rehearsal-report.ts';
import type { RehearseHost } from '../../../src/commands/rehearse/rehearse-command.ts';
import { TRANSPORTS } from '../../../src/contract/contract.ts';
import { type CommandFolder, commandFolder, writeAll } from '../../support/commands/command-folder.ts';
import type { CommandEnd } from '../../support/commands/run-here.ts';
import { runRehearse, startRehearsal } from '../../support/commands/start-rehearsal.ts';
import { BOOKING_PARAMETERS } from '../../support/http/booking-parameters.ts';
import { requestOver } from '../../support/http/four-transports.ts';
import { type OldService, startOldService } from '../../support/http/old-service.ts';

/** 10 a.m. in Asia/Kolkata, on the Monday of the bookings. */
const NOW = '2027-01-18T04:30:00Z';

/** In the fields that name a person; no file and no line of output may contain one. */
const CANARIES = {
  RegistrationNumber: 'CANARY-REG-77',
  Name: 'Canary Nameless',
  title: 'CanaryTitle',
  area: 'CanaryArea',
  contactnumber: '9845099999',
  email: 'canary@nowhere.example',
};
const CANARY = /canary|nameless|98450/i;

describe('The rehearse command', () => {
  let folder: CommandFolder;
  let threads: Worker[];

  beforeEach(async () => {
    folder = commandFolder();
    threads = [];
    writeAll(folder);
    await folder.imported('centers.csv', 'doctors.csv', 'opening-hours.csv');
  });

  afterEach(() => folder.dispose());

  const run = async (args: readonly string[], host: Partial<RehearseHost> = {}): Promise<CommandEnd> =>
    runRehearse(
      args,
      { environment: { DATABASE_URL: await folder.databaseUrl() }, folder: folder.path, ...host },
      threads,
    );

  const replay = async (lines: readonly (object | string)[], ...args: readonly string[]): Promise<RehearsalReport> => {
    const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
    writeFileSync(join(folder.path, 'recorded'), text);
    const { code, errors } = await run(['--replay', 'recorded', ...args]);
    expect(errors).to.equal('');
    expect(code).to.equal(0);
    return reportIn('data/rehearsal');
  };
  const reportIn = (path: string): RehearsalReport =>
    JSON.parse(readFileSync(join(folder.path, path, 'rehearsal.json'), 'utf8'));

  const get = (url: string, headers = {}) => ({ time: NOW, method: 'GET', url: `/TPWebServices.asmx${url}`, headers });

  it('gives callers the answers of the old service, and reports how this one judges them', async () => {
    const old = await startOldService();
    try {
      const { port, stop, ended } = await startBefore(old);
      const headers = { 'User-Agent': 'MS Web Services Client Protocol 4.0' };
      for (const transport of TRANSPORTS) {
        const endpoint = `http://127.0.0.1:${port}/TPWebServices.asmx`;
        const { url, ...init } = requestOver(transport, endpoint, 'GetDoctor', { centerid: 5 });
        const answer = await fetch(url, { ...init, headers: { ...init.headers, ...headers } });
        expect(answer.status).to.equal(200);
        expect(await answer.text()).to.not.include('ResultCode');
      }
      stop();
      const { code, output, errors } = await ended;
      expect(errors).to.equal('');
      expect(code).to.equal(0);
      expect(output).to.include(
        '11 UnknownCenter  centerid   GetDoctor  4      4                            MS Web Services',
      );
      const report = reportIn('data/rehearsal');
      expect(report).to.include({ requests: 4, done: 0, refused: 4, notTried: 0, notHttp: 0 });
      expect(report.calls.map(({ transport }) => transport)).to.have.members([...TRANSPORTS]);
      expect(report.notImported.centers).to.deep.equal([{ centerId: 5, calls: 4 }]);
      expect(report.latencies[0]?.old?.median).to.be.above(0);
      expect(report.latencies[0]?.ours?.median).to.be.above(0);
      expect(old.requests).to.have.length(4);
    } finally {
      await old.close();
    }
  });

  it('keeps answering as the old service after the trial instance has gone', async () => {
    const old = await startOldService();
    try {
      const { port, stop, ended } = await startBefore(old);
      await threads[0]?.terminate();
      const answer = await fetch(`http://127.0.0.1:${port}/TPWebServices.asmx/GetDoctor?centerid=1`);
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('X-AspNet-Version')).to.equal('4.0.30319');
      stop();
      const { code, output, errors } = await ended;
      expect(code).to.equal(0);
      expect(errors).to.match(/^The trial instance ended with code 1\. The callers are served by the old service/);
      expect(output).to.include('1 went only to the old service');
    } finally {
      await old.close();
    }
  });

  it('writes nothing that names a person, on any transport, whether refused or not', async () => {
    const booking = { ...BOOKING_PARAMETERS, ...CANARIES };
    const wrong = [
      booking,
      { ...booking, DoctorID: 'Canary' },
      { ...booking, app_date: 'Canary Nameless' },
      { ...booking, email: 'canary canary' },
    ];
    const lines = wrong.flatMap((parameters) =>
      TRANSPORTS.map((transport) => {
        const { url, method, headers, body } = requestOver(
          transport,
          'http://old/TPWebServices.asmx',
          'Fetch_Details',
          parameters,
        );
        const program = { 'User-Agent': 'Desk/1 (canary@nowhere.example; 9845099999)', Host: 'old' };
        return { time: NOW, method, url, headers: { ...headers, ...program }, ...(body === undefined ? {} : { body }) };
      }),
    );
    writeFileSync(join(folder.path, 'recorded'), lines.map((line) => JSON.stringify(line)).join('\n'));
    const { code, output, errors } = await run(['--replay', 'recorded']);
    expect(code).to.equal(0);
    const report = reportIn('data/rehearsal');
    expect(report.requests).to.equal(16);
    expect(report.refusals.map(({ code: why, parameter }) => `${why} ${parameter}`)).to.include.members([
      'InvalidValue DoctorID',
      'InvalidValue app_date',
      'InvalidInput email',
    ]);
    const files = ['rehearsal.md', 'rehearsal.json'].map((name) =>
      readFileSync(join(folder.path, 'data/rehearsal', name), 'utf8'),
    );
    for (const text of [output, errors, ...files]) expect(text).to.not.match(CANARY);
    await folder.store(async (store) => {
      expect(await store.read(({ exports }) => exports.appointmentsOfCenter(1))).to.equal(0);
    });
  });

  it('knows the imported appointments, and refuses their slots', async () => {
    folder.write(
      'appointments.csv',
      'centerid,AppointmentID,DoctorID,appdate,apptime,Name,contactnumber\n1,77,102,2027-01-18,10:15,Ravi Kumar,9845012346\n',
    );
    await folder.imported('appointments.csv');
    const query = new URLSearchParams(Object.entries(BOOKING_PARAMETERS).map(([name, value]) => [name, `${value}`]));
    const report = await replay([
      get('/Appointment_Status?AppointmentID=77&centerid=1'),
      get('/Appointment_Status?AppointmentID=78&centerid=1'),
      get(`/Fetch_Details?${query}`),
    ]);
    expect(report.done).to.equal(1);
    expect(report.refusals.map(({ code }) => code)).to.have.members(['SlotTaken', 'AppointmentNotFound']);
  });

  it('lists the values of type, with a proposal that contains only what the requests support', async () => {
    const move = (type: number, moment: string) =>
      get(`/Appointment_Status_Updates?AppointmentID=1&type=${type}&centerid=1&${moment}`);
    const [start, none] = ['appdate=2027-01-19&apptime=10:15', 'appdate=&apptime='];
    const { types } = await replay([move(11, start), move(11, start), move(9, none), move(6, none)]);
    expect(
      types.seen.map(({ type, calls, withStart, now, proposed }) => [type, calls, withStart, now, proposed]),
    ).to.deep.equal([
      [11, 2, 2, undefined, 'Reschedule'],
      [6, 1, 0, 'Cancel', 'Cancel'],
      [9, 1, 0, undefined, undefined],
    ]);
    expect(types.setting).to.equal('6=Cancel,11=Reschedule');
  });

  it('reports doctors that are not imported, SOAPActions, content types and date formats', async () => {
    const body = requestOver('soap11', '', 'OPAppointmentdetail', {
      doctorid: 999,
      appdate: '20/01/2027',
      centerid: 1,
    }).body;
    const headers = {
      'Content-Type': 'text/xml; charset=UTF-8',
      SOAPAction: '"http://old.example/OPAppointmentdetail"',
    };
    const report = await replay([
      { method: 'POST', url: '/TPWebServices.asmx', headers, body, status: 200, milliseconds: 12 },
    ]);
    expect(report.notImported.doctors).to.deep.equal([{ centerId: 1, doctorId: 999, calls: 1 }]);
    expect(report.soapActions).to.deep.equal([{ soapAction: 'http://old.example/OPAppointmentdetail', calls: 1 }]);
    expect(report.contentTypes).to.deep.equal([{ contentType: 'text/xml; charset=utf-8', calls: 1 }]);
    expect(report.dates).to.deep.equal([{ parameter: 'appdate', form: '99/99/9999', calls: 1 }]);
    expect(report.refusals[0]).to.include({ code: 'InvalidValue', parameter: 'appdate', calls: 1, doneByOld: 1 });
    expect(report.latencies[0]?.old?.median).to.be.closeTo(12, 0.1);
  });

  it('replays a recording one request after the other, each at the time when it was made', async () => {
    const booking = (time: string) => {
      const { url, ...request } = requestOver('httpGet', '/TPWebServices.asmx', 'Fetch_Details', BOOKING_PARAMETERS);
      return { ...request, url, time };
    };
    const report = await replay([booking('2027-01-17T10:00:00Z'), booking('2027-01-18T10:00:00Z')]);
    // The second is the same booking, hours after its start.
    expect(report).to.include({ requests: 2, done: 2 });
    const late = await replay([booking('2027-01-18T10:00:00Z')]);
    expect(late.refusals[0]).to.include({ code: 'PastTime', resultCode: 15 });
  });

  it('reads an IIS log, and reports the requests whose bodies the log lacks', async () => {
    const log = [
      '#Software: Microsoft Internet Information Services 10.0',
      '#Fields: date time cs-method cs-uri-stem cs-uri-query c-ip cs(User-Agent) sc-status time-taken',
      '2027-01-18 04:30:00 GET /TPWebServices.asmx/GetDoctor centerid=5 10.0.0.7 Desk/2+(Windows) 200 31',
      '2027-01-18 04:30:01 POST /TPWebServices.asmx - 10.0.0.7 Desk/2+(Windows) 200 31',
    ];
    writeFileSync(join(folder.path, 'u_ex270118.log'), log.join('\r\n'));
    const { code, output } = await run(['--replay', 'u_ex270118.log', '--out', 'found']);
    expect(code).to.equal(0);
    expect(output).to.include('Skipped 1 POST requests: the log has no bodies.');
    const report = reportIn('found');
    expect(report.calls).to.deep.equal([
      { operation: 'GetDoctor', transport: 'httpGet', program: 'Desk/2 (Windows)', calls: 1 },
    ]);
    expect(report.latencies[0]?.old?.median).to.be.closeTo(31, 0.1);
  });

  for (const [what, text, said] of [
    [
      'a line that is not JSON',
      '{"method": "GET", "url": "/"}\n{canary',
      'recorded, line 2: is not a JSON object; expected one object on each line',
    ],
    [
      'a field that it does not know',
      '{"method": "GET", "url": "/", "canary": 1}',
      'recorded, line 1: has an unknown field; expected only time, method',
    ],
    [
      'a log without queries',
      '#Fields: date time cs-method cs-uri-stem',
      'recorded, line 1: has no field cs-uri-query',
    ],
  ] as const) {
    it(`refuses ${what}, with its line number and without its text`, async () => {
      writeFileSync(join(folder.path, 'recorded'), text);
      const { code, errors } = await run(['--replay', 'recorded']);
      expect(code).to.equal(1);
      expect(errors).to.include(said).and.not.match(CANARY);
    });
  }

  it('says what is wrong with its arguments', async () => {
    expect((await run([])).errors).to.equal('Expected either --old or --replay.\n');
    expect((await run(['--old', 'ftp://old'])).errors).to.include('Expected an http or https URL.');
    expect((await run(['--replay', 'nowhere'])).errors).to.include('cannot be read (ENOENT)');
    const environment = { DATABASE_URL: `sqlite:${join(folder.path, 'none.db')}` };
    expect((await run(['--old', 'http://127.0.0.1'], { environment })).errors).to.include('none.db');
  });

  const startBefore = async (old: OldService) =>
    startRehearsal(
      old.url,
      { environment: { DATABASE_URL: await folder.databaseUrl() }, folder: folder.path },
      threads,
    );
});
