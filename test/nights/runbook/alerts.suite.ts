import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { openFile } from '../../../src/store/sqlite/database-file.ts';
import { BOOKING_PARAMETERS } from '../../support/http/booking-parameters.ts';
import { callOver } from '../../support/http/four-transports.ts';
import { freePort } from '../../support/process/free-port.ts';
import type { ReadyService } from '../../support/process/service-process.ts';
import { startedServices } from '../../support/process/started-services.ts';
import { metricValues } from '../../unit/doctor/metric-values.ts';
import { operatorAt } from './runbook.ts';

const SILENCE_MS = 500;

describe('When an alert fires', () => {
  const services = startedServices();
  let operationsPort: number;
  let settings: Record<string, string>;
  beforeEach(async () => {
    operationsPort = await freePort();
    settings = {
      OPERATIONS_PORT: String(operationsPort),
      DATABASE_URL: `sqlite:${join(services.folder.path, 'hospital.db')}`,
    };
  });

  const page = (path: string, signal: AbortSignal | null = null) =>
    fetch(`http://127.0.0.1:${operationsPort}${path}`, { signal });
  const metrics = async () => metricValues(await (await page('/metrics')).text());
  const book = ({ endpoint }: ReadyService, more: object = {}) =>
    callOver('httpPost', endpoint, 'Fetch_Details', { ...BOOKING_PARAMETERS, ...more });
  const logged = (service: ReadyService, event: string) => service.logLines().filter(({ msg }) => msg === event);

  it('TPWebServicesDown: a service that cannot start says why; one that hangs does not answer and is restarted', async () => {
    const operator = operatorAt('TPWebServicesDown', services.folder.path, settings);
    operator.reads('a service that cannot start says why in one sentence');
    const service = await services.ready(settings);
    const failing = services.start({ ...settings, PORT: String(service.port), OPERATIONS_PORT: '0' });
    expect(await failing.exited()).to.equal(1);
    expect(failing.errors()).to.match(/^PORT=\d+: another program listens on this port of .*\.\n$/);
    operator.reads('request `/healthz` on the machine itself');
    expect((await page('/healthz')).status).to.equal(200);
    service.signal('SIGSTOP');
    const answer = await page('/healthz', AbortSignal.timeout(SILENCE_MS)).catch(({ name }) => name);
    expect(answer).to.equal('TimeoutError');
    operator.reads('If you get none, restart the process.');
    service.signal('SIGKILL');
    await service.exited();
    await services.ready(settings);
    expect((await page('/healthz')).status).to.equal(200);
  });

  it('TPWebServicesNotReady: the page says why', async () => {
    const operator = operatorAt('TPWebServicesNotReady', services.folder.path, settings);
    const service = await services.ready({ ...settings, STOP_GRACE_SECONDS: '60' });
    service.signal('SIGTERM');
    await service.printed('"msg":"stopping"');
    const { output } = await operator.runs('curl http://127.0.0.1:OPERATIONS_PORT/readyz', {
      OPERATIONS_PORT: operationsPort,
    });
    expect(output).to.include('The service is stopping.');
    operator.reads('If the answer remains `The service is stopping.` for minutes');
    operator.reads('kill and restart the process');
    service.signal('SIGKILL');
    await service.exited();
    await services.ready(settings);
    expect((await page('/readyz')).status).to.equal(200);
  });

  it('TPWebServicesFails: the log has a line for each call, with the reason; the caller may repeat the call', async () => {
    const operator = operatorAt('TPWebServicesFails', services.folder.path, settings);
    const service = await services.ready(settings);
    const other = openFile(join(services.folder.path, 'hospital.db'));
    other.exec('BEGIN IMMEDIATE');
    expect((await book(service)).status).to.equal(503);
    other.exec('COMMIT');
    other.close();
    operator.reads(
      "the log has a line `call failed` with the operation, the reason, the error and the call's correlation id",
    );
    await service.printed('"msg":"call failed"');
    const [line] = logged(service, 'call failed');
    expect(line).to.include({ operation: 'Fetch_Details', reason: 'timeout: another process is writing' });
    expect(line).to.include.keys('error', 'correlationId');
    const failures = 'tpws_calls_total{operation="Fetch_Details",transport="httpPost",outcome="Unavailable"}';
    expect((await metrics()).get(failures)).to.equal(1);
    operator.reads('nothing was left half done, and the caller may repeat the call');
    expect((await book(service)).record.ResultCode).to.equal('0');
  });

  it('TPWebServicesSlow: writes are as slow as the calls if something else keeps the database', async () => {
    const operator = operatorAt('TPWebServicesSlow', services.folder.path, settings);
    const service = await services.ready(settings);
    const other = openFile(join(services.folder.path, 'hospital.db'));
    other.exec('BEGIN IMMEDIATE');
    const booked = book(service);
    await new Promise((resume) => setTimeout(resume, SILENCE_MS));
    other.exec('COMMIT');
    other.close();
    await booked;
    operator.reads("Compare the calls' durations with `tpws_store_duration_seconds`.");
    operator.reads('If `write` is as slow as the calls, the cause is the disk or the database');
    const values = await metrics();
    const beyond = (name: string, labels: string) =>
      (values.get(`${name}_count{${labels}}`) ?? 0) - (values.get(`${name}_bucket{le="0.25",${labels}}`) ?? 0);
    expect(beyond('tpws_call_duration_seconds', 'operation="Fetch_Details",transport="httpPost"')).to.equal(1);
    expect(beyond('tpws_store_duration_seconds', 'access="write"')).to.be.at.least(1);
  });

  it('TPWebServicesEventLoopLags: a process that waits for the CPU shows it', async () => {
    const operator = operatorAt('TPWebServicesEventLoopLags', services.folder.path, settings);
    operator.reads('The process waits for the CPU');
    const service = await services.ready(settings);
    // The lag belongs to the answer before or after, depending on when it is measured.
    for (let lag = 0; lag < 0.1; lag = (await metrics()).get('nodejs_eventloop_lag_max_seconds') ?? 0) {
      service.signal('SIGSTOP');
      await new Promise((resume) => setTimeout(resume, SILENCE_MS));
      service.signal('SIGCONT');
    }
  });

  it('TPWebServicesRefusesConnections: ss shows who holds the connections', async () => {
    const service = await services.ready({ ...settings, MAX_CONNECTIONS: '10' });
    const operator = operatorAt('TPWebServicesRefusesConnections', services.folder.path, settings);
    const held = connect({ port: service.port, host: '127.0.0.1', localAddress: '127.0.0.9' });
    await new Promise((resume) => held.once('connect', resume));
    const refused = connect({ port: service.port, host: '127.0.0.1', localAddress: '127.0.0.9' });
    refused.on('error', () => {});
    await new Promise((resume) => refused.once('close', resume));
    expect((await metrics()).get('tpws_connections_refused')).to.equal(1);
    const { output } = await operator.runs("ss -tn state established '( sport = :PORT )'", { PORT: service.port });
    expect(output).to.match(/ 127\.0\.0\.9:\d+/);
    operator.reads('the log line `connections refused` has their number');
    held.destroy();
    await service.stop();
    expect(logged(service, 'connections refused').map(({ count }) => count)).to.deep.equal([1]);
  });

  it('TPWebServicesLogInsFail: the log lines have the address, the audit trail the attempts', async () => {
    const operator = operatorAt('TPWebServicesLogInsFail', services.folder.path, settings);
    const file = join(services.folder.path, 'clients.json');
    writeFileSync(file, JSON.stringify({ clients: [{ name: 'desk', networks: ['192.0.2.1'] }] }), { mode: 0o600 });
    const service = await services.ready({ ...settings, CLIENTS_FILE: file });
    const { status } = await fetch(`${service.endpoint}/GetDoctor?centerid=1`, { headers: { 'X-API-Key': 'guessed' } });
    expect(status).to.equal(401);
    operator.reads('The log lines `login failed` and `call rejected` contain the address.');
    await service.printed('"msg":"call rejected"');
    for (const event of ['login failed', 'call rejected']) {
      expect(logged(service, event)[0], event).to.include({ address: '127.0.0.1' });
    }
    operator.reads('The audit trail records the attempts');
    await service.stop();
    const file2 = openFile(join(services.folder.path, 'hospital.db'), { readOnly: true });
    expect(file2.prepare('SELECT error_code FROM audit_event').all()).to.deep.include({ error_code: 'Unauthorized' });
    file2.close();
  });

  it('TPWebServicesUnknownAppointments: the log names the caller', async () => {
    const operator = operatorAt('TPWebServicesUnknownAppointments', services.folder.path, settings);
    const service = await services.ready({ ...settings, RATE_LIMIT: '0' });
    for (let id = 1001; id <= 1101; id++) {
      await callOver('httpGet', service.endpoint, 'Appointment_Status', { AppointmentID: id, centerid: 1 });
    }
    const refusals = 'tpws_refusals_total{operation="Appointment_Status",result_code="20"}';
    expect((await metrics()).get(refusals)).to.equal(101);
    await service.stop();
    operator.reads('The log line `many unknown appointments asked for` names the client');
    expect(logged(service, 'many unknown appointments asked for')).to.have.length(1);
  });

  it('TPWebServicesBackupOld: a backup by hand is recorded', async () => {
    const operator = operatorAt('TPWebServicesBackupOld', services.folder.path, settings);
    await services.ready(settings);
    expect((await metrics()).has('tpws_backup_age_seconds')).to.equal(false);
    const { code, output } = await operator.runs('tpws backup FILE', { FILE: 'backup' });
    expect(code, output).to.equal(0);
    operator.reads('the alert ends within the hour');
    expect((await metrics()).get('tpws_backup_age_seconds')).to.be.a('number');
  });

  it('TPWebServicesFindingWrong: a mistake in a clients file shows at once, before the next start refuses it', async () => {
    const file = join(services.folder.path, 'clients.json');
    const known = { ...settings, CLIENTS_FILE: file };
    const operator = operatorAt('TPWebServicesFindingWrong', services.folder.path, known);
    writeFileSync(file, JSON.stringify({ clients: [{ name: 'desk', networks: ['127.0.0.1'] }] }));
    await services.ready(known);
    const wrong = 'tpws_findings{subject="access",level="wrong"}';
    expect((await metrics()).get(wrong)).to.equal(0);
    writeFileSync(file, '{');
    expect((await metrics()).get(wrong)).to.equal(1);
    operator.reads('`/status` and `tpws doctor` say in words what is wrong with the `subject`');
    expect(await (await page('/status')).text()).to.match(/>access <span[^>]*>wrong<.*is not JSON/);
    const { code, output } = await operator.runs('tpws doctor');
    expect(code).to.equal(1);
    expect(output).to.match(/^wrong +access .*is not JSON/m);
  });

  it('TPWebServicesFindingWarns: a gateway that is off is warned of until somebody sets one', async () => {
    const operator = operatorAt('TPWebServicesFindingWarns', services.folder.path, settings);
    await services.ready({ ...settings, SMS_GATEWAY: 'off' });
    operator.reads('What a hospital has decided to leave as it is, such as `SMS_GATEWAY=off`');
    operator.reads('`subject!~"text messages"`');
    expect((await metrics()).get('tpws_findings{subject="text messages",level="warning"}')).to.equal(1);
  });
});
