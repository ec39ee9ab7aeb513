import { expect } from 'chai';
import { ServiceError } from '../../src/vocabulary/errors.ts';
import { BOOKING, DAY, type Hospital, MINUTE, openHospital, present } from '../support/database/hospital.ts';

describe('An Idempotency-Key', () => {
  let hospital: Hospital;
  beforeEach(async () => {
    hospital = await openHospital();
  });
  afterEach(() => hospital.close());

  const SMS = { Mobileno: '9845012345', Message: 'Hello', tempid: 0, SMSmode: 1 };
  const failureOf = (call: Promise<unknown>) =>
    call.then(
      () => expect.fail('it succeeded'),
      (error: unknown) => error as ServiceError,
    );

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
    const cancel = {
      AppointmentID: Number(record.AppointmentID),
      type: 6,
      appdate: '2027-01-18',
      apptime: '10:15',
      centerid: 1,
    };
    await hospital.ok('Appointment_Status_Updates', cancel);
    const again = await hospital.call('Fetch_Details', BOOKING, 'key-1');
    expect(again.record.AppointmentID).to.equal(record.AppointmentID);
    expect(await hospital.dayOf(102, '2027-01-18')).to.have.length(1);
  });

  it('reused with other parameters or on another operation is a client fault, and nothing happens', async () => {
    await hospital.call('Fetch_Details', BOOKING, 'key-1');
    const errors = await Promise.all([
      failureOf(hospital.call('Fetch_Details', { ...BOOKING, app_time: '11:15' }, 'key-1')),
      failureOf(hospital.call('Sent_SMS', SMS, 'key-1')),
    ]);
    for (const error of errors) {
      expect(error).to.be.instanceOf(ServiceError).and.to.have.property('code', 'IdempotencyKeyReused');
    }
    expect(await hospital.dayOf(102, '2027-01-18')).to.have.length(1);
  });

  it('is kept for 24 hours, and can be used again afterwards', async () => {
    const { record: first } = await hospital.call('Sent_SMS', SMS, 'key-1');
    hospital.clock.now += DAY - 1;
    expect((await hospital.call('Sent_SMS', SMS, 'key-1')).record.SMSID).to.equal(first.SMSID);
    hospital.clock.now += 1;
    const { record: next } = await hospital.call('Sent_SMS', { ...SMS, Message: 'Good bye' }, 'key-1');
    expect(next).to.include({ ResultCode: 0 });
    expect(next.SMSID).not.to.equal(first.SMSID);
  });

  it('is not used up by a refusal: the same call may succeed later', async () => {
    const { record } = await hospital.call('Fetch_Details', { ...BOOKING, RegistrationNumber: 'R-2' });
    const refused = await hospital.call('Fetch_Details', BOOKING, 'key-1');
    expect(refused.record.ResultCode).to.equal(14);
    const cancel = {
      AppointmentID: Number(record.AppointmentID),
      type: 6,
      appdate: '2027-01-18',
      apptime: '10:15',
      centerid: 1,
    };
    await hospital.ok('Appointment_Status_Updates', cancel);
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
