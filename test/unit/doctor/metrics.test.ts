import { X509Certificate } from 'node:crypto';
import { expect } from 'chai';
import type { Transport } from '../../../src/contract/contract.ts';
import { ERROR_CODES } from '../../../src/vocabulary/errors.ts';
import { BOOKING_PARAMETERS, patient } from '../../support/http/booking-parameters.ts';
import { callOver, TRANSPORTS } from '../../support/http/four-transports.ts';
import { needOpenssl, newIssuer } from '../../support/http/test-certificates.ts';
import { perTest } from '../../support/prepared.ts';
import { startService } from '../../support/process/start-service.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { metricValues } from './metric-values.ts';

describe('The metrics', () => {
  const service = perTest(() => startService());

  const text = () => service.metrics.registry.metrics();
  const values = async () => metricValues(await text());
  const queue = (Message: string, SMSmode = 0) =>
    callOver('httpPost', service.endpoint, 'Sent_SMS', { Mobileno: '9845012345', Message, tempid: 0, SMSmode });
  const calls = async (operation: string, transport: Transport | 'http', outcome: string) =>
    (await values()).get(`tpws_calls_total{operation="${operation}",transport="${transport}",outcome="${outcome}"}`);

  it('count results by operation and transport', async () => {
    for (const transport of TRANSPORTS) {
      await callOver(transport, service.endpoint, 'GetDoctor', { centerid: 2 });
      expect(await calls('GetDoctor', transport, 'ok')).to.equal(1);
    }
    expect((await values()).get('tpws_call_duration_seconds_count{operation="GetDoctor",transport="soap12"}')).to.equal(
      1,
    );
  });

  it('have every outcome of every operation at 0 from the start, because an alarm does not notice a new series', async () => {
    const metrics = await values();
    const codes = Object.keys(ERROR_CODES);
    const expected = [
      ...service.contract.operations.flatMap(({ name }) =>
        TRANSPORTS.flatMap((transport) =>
          ['ok', 'duplicate', 'refused', ...codes].map((outcome) => [name, transport, outcome]),
        ),
      ),
      ...['http', ...TRANSPORTS].flatMap((transport) => codes.map((code) => ['none', transport, code])),
    ].map(([name, transport, outcome]) => `{operation="${name}",transport="${transport}",outcome="${outcome}"}`);
    expect(expected.filter((labels) => metrics.get(`tpws_calls_total${labels}`) !== 0)).to.deep.equal([]);
  });

  it('count refusals by operation and ResultCode, from 0 for those that the contract lists', async () => {
    const refusals = async (code: number) =>
      (await values()).get(`tpws_refusals_total{operation="GetDoctor",result_code="${code}"}`);
    expect([await refusals(11), await refusals(1), await refusals(14)]).to.deep.equal([0, undefined, undefined]);
    for (const transport of TRANSPORTS) await callOver(transport, service.endpoint, 'GetDoctor', { centerid: 77 });
    expect(await refusals(11)).to.equal(TRANSPORTS.length);
  });

  it('have no figures on messages, size and backup while the database is away, and report that the service is not ready', async () => {
    await service.store.write(({ facts }) => facts.noteStart('last-backup', service.clock.now - 60_000));
    const there = await values();
    expect(there.get('tpws_ready')).to.equal(1);
    expect(there.get('tpws_oldest_queued_message_age_seconds')).to.equal(0);
    expect(there.get('tpws_gateway_failing_seconds')).to.equal(0);
    expect(there.get('tpws_database_bytes')).to.be.above(50_000);
    expect(there.get('tpws_backup_age_seconds')).to.equal(60);
    await service.store.close();
    const away = await values();
    expect(away.get('tpws_ready')).to.equal(0);
    for (const name of ['oldest_queued_message_age_seconds', 'database_bytes', 'backup_age_seconds']) {
      expect(away.has(`tpws_${name}`), name).to.equal(false);
    }
  });

  it('have no backup age before there is a backup', async () => {
    expect((await values()).has('tpws_backup_age_seconds')).to.equal(false);
  });

  it('have no backup age while the last one is ahead of the clock, so that the alert rings', async () => {
    await service.store.write(({ facts }) => facts.noteStart('last-backup', service.clock.now + 60_000));
    expect((await values()).has('tpws_backup_age_seconds')).to.equal(false);
    service.clock.now += 60_000;
    expect((await values()).get('tpws_backup_age_seconds')).to.equal(0);
  });

  it("have the doctor's findings by subject and level, those that are not found at 0", async () => {
    const backup = async () => {
      const metrics = await values();
      return ['ok', 'warning', 'wrong'].map((level) => metrics.get(`tpws_findings{subject="backup",level="${level}"}`));
    };
    expect(await backup()).to.deep.equal([0, 1, 0]);
    await service.store.write(({ facts }) => facts.noteStart('last-backup', service.clock.now));
    expect(await backup()).to.deep.equal([1, 0, 0]);
    service.clock.now = Date.UTC(2001, 0);
    expect((await values()).get('tpws_findings{subject="clock",level="wrong"}')).to.equal(1);
  });

  it('have the findings that need no database while it is away, and no others', async () => {
    await service.store.close();
    const metrics = await values();
    expect(metrics.get('tpws_findings{subject="clock",level="ok"}')).to.equal(1);
    expect(metrics.has('tpws_findings{subject="backup",level="ok"}')).to.equal(false);
  });

  it('say when the certificate ends, also once it has ended', async function () {
    needOpenssl(this);
    expect((await values()).has('tpws_certificate_end_seconds')).to.equal(false);
    const folder = temporaryFolder();
    const { certFile, keyFile, cert } = newIssuer(folder.path).issue('server', 30);
    const secure = await startService({ environment: { TLS_CERT: certFile, TLS_KEY: keyFile } });
    const end = new X509Certificate(cert).validToDate.getTime();
    const seen = async () => metricValues(await secure.metrics.registry.metrics());
    const level = async (name: string) => (await seen()).get(`tpws_findings{subject="TLS",level="${name}"}`);
    secure.clock.now = end - 30 * 86_400_000;
    expect([await level('ok'), await level('warning'), await level('wrong')]).to.deep.equal([1, 0, 0]);
    secure.clock.now = end - 86_400_000;
    expect(await level('warning')).to.equal(1);
    secure.clock.now = end + 1000;
    expect(await level('wrong')).to.equal(1);
    expect((await seen()).get('tpws_certificate_end_seconds')).to.equal(end / 1000);
    await secure.close();
    folder.remove();
  });

  it("count repeated requests, and refusals under the hospital's rules", async () => {
    await callOver('soap11', service.endpoint, 'Fetch_Details', BOOKING_PARAMETERS);
    await callOver('soap11', service.endpoint, 'Fetch_Details', BOOKING_PARAMETERS);
    await callOver('soap11', service.endpoint, 'Fetch_Details', { ...BOOKING_PARAMETERS, ...patient(2) });
    for (const outcome of ['ok', 'duplicate', 'refused']) {
      expect(await calls('Fetch_Details', 'soap11', outcome), outcome).to.equal(1);
    }
  });

  it('count a fault by its code, and by its operation if it is known', async () => {
    await callOver('httpGet', service.endpoint, 'GetDoctor', { centerid: 'x' });
    await callOver('soap11', service.endpoint, 'GetDoctor', { centerid: 'x' });
    await fetch(`${service.baseUrl}/nothing`);
    await fetch(`${service.endpoint}/NoSuchOperation?centerid=1`);
    expect(await calls('GetDoctor', 'httpGet', 'InvalidValue')).to.equal(1);
    expect(await calls('GetDoctor', 'soap11', 'InvalidValue')).to.equal(1);
    expect(await calls('none', 'http', 'NotFound')).to.equal(1);
    expect(await calls('none', 'httpGet', 'UnknownOperation')).to.equal(1);
  });

  it("have no label with a caller's value", async () => {
    await fetch(`${service.endpoint}/Canary?canary=canary`, { headers: { canary: 'canary', SOAPAction: 'canary' } });
    await callOver('httpGet', service.endpoint, 'GetDoctor', { centerid: 'canary' });
    expect(await text()).not.to.match(/canary/i);
  });

  it('time database reads and writes', async () => {
    const before = await values();
    await callOver('httpPost', service.endpoint, 'Fetch_Details', BOOKING_PARAMETERS);
    const after = await values();
    const count = 'tpws_store_duration_seconds_count{access="write"}';
    expect((after.get(count) ?? 0) - (before.get(count) ?? 0)).to.equal(1);
  });

  it('show how full the outbox is', async () => {
    await queue('Namaste');
    service.clock.now += 90_000;
    const metrics = await values();
    expect(metrics.get('tpws_messages{status="Queued"}')).to.equal(1);
    expect(metrics.get('tpws_messages{status="Dead"}')).to.equal(0);
    const [{ id } = expect.fail()] = await service.store.read(({ messageList }) =>
      messageList.list({ status: undefined, limit: 1 }),
    );
    await service.store.write(async ({ outbox, messages }) => {
      const lease = { holder: 'a', now: service.clock.now, leasedUntil: service.clock.now + 1000 };
      await outbox.claim({ ...lease, limit: 1 });
      await messages.receive({ messageId: id, reference: undefined, status: 'failed', code: '628' }, lease.now);
    });
    const ended = 'tpws_messages_ended{status="Failed",template="0"}';
    expect((await values()).get(ended)).to.equal(1);
    service.clock.now += 3_600_000;
    expect((await values()).has(ended)).to.equal(false);
    expect(metrics.get('tpws_oldest_queued_message_age_seconds')).to.equal(90);
  });

  it('count a promotional message that is held overnight as waiting only if it is not sent within ten minutes of the time at which it may be', async () => {
    const oldest = async () => (await values()).get('tpws_oldest_queued_message_age_seconds');
    const promotional = 2;
    await queue('Our new wing is open.', promotional);
    service.clock.now += 80 * 60_000;
    expect(await oldest(), 'at 09:50').to.equal(0);
    await queue('Namaste');
    service.clock.now += 5 * 60_000;
    expect(await oldest(), 'at 09:55').to.equal(300);
    const messages = await service.store.read(({ messageList }) => messageList.list({ status: undefined, limit: 9 }));
    await service.store.write(({ messageList }) =>
      messageList.cancel({ id: messages[0]?.id ?? 0, now: service.clock.now }),
    );
    expect(await oldest(), 'at 09:55, the other one alone').to.equal(0);
    service.clock.now += 14 * 60_000;
    expect(await oldest(), 'at 10:09').to.equal(0);
    service.clock.now += 60_000;
    expect(await oldest(), 'at 10:10').to.equal(600);
  });

  it('continue without the outbox while the database is away', async () => {
    await service.store.close();
    expect([...(await values()).keys()].filter((name) => name.startsWith('tpws_messages'))).to.deep.equal([]);
    expect(await calls('GetDoctor', 'soap11', 'ok')).to.equal(0);
  });
});
