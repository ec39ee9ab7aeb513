import { expect } from 'chai';
import type { Transport } from '../../src/vocabulary/transport.ts';
import { BOOKING_PARAMETERS } from '../support/http/booking-parameters.ts';
import { callOver, TRANSPORTS } from '../support/http/four-transports.ts';
import { type RunningService, startService } from '../support/process/start-service.ts';
import { metricValues } from './metric-values.ts';

describe('The metrics', () => {
  let service: RunningService;
  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.close());

  const text = () => service.metrics.registry.metrics();
  const calls = async (operation: string, transport: Transport | 'http', outcome: string) =>
    metricValues(await text()).get(
      `tpws_calls_total{operation="${operation}",transport="${transport}",outcome="${outcome}"}`,
    );

  it('count results by operation and transport', async () => {
    for (const transport of TRANSPORTS) {
      await callOver(transport, service.endpoint, 'GetDoctor', { centerid: 2 });
      expect(await calls('GetDoctor', transport, 'ok')).to.equal(1);
    }
    const value = metricValues(await text());
    expect(value.get('tpws_call_duration_seconds_count{operation="GetDoctor",transport="soap12"}')).to.equal(1);
  });

  it('have each fault of ours from the start, at 0, since an alarm does not see one that appears', async () => {
    for (const code of ['Internal', 'Unavailable']) {
      for (const transport of [...TRANSPORTS, 'http' as const]) {
        expect(await calls('GetDoctor', transport, code), `${transport} ${code}`).to.equal(0);
      }
      expect(await calls('none', 'http', code), code).to.equal(0);
    }
  });

  it('do not say that nothing waits while the database is away', async () => {
    const age = async () => metricValues(await text()).get('tpws_oldest_queued_message_age_seconds');
    expect(await age()).to.equal(0);
    await service.store.close();
    expect(await age()).to.be.NaN;
  });

  it('count what was asked for before, and what the hospital refuses', async () => {
    await callOver('soap11', service.endpoint, 'Fetch_Details', BOOKING_PARAMETERS);
    await callOver('soap11', service.endpoint, 'Fetch_Details', BOOKING_PARAMETERS);
    await callOver('soap11', service.endpoint, 'Fetch_Details', { ...BOOKING_PARAMETERS, RegistrationNumber: 'R-2' });
    for (const outcome of ['ok', 'duplicate', 'refused']) {
      expect(await calls('Fetch_Details', 'soap11', outcome), outcome).to.equal(1);
    }
  });

  it('count a fault by its code, under the operation where it is known', async () => {
    await callOver('httpGet', service.endpoint, 'GetDoctor', { centerid: 'x' });
    await callOver('soap11', service.endpoint, 'GetDoctor', { centerid: 'x' });
    await fetch(`${service.baseUrl}/nothing`);
    await fetch(`${service.endpoint}/NoSuchOperation?centerid=1`);
    expect(await calls('GetDoctor', 'httpGet', 'InvalidValue')).to.equal(1);
    expect(await calls('GetDoctor', 'soap11', 'InvalidValue')).to.equal(1);
    expect(await calls('none', 'http', 'NotFound')).to.equal(1);
    expect(await calls('none', 'httpGet', 'UnknownOperation')).to.equal(1);
  });

  it('hold no label that a caller chose', async () => {
    await fetch(`${service.endpoint}/Canary?canary=canary`, { headers: { canary: 'canary', SOAPAction: 'canary' } });
    await callOver('httpGet', service.endpoint, 'GetDoctor', { centerid: 'canary' });
    expect(await text()).not.to.match(/canary/i);
  });

  it('time reads and writes of the database', async () => {
    const before = metricValues(await text());
    await callOver('httpPost', service.endpoint, 'Fetch_Details', BOOKING_PARAMETERS);
    const after = metricValues(await text());
    const count = 'tpws_store_duration_seconds_count{access="write"}';
    expect((after.get(count) ?? 0) - (before.get(count) ?? 0)).to.equal(1);
  });

  it('show how full the outbox is', async () => {
    await callOver('httpPost', service.endpoint, 'Sent_SMS', {
      Mobileno: '9845012345',
      Message: 'Namaste',
      tempid: 0,
      SMSmode: 0,
    }).then(({ text: answer, status }) => expect(status, answer).to.equal(200));
    service.clock.now += 90_000;
    const values = metricValues(await text());
    expect(values.get('tpws_messages{status="Queued"}')).to.equal(1);
    expect(values.get('tpws_messages{status="Dead"}')).to.equal(0);
    expect(values.get('tpws_oldest_queued_message_age_seconds')).to.equal(90);
  });

  it('go on without the outbox while the database is away', async () => {
    await service.store.close();
    const values = metricValues(await text());
    expect([...values.keys()].filter((name) => name.startsWith('tpws_messages'))).to.deep.equal([]);
    expect(await calls('GetDoctor', 'soap11', 'ok')).to.equal(0);
  });
});
