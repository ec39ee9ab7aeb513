import { expect } from 'chai';
import { readConfig } from '../../../src/settings/config.ts';
import { BOOKING, withHospital } from '../../support/database/hospital.ts';
import { patient } from '../../support/http/booking-parameters.ts';

describe("The hospital's settings", () => {
  const change = { appdate: '2027-01-18', apptime: '10:15', centerid: 1 };

  it('APPOINTMENT_TYPES maps the numbers that callers use to moves, and refuses all others', () =>
    withHospital(readConfig({ APPOINTMENT_TYPES: '9=Cancel,1=Confirm' }).hospital, async (hospital) => {
      const { AppointmentID } = await hospital.book();
      const values = { ...change, AppointmentID: Number(AppointmentID) };
      const refusal = await hospital.refused('Appointment_Status_Updates', { ...values, type: 6 }, 22);
      expect(refusal.ResultText).to.equal('Parameter type: 6 is not recognized; expected one of 9 Cancel, 1 Confirm.');
      const cancelled = await hospital.ok('Appointment_Status_Updates', { ...values, type: 9 });
      expect(cancelled).to.include({ type: 9, Status: 6, StatusText: 'Cancelled', Changed: true });
    }));

  it('CONFIRM_BOOKINGS=false books to Pending, which holds the slot until it is confirmed or cancelled', () =>
    withHospital({ confirmBookings: false }, async (hospital) => {
      const booking = await hospital.book();
      expect(booking).to.include({ ResultCode: 0, Status: 1, StatusText: 'Pending' });
      await hospital.refused('Fetch_Details', { ...BOOKING, ...patient(2), Name: 'Ravi' }, 14);
      const values = { ...change, AppointmentID: Number(booking.AppointmentID) };
      const confirmed = await hospital.ok('Appointment_Status_Updates', { ...values, type: 2 });
      expect(confirmed).to.include({ PreviousStatus: 1, Status: 2 });
    }));

  it('PHONE_REGION sets the country of numbers without a country code', () =>
    withHospital({ phoneRegion: 'DE', showContactNumbers: true }, async (hospital) => {
      await hospital.book({ contactnumber: '0151 23456789' });
      const [row] = await hospital.dayOf(102, '2027-01-18');
      expect(row?.contactnumber).to.equal('+4915123456789');
    }));
});
