import { expect } from 'chai';
import { BOOKING, changeDoctor, openHospital } from '../../support/database/hospital.ts';
import { patient } from '../../support/http/booking-parameters.ts';
import { perTest } from '../../support/prepared.ts';

describe('A doctor who has become inactive', () => {
  const hospital = perTest(() => openHospital());
  beforeEach(async () => {
    await hospital.book();
    await changeDoctor(hospital.store, { active: 0 });
  });

  it('is not listed, and cannot be booked', async () => {
    const { Doctors } = await hospital.ok('GetDoctor', { centerid: 1 });
    expect(JSON.stringify(Doctors)).not.to.include('"DoctorID":102');
    await hospital.refused('Fetch_Details', { ...BOOKING, app_time: '11:15', ...patient(2) }, 12);
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
  const hospital = perTest(() => openHospital());

  it('is not booked while the current number of patients is at or above the new capacity', async () => {
    await changeDoctor(hospital.store, { capacity: 2 });
    await hospital.book(patient(1));
    await hospital.book(patient(2));
    await changeDoctor(hospital.store, { capacity: 1 });
    await hospital.cancel(1);
    await hospital.refused('Fetch_Details', { ...BOOKING, ...patient(3) }, 14);
  });
});
