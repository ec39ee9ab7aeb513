import { expect } from 'chai';
import { commandFolder } from '../../support/commands/command-folder.ts';
import { BOOKING_PARAMETERS } from '../../support/http/booking-parameters.ts';
import { type Parameters, requestOver, TRANSPORTS } from '../../support/http/four-transports.ts';
import { sendAs } from '../../support/http/send-as.ts';
import { startService } from '../../support/process/start-service.ts';

const BOOKING = { ...BOOKING_PARAMETERS, app_date: '2027-01-18T20:45:00Z', app_time: '2027-01-18T20:45:00Z' };
const TIMES = { appdate: '2027-01-20T00:00:00', apptime: '2027-01-20T06:00:00Z' };
const CALLS: readonly (readonly [operation: string, parameters: Parameters])[] = [
  ['Fetch_Details', { ...BOOKING, contactnumber: '98450 67890', Age: '2026-10-01' }],
  ['Appointment_Status_Updates', { AppointmentID: 1, type: 1, ...TIMES, centerid: 1 }],
  ['FB_Push_Details', { ipno: 'IP-3', roomno: '4', moblieno: '', dept: '', needsimprovementcommit: '' }],
  ['Sent_SMS', { Mobileno: '98450 67890', Message: 'Come at 11:30.', tempid: 7, SMSmode: 0 }],
];

/** What a hospital may change between a call and its repetition. */
const CHANGED = {
  APPOINTMENT_TYPES: '8=Cancel,9=Reschedule',
  CONFIRM_BOOKINGS: 'false',
  PHONE_REGION: 'AE',
  SMS_TEMPLATE_REQUIRED: 'true',
  TIME_ZONE: 'Asia/Tokyo',
};
const CENTER = { id: 1, name: 'Center 1', timeZone: 'Asia/Kolkata', phoneRegion: null };
const TEMPLATE = { tempid: 7, dltTemplateId: '1107160000000000001', principalEntityId: '1101000000000000001' };
const TEXT = { header: 'HOSPTL', category: 'Service Implicit', text: 'Come at {#var#}.', active: 1 };

describe('A call repeated with its Idempotency-Key after settings, the center, the doctor and the template changed', () => {
  for (const transport of TRANSPORTS) {
    it(`gets its first answer over ${transport}`, async () => {
      const environment = { DATABASE_URL: await commandFolder().databaseUrl() };
      const before = await startService({ environment });
      const { store } = before;
      await store.write(async ({ referenceTables }) => {
        await referenceTables.put('center', CENTER);
        await referenceTables.put('message_template', { ...TEMPLATE, ...TEXT });
      });
      const bodies = await callAll(transport, before.endpoint);
      await store.write(async ({ referenceTables }) => {
        await referenceTables.put('center', { ...CENTER, timeZone: 'America/New_York', phoneRegion: 'DE' });
        const doctor = (await referenceTables.rows('doctor')).find(({ id }) => id === 102);
        if (doctor !== undefined) await referenceTables.put('doctor', { ...doctor, active: 0 });
        await referenceTables.put('message_template', { ...TEMPLATE, ...TEXT, active: 0 });
      });
      const after = await startService({ environment: { ...environment, ...CHANGED } });
      expect(await callAll(transport, after.endpoint)).to.deep.equal(bodies);
    });
  }
});

/** The bodies of the answers, each to a call with a key of its own. */
async function callAll(transport: (typeof TRANSPORTS)[number], endpoint: string): Promise<readonly string[]> {
  const bodies: string[] = [];
  for (const [operation, parameters] of CALLS) {
    const request = requestOver(transport, endpoint, operation, parameters);
    const { status, body } = await sendAs(request, { headers: { 'Idempotency-Key': operation } });
    expect(status, body).to.equal(200);
    bodies.push(body);
  }
  return bodies;
}
