import { join } from 'node:path';
import { expect } from 'chai';
import { openFile } from '../../../src/store/sqlite/database-file.ts';
import { callOver } from '../../support/http/four-transports.ts';
import { freePort } from '../../support/process/free-port.ts';
import type { ReadyService } from '../../support/process/service-process.ts';
import { startedServices } from '../../support/process/started-services.ts';
import { metricValues } from '../../unit/doctor/metric-values.ts';
import { gatewayAt } from '../../unit/messages/example-gateways.ts';
import { type HttpProvider, startHttpProvider } from '../../unit/messages/http-provider.ts';
import { operatorAt } from './runbook.ts';

const ACCEPTED = { status: 202, body: '0: Accepted for delivery' };

describe('When an alert about text messages fires', () => {
  const services = startedServices();
  let texts = 0;
  let provider: HttpProvider;
  let operationsPort: number;
  let settings: Record<string, string>;
  beforeEach(async () => {
    operationsPort = await freePort();
    provider = await startHttpProvider(ACCEPTED);
    settings = {
      OPERATIONS_PORT: String(operationsPort),
      DATABASE_URL: `sqlite:${join(services.folder.path, 'hospital.db')}`,
      SMS_GATEWAY: `http:${gatewayAt(services.folder.path, provider.url)}`,
      SMS_USERNAME: 'u',
      SMS_PASSWORD: 'p',
    };
  });
  afterEach(() => provider.stop());

  const metric = async (name: string) =>
    metricValues(await (await fetch(`http://127.0.0.1:${operationsPort}/metrics`)).text()).get(name) ?? 0;
  const until = async (name: string, isReached: (value: number) => boolean) => {
    while (!isReached(await metric(name))) await new Promise((resume) => setTimeout(resume, 100));
  };
  const numberOf = (text: number) => `98450123${10 + text}`;
  const queue = async ({ endpoint }: ReadyService, text: string) => {
    // One message of a number waits for the one before.
    const message = { Mobileno: numberOf(texts++), Message: text, tempid: 0, SMSmode: 0 };
    expect((await callOver('httpPost', endpoint, 'Sent_SMS', message)).record.ResultCode).to.equal('0');
  };
  /** What the fault would need hours for. */
  const inDatabase = (sql: string) => {
    const database = openFile(join(services.folder.path, 'hospital.db'));
    database.exec(sql);
    database.close();
  };
  const codeOf = (service: ReadyService, event: string) =>
    service.logLines().find(({ msg }) => String(msg).startsWith(event))?.code;

  it('TPWebServicesMessagesWait: the log has the code, the doctor cannot connect, old messages are cancelled', async () => {
    await provider.stopListening();
    const operator = operatorAt('TPWebServicesMessagesWait', services.folder.path, settings);
    const service = await services.ready(settings);
    await queue(service, 'one');
    await queue(service, 'two');
    operator.reads("Look in the log for `gateway accepts no messages` with the provider's code");
    await service.printed('gateway accepts no messages');
    expect(codeOf(service, 'gateway accepts no messages')).to.equal('ECONNREFUSED');
    operator.reads('check that one process has logged `this process sends the messages`');
    await service.printed('"msg":"this process sends the messages"');
    expect(await metric('tpws_oldest_queued_message_age_seconds')).to.be.above(0);
    const doctor = await operator.runs('tpws doctor');
    expect(doctor.output).to.match(/^(?:wrong|warning) +gateway .*ECONNREFUSED/m);
    expect((await operator.runs('tpws outbox cancel --older-than 120 --dry-run')).output).to.match(/\b0 messages/);
    inDatabase('UPDATE message SET queued_on = queued_on - 3 * 3600 * 1000');
    const dry = await operator.runs('tpws outbox cancel --older-than 120 --dry-run');
    expect(dry.output).to.match(/\b2 messages/);
    operator.reads('without `--dry-run`, it cancels them');
    const { code, output } = await operator.runs('tpws outbox cancel --older-than 120 --dry-run', { ' --dry-run': '' });
    expect(code, output).to.equal(0);
    expect(await metric('tpws_oldest_queued_message_age_seconds')).to.equal(0);
  });

  it('TPWebServicesMessagesFail: the doctor names code and template, and retry sends them again', async () => {
    const operator = operatorAt('TPWebServicesMessagesFail', services.folder.path, settings);
    const service = await services.ready(settings);
    for (const text of ['a', 'b', 'c', 'd', 'e', 'f']) await queue(service, text);
    await until('tpws_messages{status="Submitted"}', (count) => count === 6);
    inDatabase("UPDATE message SET status = 5, finished_on = submitted_on, last_code = 'UNDELIV:628'");
    expect(await metric('tpws_messages_ended{status="Failed",template="0"}')).to.equal(6);
    const { output } = await operator.runs('tpws doctor');
    expect(output).to.match(/^warning +deliveries +6 of 6 messages .*: 6 Failed UNDELIV:628 \(template 0\)/m);
    const retry = 'tpws outbox retry --status Failed --template 7 --since 2026-11-26T09:00:00+05:30';
    const run = await operator.runs(retry, {
      'template 7': 'template 0',
      '2026-11-26T09:00:00+05:30': '2026-01-01T00:00:00Z',
    });
    expect(run.output).to.equal('6 messages are queued again.\n');
  });

  for (const [how, answer] of [
    ['answers with errors', { status: 500, body: 'no' }],
    ['does not answer at all', 'drop'],
  ] as const) {
    it(`TPWebServicesGatewayAcceptsNothing: a gateway that ${how}; nothing is lost meanwhile`, async () => {
      provider.answer = answer;
      const operator = operatorAt('TPWebServicesGatewayAcceptsNothing', services.folder.path, settings);
      operator.reads(how);
      const service = await services.ready(settings);
      for (const text of ['a', 'b', 'c', 'd', 'e', 'f']) await queue(service, text);
      operator.reads('`gateway accepts no messages` in the log, have its code;');
      await service.printed('gateway accepts no messages');
      expect(codeOf(service, 'gateway accepts no messages')).to.be.a('string');
      await until('tpws_gateway_failing_seconds', (seconds) => seconds > 0);
      operator.reads('Nothing is lost meanwhile');
      provider.answer = ACCEPTED;
      // Those whose outcome is unknown wait for a receipt first.
      await service.stop();
      inDatabase('UPDATE message SET due_on = 0 WHERE status IN (1, 2)');
      await services.ready(settings);
      await until('tpws_messages{status="Submitted"}', (count) => count === 6);
    });
  }

  it('TPWebServicesMessagesDead: eight attempts fail; the code is listed, the message is sent again or discarded', async () => {
    const operator = operatorAt('TPWebServicesMessagesDead', services.folder.path, settings);
    const service = await services.ready(settings);
    operator.reads('The service gave up sending some messages after eight attempts');
    /** The provider is busy with one number and accepts the others: otherwise the attempts would not count. */
    const untilDead = async () => {
      const busy = `+91${numberOf(texts)}`;
      const attempts = () => provider.seen.filter(({ headers }) => headers['x-kannel-to'] === busy).length;
      provider.answer = (number) => (number === busy ? { status: 408 } : ACCEPTED);
      await queue(service, 'to the busy number');
      for (let made = 1; made < 8; made++) {
        await queue(service, 'to another number');
        // The waits between the attempts would take four minutes.
        const dueNow = () => inDatabase('UPDATE message SET due_on = 0 WHERE status = 1');
        for (; attempts() <= made; dueNow()) await new Promise((resume) => setTimeout(resume, 50));
      }
      await until('tpws_messages{status="Dead"}', (count) => count === 1);
      expect(attempts()).to.equal(8);
    };
    await untilDead();
    expect((await operator.runs('tpws outbox list --status Dead')).output).to.include('http-408');
    provider.answer = ACCEPTED;
    operator.reads('Once you have removed the cause');
    expect((await operator.runs('tpws outbox retry --dead')).code).to.equal(0);
    expect(await metric('tpws_messages{status="Dead"}')).to.equal(0);
    await until('tpws_messages{status="Queued"}', (count) => count === 0);
    await untilDead();
    expect((await operator.runs('tpws outbox cancel --status Dead')).code).to.equal(0);
    operator.reads('Either command ends the alert.');
    expect(await metric('tpws_messages{status="Dead"}')).to.equal(0);
  });
});
