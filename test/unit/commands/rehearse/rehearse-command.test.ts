import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { RehearsalReport } from '../../../../src/commands/rehearse/tally.ts';
import { KEY_HEADER, openTrial } from '../../../../src/commands/rehearse/trial.ts';
import { thisProcess } from '../../../../src/commands/this-process.ts';
import { TRANSPORTS } from '../../../../src/contract/contract.ts';
import { type CommandFolder, commandFolder, writeAll } from '../../../support/commands/command-folder.ts';
import type { CommandEnd } from '../../../support/commands/run-here.ts';
import { runRehearse, startRehearsal } from '../../../support/commands/start-rehearsal.ts';
import { BOOKING_PARAMETERS } from '../../../support/http/booking-parameters.ts';
import { requestOver } from '../../../support/http/four-transports.ts';
import { type OldService, startOldService } from '../../../support/http/old-service.ts';

/** A Monday on which appointments can be booked. */
const today = Temporal.Now.plainDateISO('Asia/Kolkata');
const MONDAY = today.add({ days: 15 - today.dayOfWeek }).toString();
const BOOKING = { ...BOOKING_PARAMETERS, app_date: `${MONDAY}T00:00:00`, app_time: `${MONDAY}T10:15:00` };

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

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
  let old: OldService;

  beforeEach(async () => {
    folder = commandFolder();
    writeAll(folder);
    await folder.imported('centers.csv', 'doctors.csv', 'opening-hours.csv');
    old = await startOldService();
  });

  const hostHere = async () => ({
    environment: { DATABASE_URL: await folder.databaseUrl() },
    folder: folder.path,
    clock: Date.now,
  });

  const start = async (url = old.url) => startRehearsal(url, await hostHere());

  /** Sends requests through a rehearsal, one after the other. Returns what it printed and the report that it wrote. */
  async function rehearse(
    requests: readonly Sent[],
    url?: string,
  ): Promise<CommandEnd & { readonly report: RehearsalReport }> {
    const { port, stop, ended } = await start(url);
    for (const { method, url, headers, body = '' } of requests) {
      const outgoing = httpRequest({ host: '127.0.0.1', port, method, path: url, headers, agent: false });
      outgoing.end(body);
      const [incoming] = await once(outgoing, 'response');
      await text(incoming);
    }
    stop();
    const end = await ended;
    expect(end.errors).to.equal('');
    expect(end.code).to.equal(0);
    return { ...end, report: reportIn() };
  }
  const fileIn = (name: string): string => readFileSync(join(folder.path, 'data/rehearsal', name), 'utf8');
  const reportIn = (): RehearsalReport => JSON.parse(fileIn('rehearsal.json'));

  const get = (url: string): Sent => ({ method: 'GET', url: `/TPWebServices.asmx${url}`, headers: {} });

  it('gives callers the answers of the old service, and reports what this one answers', async () => {
    const { port, stop, ended } = await start();
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
    expect(output).to.match(/^\| 1 +\| 127\.0\.0\.1 \| MS Web Services Client Protocol 4\.0 \| 4 /m);
    expect(output).to.match(
      /^\| UnknownCenter +\| centerid +\| GetDoctor +\| 4 +\| 4 +\| [\dT:.-]+Z +\| [\dT:.-]+Z +\| 1 +\| 5 +\| 11 +\|$/m,
    );
    expect(output).to.include(fileIn('rehearsal.md'));
    const report = reportIn();
    expect(report).to.include({ requests: 4, done: 0, refused: 4, notTried: 0, notHttp: 0 });
    expect(report.calls.map(({ transport }) => transport)).to.have.members([...TRANSPORTS]);
    expect(old.requests).to.have.length(5);
    expect(old.requests[0]).to.equal('GET /TPWebServices.asmx?wsdl');
  });

  it('keeps answering as the old service after the trial instance has gone', async () => {
    const { port, stop, ended, trial } = await start();
    if (trial === undefined) throw new Error('There is no trial instance.');
    const gone = once(trial, 'exit');
    trial.kill('SIGKILL');
    await gone;
    const answer = await fetch(`http://127.0.0.1:${port}/TPWebServices.asmx/GetDoctor?centerid=1`);
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('X-AspNet-Version')).to.equal('4.0.30319');
    stop();
    const { code, output, errors } = await ended;
    expect(code).to.equal(0);
    expect(errors).to.match(/^The trial instance has ended\. The callers are served by the old service/);
    expect(output).to.include('Only the old service received 1 further request');
  });

  it('lets nobody else on the machine use the trial instance, which ends with the rehearsal', async () => {
    const { startTrial } = thisProcess();
    const { environment } = await hostHere();
    const child = startTrial(environment);
    const { facts, close } = await openTrial(child, () => {});
    const get = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${facts.port}/TPWebServices.asmx/GetDoctor?centerid=1`, { headers }).then(
        ({ status }) => status,
        () => 'cut',
      );
    expect([
      await get({}),
      await get({ [KEY_HEADER]: 'a guess' }),
      await get({ [KEY_HEADER]: facts.key }),
    ]).to.deep.equal(['cut', 'cut', 200]);
    await close();
    expect(child.exitCode).to.equal(0);
  });

  it('writes nothing that names a person, on any transport, whether refused or not', async () => {
    const booking = { ...BOOKING, ...CANARIES };
    const wrong = [
      booking,
      { ...booking, DoctorID: 'Canary' },
      { ...booking, app_date: 'Canary Nameless' },
      { ...booking, contactnumber: 'Canary 98450' },
    ];
    const requests = wrong.flatMap((parameters) =>
      TRANSPORTS.map((transport): Sent => {
        const { headers, ...request } = requestOver(transport, old.url, 'Fetch_Details', parameters);
        const program = { 'User-Agent': 'Desk/1 (canary@nowhere.example; 9845099999)' };
        return { ...request, headers: { ...headers, ...program } };
      }),
    );
    const { report, output, errors } = await rehearse(requests);
    expect(report.requests).to.equal(16);
    expect(report.refusals.map(({ code: why, parameter }) => `${why} ${parameter}`)).to.include.members([
      'InvalidValue DoctorID',
      'InvalidValue app_date',
      'InvalidInput contactnumber',
    ]);
    const files = ['rehearsal.md', 'rehearsal.json'].map(fileIn);
    for (const written of [output, errors, ...files]) expect(written).to.not.match(CANARY);
    await folder.store(async (store) => {
      expect(await store.read(({ exports }) => exports.appointmentsOfCenter({ centerId: 1 }))).to.equal(0);
    });
  });

  it('knows the imported appointments, and refuses their slots', async () => {
    folder.write(
      'appointments.csv',
      `centerid,AppointmentID,DoctorID,appdate,apptime,Name,contactnumber\n1,77,102,${MONDAY},10:15,Ravi Kumar,9845012346\n`,
    );
    await folder.imported('appointments.csv');
    const query = new URLSearchParams(Object.entries(BOOKING).map(([name, value]) => [name, `${value}`]));
    const { report } = await rehearse([
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
    const [start, none] = [`appdate=${MONDAY}&apptime=10:15`, 'appdate=&apptime='];
    const moves = [move(11, start), move(11, start), move(9, none), move(6, none)];
    const { types } = (await rehearse(moves)).report;
    expect(
      types.numbers.map(({ type, calls, marked, now, proposed }) => [type, calls, marked, now, proposed]),
    ).to.deep.equal([
      [11, 2, 2, undefined, 'Reschedule'],
      [9, 1, 0, undefined, undefined],
      [6, 1, 0, 'Cancel', 'Cancel'],
    ]);
    expect(types.setting).to.equal('6=Cancel,11=Reschedule');
  });

  it('reports doctors and date formats', async () => {
    const body = requestOver('soap11', '', 'OPAppointmentdetail', {
      doctorid: 999,
      appdate: '20/01/2027',
      centerid: 1,
    }).body;
    const headers = {
      'Content-Type': 'text/xml; charset=UTF-8',
      SOAPAction: '"http://old.example/OPAppointmentdetail"',
    };
    const { report } = await rehearse([{ method: 'POST', url: '/TPWebServices.asmx', headers, body: String(body) }]);
    expect(report.dates[0]).to.include({ parameter: 'appdate', form: '99/99/9999', calls: 1 });
    expect(report.refusals[0]).to.include({ code: 'InvalidValue', parameter: 'appdate', calls: 1, marked: 1 });
    expect(report.refusals[0]?.doctors).to.deep.equal(['1/999']);
  });

  it('reads the requests to an old service under a path as those to one at the root', async () => {
    const requests = [
      { ...get('/GetDoctor?centerid=5'), url: '/HIS/TPWebServices.asmx/GetDoctor?centerid=5' },
      { ...get(''), url: 'http://old.example/his/TPWebServices.asmx/GetDoctor?centerid=5' },
    ];
    const { report } = await rehearse(requests, old.url.replace('/TPWeb', '/his/TPWeb'));
    expect(report.calls[0]).to.include({ operation: 'GetDoctor', transport: 'httpGet', calls: 2 });
    expect(report.refusals[0]).to.include({ code: 'UnknownCenter', calls: 2 });
  });

  it('says what to do about offsets, and from which machine behind a proxy they come', async () => {
    const query = new URLSearchParams({ doctorid: '102', appdate: `${MONDAY}T10:00:00Z`, centerid: '1' });
    const headers = { 'X-Forwarded-For': 'unknown, 192.0.2.7', 'Transfer-Encoding': 'chunked', Trailer: 'Expires' };
    const { report, output } = await rehearse([{ ...get(`/OPAppointmentdetail?${query}`), headers }, get('?wsdl')]);
    expect(report.done).to.equal(2);
    expect(report.callers.map(({ address }) => address)).to.deep.equal(['192.0.2.7 through 127.0.0.1', '127.0.0.1']);
    expect(report.dates[0]).to.include({ form: '9999-99-99T99:99:99Z' });
    expect(output).to.match(/^\| 9999-99-99T99:99:99Z +\| .*DateTimeKind\.Unspecified/m);
  });

  it('tells every program over SOAP, whatever it calls itself, to try its proxy with results', async () => {
    const soap = (program: string): Sent => ({
      ...requestOver('soap11', '/TPWebServices.asmx', 'GetDoctor', { centerid: 1 }),
      headers: { 'Content-Type': 'text/xml; charset=utf-8', 'User-Agent': program },
    });
    const programs = ['libwww-perl/6.68', 'Java/1.6.0_45', ''];
    const form = { ...get('/GetDoctor?centerid=1'), headers: { 'User-Agent': 'Axis/1.4' } };
    const { report, output } = await rehearse([...programs.map(soap), form]);
    const advised = report.callers.filter(({ advice }) => advice?.includes('"results": "none"'));
    expect(advised.map(({ program }) => program)).to.have.members(programs.map((name) => name || '(none)'));
    expect(output).to.match(/^\| every program over SOAP +\| .*RESULTS=none/m);
  });

  it('lists the hosts and paths that callers use, and the errors of the old service', async () => {
    const under = (host: string, program: string, path = '/TPWebServices.asmx'): Sent => ({
      ...get(''),
      url: `${path}/GetDoctor?centerid=1`,
      headers: { Host: host, 'User-Agent': program },
    });
    const { report, output } = await rehearse([
      under('reception', 'Desk/1', '/tpwebservices.asmx'),
      under('HIS.Hospital.example:8080', 'Desk/1'),
      under('his.hospital.example', 'Kiosk/2', 'http://his.hospital.example/TPWebServices.asmx'),
      under('reception', 'Kiosk/2', '/9845012345'),
    ]);
    expect(report.addresses.map(({ host, path, calls, callers }) => [host, path, calls, callers])).to.deep.equal([
      ['his.hospital.example', '/TPWebServices.asmx', 2, [1, 2]],
      ['reception', '/tpwebservices.asmx', 1, [1]],
      ['reception', '(other)', 1, [2]],
    ]);
    expect(report.failures.map(({ status, path, operation }) => [status, path, operation])).to.deep.equal([
      [500, '/tpwebservices.asmx', 'GetDoctor'],
      [500, '/TPWebServices.asmx', 'GetDoctor'],
      [500, '(other)', '(no call)'],
    ]);
    expect(output)
      .to.match(/^## Addresses\n\nA host with a dot .*ALLOWED_HOSTS.*PUBLIC_URL/m)
      .and.match(
        /^\| his\.hospital\.example \| \/TPWebServices\.asmx \| 2 +\| [\dT:.-]+Z +\| [\dT:.-]+Z +\| 1, 2 +\|$/m,
      )
      .and.include('The old service answered 3 requests with an error status.');
  });

  it('says at the start what the old service answers at the address of --old', async () => {
    const { port } = old;
    for (const [path, status] of [
      ['/TPWebServices.asmx', 200],
      ['/elsewhere.asmx', 500],
    ] as const) {
      const url = `http://127.0.0.1:${port}${path}`;
      const { stop, ended } = await start(url);
      stop();
      expect((await ended).output).to.include(`The old service answers ${status} to ${url}?wsdl.`);
    }
  });

  it('reports what the old service did not answer, at the start and whenever it stops answering', async () => {
    const { port } = old;
    await old.close();
    const { port: listening, stop, ended } = await start();
    const call = () =>
      fetch(`http://127.0.0.1:${listening}/TPWebServices.asmx/GetDoctor?centerid=1`).then(
        ({ status }) => status,
        () => 'none',
      );
    expect(await call()).to.equal('none');
    old = await startOldService(port);
    expect(await call()).to.equal(200);
    stop();
    const { errors, output } = await ended;
    expect(reportIn()).to.include({ requests: 2, done: 1, refused: 0, notAnswered: 1 });
    expect(output).to.include('The old service did not answer 1 further request.');
    expect(errors).to.match(
      /^\S+Z: the old service at 127\S+ does not answer \(ECONNREFUSED\), so callers get no answers\.\n\S+Z: the old service at 127\S+ answers again\.\n$/,
    );
  });

  it('says what is wrong with its arguments', async () => {
    const run = async (...args: readonly string[]) => runRehearse(args, await hostHere());
    expect(await run()).to.include({ code: 2, errors: "error: required option '--old <url>' not specified\n" });
    expect((await run('--help')).output).to.include('(default: 127.0.0.1:8080)');
    expect((await run('--old', 'ftp://old')).errors).to.include('Expected an http or https URL.');
    const environment = { DATABASE_URL: `sqlite:${join(folder.path, 'none.db')}` };
    const none = await runRehearse(['--old', 'http://127.0.0.1'], { ...(await hostHere()), environment });
    expect(none.code).to.equal(1);
    expect(none.errors).to.include('none.db');
  });
});
