import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { ServiceError } from '../../../src/vocabulary/errors.ts';
import { failure } from '../../databases/store/store-suite.ts';
import { BOOKING, DAY, type Given, MINUTE, openHospital, present } from '../../support/database/hospital.ts';
import { patient } from '../../support/http/booking-parameters.ts';
import { perTest } from '../../support/prepared.ts';

describe('An Idempotency-Key', () => {
  const hospital = perTest(() => openHospital());

  const SMS = { Mobileno: '9845012345', Message: 'Hello', tempid: 0, SMSmode: 1 };

  it('returns the first answer again without repeating the action', async () => {
    const first = await hospital.call('Fetch_Details', BOOKING, 'key-1');
    hospital.clock.now += 5 * MINUTE;
    const again = await hospital.call('Fetch_Details', BOOKING, 'key-1');
    expect(again.record).to.deep.equal(present(first.record));
    expect(again.refused).to.equal(false);
    expect(again.record.ResultCode).to.equal(0);
    expect(await hospital.dayOf(102, '2027-01-18')).to.have.length(1);
  });

  it('returns the first answer even if the appointment was cancelled meanwhile', async () => {
    const { record } = await hospital.call('Fetch_Details', BOOKING, 'key-1');
    await hospital.cancel(Number(record.AppointmentID));
    const again = await hospital.call('Fetch_Details', BOOKING, 'key-1');
    expect(again.record.AppointmentID).to.equal(record.AppointmentID);
    expect(await hospital.dayOf(102, '2027-01-18')).to.deep.equal([]);
  });

  it('reused with other parameters or on another operation is a client fault, and nothing happens', async () => {
    await hospital.call('Fetch_Details', BOOKING, 'key-1');
    const errors = await Promise.all([
      failure(hospital.call('Fetch_Details', { ...BOOKING, app_time: '11:15' }, 'key-1')),
      failure(hospital.call('Sent_SMS', SMS, 'key-1')),
    ]);
    for (const error of errors) {
      expect(error).to.be.instanceOf(ServiceError).and.to.have.property('code', 'IdempotencyKeyReused');
    }
    expect(await hospital.dayOf(102, '2027-01-18')).to.have.length(1);
  });

  const CONFIRM = { AppointmentID: 1, type: 2, appdate: '2027-01-18', apptime: '10:15', centerid: 1 };
  const FEEDBACK = { ipno: 'IP-1', dept: 'Nursing' };

  /** The same calls: what does not count differs, and how a date is written. */
  const SAME: readonly (readonly [operation: string, first: Given, again: Given])[] = [
    ['Fetch_Details', BOOKING, { app_time: '10:15 AM' }],
    ['Fetch_Details', BOOKING, { app_date: '2027-01-18T23:00:00', app_time: '1899-12-30T10:15:00' }],
    ['Fetch_Details', BOOKING, { app_date: '18 Jan 2027', app_time: '10:15:42.123' }],
    ['Fetch_Details', { ...BOOKING, email: '', area: '' }, { email: undefined, area: ' ', Name: ' Asha Pai\n' }],
    ['Appointment_Status_Updates', { ...CONFIRM, type: 1, apptime: '11:00' }, { apptime: '2001-01-01T11:00:00' }],
    ['FB_Push_Details', FEEDBACK, { roomno: '', needsimprovementcommit: ' ' }],
    ['Sent_SMS', { ...SMS, Message: 'One\ntwo' }, { Message: 'One\r\ntwo', Mobileno: ' 9845012345' }],
  ];
  for (const [operation, first, again] of SAME) {
    it(`compares what was sent to ${operation}: ${JSON.stringify(again)} is the same call`, async () => {
      if (operation === 'Appointment_Status_Updates') await hospital.book();
      const answer = await hospital.call(operation, first, 'key-1');
      expect(answer.refused).to.equal(false);
      const { record } = await hospital.call(operation, { ...first, ...again }, 'key-1');
      expect(record).to.deep.equal(present(answer.record));
    });
  }

  for (const [operation, first, other] of [
    ['Fetch_Details', BOOKING, { area: 'Jayanagar' }],
    ['Fetch_Details', BOOKING, { contactnumber: '9845012346' }],
    ['Fetch_Details', BOOKING, { app_date: '2027-01-17T20:00:00Z', app_time: '2027-01-17T20:00:00Z' }],
    ['Fetch_Details', BOOKING, { app_date: '2027-01-18T24:00:00' }],
    // The same instant.
    ['Fetch_Details', BOOKING, { app_time: '2027-01-18T04:45:00Z' }],
    ['Fetch_Details', { ...BOOKING, app_time: '00:00' }, { app_time: '0001-01-01T00:00:00' }],
    // Refused if they came with a key of their own.
    ['Fetch_Details', BOOKING, { Name: '12' }],
    ['Fetch_Details', BOOKING, { centerid: 99 }],
    ['Appointment_Status_Updates', CONFIRM, { type: 12 }],
    ['FB_Push_Details', FEEDBACK, { ipno: '' }],
    ['Sent_SMS', SMS, { Mobileno: '12', SMSmode: 9 }],
    ['Appointment_Status_Updates', { ...CONFIRM, type: 1, apptime: '11:00' }, { apptime: '11:15' }],
    ['Appointment_Status_Updates', CONFIRM, { type: 6 }],
    ['FB_Push_Details', FEEDBACK, { roomno: '12' }],
    ['Sent_SMS', SMS, { SMSmode: 3 }],
  ] as const) {
    it(`is a client fault with another value of ${operation}: ${JSON.stringify(other)}`, async () => {
      if (operation === 'Appointment_Status_Updates') await hospital.book();
      expect((await hospital.call(operation, first, 'key-1')).refused).to.equal(false);
      const error = await failure(hospital.call(operation, { ...first, ...other }, 'key-1'));
      expect(error).to.have.property('code', 'IdempotencyKeyReused');
    });
  }

  it('of an earlier version, which compared in another way, is a client fault, and nothing happens', async () => {
    const { record } = await hospital.call('Fetch_Details', BOOKING, 'key-1');
    const kept = { fingerprint: 'older', answer: JSON.stringify(record), now: hospital.clock.now };
    const key = createHash('sha256').update('anonymous 192.0.2.1 key-1').digest('base64');
    await hospital.store.write(({ idempotency }) => idempotency.keep({ key, ...kept }));
    const error = await failure(hospital.call('Fetch_Details', BOOKING, 'key-1'));
    expect(error).to.have.property('code', 'IdempotencyKeyReused');
    expect(await hospital.dayOf(102, '2027-01-18')).to.have.length(1);
  });

  it('is kept for 24 hours, and can be used again afterwards', async () => {
    const { record: first } = await hospital.call('Sent_SMS', SMS, 'key-1');
    hospital.clock.now += DAY - 1;
    expect((await hospital.call('Sent_SMS', SMS, 'key-1')).record.SMSID).to.equal(first.SMSID);
    hospital.clock.now += 1;
    const other = { ...SMS, Message: 'Good bye' };
    const { record: next } = await hospital.call('Sent_SMS', other, 'key-1');
    expect(next).to.include({ ResultCode: 0 });
    expect(next.SMSID).not.to.equal(first.SMSID);
    expect((await hospital.call('Sent_SMS', other, 'key-1')).record).to.deep.equal(next);
  });

  it('is not used up by a refusal: the same call may succeed later', async () => {
    const { record } = await hospital.call('Fetch_Details', { ...BOOKING, ...patient(2) });
    const refused = await hospital.call('Fetch_Details', BOOKING, 'key-1');
    expect(refused.record.ResultCode).to.equal(14);
    await hospital.cancel(Number(record.AppointmentID));
    expect((await hospital.call('Fetch_Details', BOOKING, 'key-1')).record.ResultCode).to.equal(0);
  });

  it('sent many times at once still counts as one call', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => hospital.call('Sent_SMS', SMS, 'key-1')));
    expect(new Set(answers.map(({ record }) => JSON.stringify(record)))).to.have.property('size', 1);
  });

  it('has no effect on an operation without changes', async () => {
    await hospital.call('GetDoctor', { centerid: 1 }, 'key-1');
    expect((await hospital.call('GetDoctor', { centerid: 2 }, 'key-1')).record.ResultCode).to.equal(0);
  });
});
