import { expect } from 'chai';
import { BOOKING_PARAMETERS } from '../../support/http/booking-parameters.ts';
import { type Parameters, requestOver, TRANSPORTS } from '../../support/http/four-transports.ts';
import { type SentAnswer, sendAs } from '../../support/http/send-as.ts';
import { type RunningService, startService } from '../../support/process/start-service.ts';
import { ownContract } from '../../wire/contract/own-wsdl.ts';
import { hashOf, writeClients } from './known-clients.ts';

const DESK = '127.0.0.5';
const KIOSK = '127.0.0.6';
const SCREEN = '127.0.0.7';
const RECEPTION = '127.0.0.8';
const STRANGER = '127.0.0.9';
const SMS = { Mobileno: '9845012345', Message: 'Hello', tempid: 0, SMSmode: 1 };

describe('A service with a clients file', () => {
  const file = writeClients([
    { name: 'desk', networks: [DESK] },
    { name: 'ward-screen', networks: [SCREEN], fields: 'minimal' },
    { name: 'reception', networks: [RECEPTION], fields: 'full' },
    { name: 'ward', networks: ['127.0.1.0/24'] },
    { name: 'kiosk', networks: [KIOSK], centers: [2], operations: ownContract.operations.map(({ name }) => name) },
  ]);
  let service: RunningService;
  beforeEach(async () => {
    service = await startService({ environment: { CLIENTS_FILE: file } });
  });

  const call = (
    localAddress: string,
    operation: string,
    parameters: Parameters,
    headers: Readonly<Record<string, string>> = {},
    transport: (typeof TRANSPORTS)[number] = 'httpPost',
  ): Promise<SentAnswer> =>
    sendAs(requestOver(transport, service.endpoint, operation, parameters), { localAddress, headers });
  const fieldOf = ({ body }: SentAnswer, name: string) => new RegExp(`<${name}>([^<]*)</`).exec(body)?.[1];

  it('keeps the Idempotency-Keys of its clients separate', async () => {
    const key = { 'Idempotency-Key': 'key-1' };
    const first = await call(DESK, 'Sent_SMS', SMS, key);
    const other = await call(KIOSK, 'Sent_SMS', { ...SMS, Message: 'Good bye' }, key);
    expect([first.status, other.status]).to.deep.equal([200, 200]);
    expect(fieldOf(other, 'SMSID')).to.not.equal(fieldOf(first, 'SMSID'));
    expect(fieldOf(await call(DESK, 'Sent_SMS', SMS, key), 'SMSID')).to.equal(fieldOf(first, 'SMSID'));
    expect((await call(DESK, 'Sent_SMS', { ...SMS, Message: 'Else' }, key)).status).to.equal(422);
  });

  for (const transport of TRANSPORTS) {
    it(`answers about another center's appointment over ${transport} byte for byte as about one that does not exist`, async () => {
      const id = Number(fieldOf(await call(DESK, 'Fetch_Details', BOOKING_PARAMETERS), 'AppointmentID'));
      const read = async (from: string, AppointmentID: number, centerid: number) => {
        const { status, body } = await call(from, 'Appointment_Status', { AppointmentID, centerid }, {}, transport);
        return `${status} ${body}`.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID');
      };
      expect(await read(DESK, id, 1)).to.match(/^200 /);
      const foreign = await read(KIOSK, id, 1);
      expect(foreign).to.include(`center 1 has no appointment ${id}`);
      expect(foreign.replaceAll(`appointment ${id}`, 'appointment 999')).to.equal(await read(KIOSK, 999, 1));
      expect(foreign.replaceAll('center 1', 'center 3')).to.equal(await read(KIOSK, id, 3));
      // A caller that may use every center gets the same answer for a center that does not exist.
      expect(await read(KIOSK, id, 3)).to.equal(await read(DESK, id, 3));
    });
  }

  for (const transport of TRANSPORTS) {
    it(`shows a client with minimal fields the day over ${transport} without who the patients are`, async () => {
      await call(DESK, 'Fetch_Details', BOOKING_PARAMETERS);
      const list = { doctorid: BOOKING_PARAMETERS.DoctorID, appdate: BOOKING_PARAMETERS.app_date, centerid: 1 };
      const whole = await call(DESK, 'OPAppointmentdetail', list, {}, transport);
      const minimal = await call(SCREEN, 'OPAppointmentdetail', list, {}, transport);
      expect([whole.status, minimal.status]).to.deep.equal([200, 200]);
      const identity = /\s*<(RegistrationNumber|title|Name|Sex|Age|area|contactnumber)>[^<]*<\/\1>/g;
      expect(whole.body.match(identity)).to.have.length.above(3);
      expect(minimal.body).to.equal(whole.body.replace(identity, ''));
    });

    it(`shows a client with full fields whole phone numbers over ${transport}, and others four digits`, async () => {
      await call(DESK, 'Fetch_Details', { ...BOOKING_PARAMETERS, contactnumber: '+919845012345' });
      const list = { doctorid: BOOKING_PARAMETERS.DoctorID, appdate: BOOKING_PARAMETERS.app_date, centerid: 1 };
      const phoneFor = async (address: string) =>
        fieldOf(await call(address, 'OPAppointmentdetail', list, {}, transport), 'contactnumber');
      expect([await phoneFor(RECEPTION), await phoneFor(DESK)]).to.deep.equal(['+919845012345', '+********2345']);
    });
  }

  it('records each address of a client that reads a list of patients, because there may be several people behind it', async () => {
    await call(DESK, 'Fetch_Details', BOOKING_PARAMETERS);
    const list = { doctorid: BOOKING_PARAMETERS.DoctorID, appdate: BOOKING_PARAMETERS.app_date, centerid: 1 };
    for (const address of ['127.0.1.1', '127.0.1.99', '127.0.1.1']) await call(address, 'OPAppointmentdetail', list);
    const rows = await service.store.read(({ audit }) => audit.page({ operation: 'OPAppointmentdetail' }));
    expect(rows.map(({ client, address, shown }) => `${client} ${address} ${shown}`)).to.deep.equal([
      'ward 127.0.1.1 1/1',
      'ward 127.0.1.99 1/1',
    ]);
  });

  it('changes nothing in another center', async () => {
    const id = Number(fieldOf(await call(DESK, 'Fetch_Details', BOOKING_PARAMETERS), 'AppointmentID'));
    const cancel = {
      AppointmentID: id,
      type: 6,
      appdate: BOOKING_PARAMETERS.app_date,
      apptime: BOOKING_PARAMETERS.app_time,
      centerid: 1,
    };
    expect(fieldOf(await call(KIOSK, 'Appointment_Status_Updates', cancel), 'ResultCode')).to.equal('20');
    const later = await call(KIOSK, 'Fetch_Details', { ...BOOKING_PARAMETERS, app_time: '2027-01-18T11:15:00' });
    expect(fieldOf(later, 'ResultCode')).to.equal('11');
    expect(fieldOf(await call(DESK, 'Appointment_Status', { AppointmentID: id, centerid: 1 }), 'Status')).to.equal('2');
  });

  it('audits rejected callers, up to 120 unknown ones per minute, and counts the rest', async () => {
    await call(KIOSK, 'GetDoctor', { centerid: 1 });
    await call(STRANGER, 'GetDoctor', { centerid: 1 });
    const rows = await service.store.read(({ audit }) => audit.page({}));
    expect(rows.map((row) => [row.client, row.operation, row.transport, row.resultCode, row.errorCode])).to.deep.equal([
      ['kiosk', 'GetDoctor', 'httpPost', 11, null],
      ['anonymous', null, 'httpPost', null, 'Unauthorized'],
    ]);
    for (let i = 0; i < 130; i++) await call(STRANGER, 'GetDoctor', { centerid: 1 });
    service.clock.now += 60_000;
    await call(STRANGER, 'GetDoctor', { centerid: 1 });
    expect(service.logLines.join('')).to.include('"msg":"refusals not audited"').and.include('"count":11');
  });

  it('records the address of a failed login', async () => {
    const keyed = writeClients([{ name: 'desk', apiKeyHash: await hashOf('desk.right') }]);
    const careful = await startService({ environment: { CLIENTS_FILE: keyed } });
    const request = requestOver('httpPost', careful.endpoint, 'GetDoctor', { centerid: 1 });
    await sendAs(request, { localAddress: STRANGER, headers: { 'X-API-Key': 'desk.wrong' } });
    const lines = careful.logLines.map((line) => JSON.parse(line)).filter((line) => line.address !== undefined);
    expect(lines.map(({ msg }) => msg)).to.include('login failed');
    expect(lines.map((line) => line.address)).to.deep.equal(lines.map(() => STRANGER));
  });

  it('shows the WSDL, pages and OpenAPI only to its clients if they are protected', async () => {
    const closed = await startService({ environment: { CLIENTS_FILE: file, PROTECT_METADATA: 'true' } });
    for (const path of ['/TPWebServices.asmx?wsdl', '/TPWebServices.asmx?op=GetDoctor', '/openapi.json']) {
      const request = { url: closed.baseUrl + path, method: 'GET', headers: {} } as const;
      const refused = await sendAs(request, { localAddress: STRANGER });
      expect(refused.status).to.equal(401);
      expect(refused.headers['www-authenticate']).to.match(/^Basic /);
      expect((await sendAs(request, { localAddress: DESK })).status).to.equal(200);
    }
    const health = { url: `${closed.baseUrl}/healthz`, method: 'GET', headers: {} } as const;
    expect((await sendAs(health, { localAddress: STRANGER })).status).to.equal(200);
  });
});
