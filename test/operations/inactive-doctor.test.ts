import { expect } from 'chai';
import { BOOKING, type Hospital, openHospital } from '../support/database/hospital.ts';

describe('A doctor who has become inactive', () => {
  let hospital: Hospital;
  beforeEach(async () => {
    hospital = await openHospital();
    await hospital.book();
    await hospital.store.write(async ({ referenceTables }) => {
      const doctor = (await referenceTables.rows('doctor')).find(({ id }) => id === 102);
      if (doctor === undefined) throw new Error('no doctor 102');
      await referenceTables.put('doctor', { ...doctor, active: 0 });
    });
  });
  afterEach(() => hospital.close());

  it('is not listed, and cannot be booked', async () => {
    const { Doctors } = await hospital.ok('GetDoctor', { centerid: 1 });
    expect(JSON.stringify(Doctors)).not.to.include('"DoctorID":102');
    await hospital.refused('Fetch_Details', { ...BOOKING, app_time: '11:15', RegistrationNumber: 'R-2' }, 12);
  });

  it('keeps existing appointments, for the front desk to handle', async () => {
    expect(await hospital.dayOf(102, '2027-01-18')).to.have.length(1);
  });

  it('still returns the lost answer of a booking when it is repeated', async () => {
    expect((await hospital.ok('Fetch_Details', BOOKING)).ResultCode).to.equal(1);
  });

  it('accepts cancellations, but no rescheduling', async () => {
    const change = { AppointmentID: 1, appdate: '2027-01-19', apptime: '10:15', centerid: 1 };
    const { ResultText } = await hospital.refused('Appointment_Status_Updates', { ...change, type: 1 }, 12);
    expect(ResultText).to.equal(
      'Parameter AppointmentID: doctor 102, whose appointment 1 is, no longer takes any; expected a new booking with another doctor.',
    );
    await hospital.ok('Appointment_Status_Updates', { ...change, type: 6 });
  });
});

describe('A doctor whose capacity was reduced', () => {
  it('is not booked while the current number of patients is at or above the new capacity', async () => {
    const hospital = await openHospital();
    const setCapacity = (capacity: number) =>
      hospital.store.write(async ({ referenceTables }) => {
        const doctor = (await referenceTables.rows('doctor')).find(({ id }) => id === 102);
        if (doctor === undefined) throw new Error('no doctor 102');
        await referenceTables.put('doctor', { ...doctor, capacity });
      });
    await setCapacity(2);
    await hospital.book({ RegistrationNumber: 'R-1' });
    await hospital.book({ RegistrationNumber: 'R-2' });
    await setCapacity(1);
    const cancel = { AppointmentID: 1, type: 6, appdate: '2027-01-18', apptime: '10:15', centerid: 1 };
    await hospital.ok('Appointment_Status_Updates', cancel);
    await hospital.refused('Fetch_Details', { ...BOOKING, RegistrationNumber: 'R-3' }, 14);
    await hospital.close();
  });
});
