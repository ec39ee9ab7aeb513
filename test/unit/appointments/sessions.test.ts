import { expect } from 'chai';
import { addDoctor, type Given, HOUR, openHospital } from '../../support/database/hospital.ts';
import { patient } from '../../support/http/booking-parameters.ts';
import { perTest } from '../../support/prepared.ts';

/** Two doctors with sessions, and one who sees a patient at a time; of doctors for many, two whose slots are no sessions. */
const [EYE, MEDICINE, VISITS, LONG_VISITS, SHORT_SLOTS] = [901, 902, 903, 904, 905];

describe('A token for a session', () => {
  const hospital = perTest(async () => {
    const opened = await openHospital();
    for (const id of [EYE, MEDICINE]) await addDoctor(opened.store, { id, slotMinutes: 240, capacity: 50 });
    await addDoctor(opened.store, { id: VISITS });
    await addDoctor(opened.store, { id: LONG_VISITS, slotMinutes: 60 });
    await addDoctor(opened.store, { id: SHORT_SLOTS, slotMinutes: 59, capacity: 50 });
    return opened;
  });

  const asha = (DoctorID: number, app_time: string): Given => ({ ...patient(1), DoctorID, app_time });
  const book = (...wanted: Parameters<typeof asha>) => hospital.book(asha(...wanted));
  const refused = (...wanted: Parameters<typeof asha>) =>
    hospital.refused('Fetch_Details', { centerid: 1, app_date: '2027-01-18', ...asha(...wanted) }, 17);
  const change = (AppointmentID: unknown, type: number, apptime = '10:00') => ({
    ...{ AppointmentID: Number(AppointmentID), type, appdate: '2027-01-18', apptime, centerid: 1 },
  });

  it('leaves its patient free for a token of another doctor and for a visit', async () => {
    await book(EYE, '08:00');
    await book(MEDICINE, '08:00');
    await book(VISITS, '09:00');
    await book(MEDICINE, '12:00');
  });

  it('is possible beside a visit that was booked before', async () => {
    await book(VISITS, '09:00');
    await book(EYE, '08:00');
  });

  it('is the patient’s only one of that session', async () => {
    const first = await book(EYE, '08:00');
    expect(await book(EYE, '08:00')).to.include({ ResultCode: 1, AppointmentID: Number(first.AppointmentID) });
    await refused(EYE, '09:00');
  });

  for (const [what, doctor] of [
    ['a visit of an hour', LONG_VISITS],
    ['a slot for many below an hour', SHORT_SLOTS],
  ] as const) {
    it(`differs from ${what}, which has its patient for itself`, async () => {
      await book(doctor, '09:00');
      await refused(VISITS, '09:15');
    });
  }

  it('moves to where its patient has a visit, as a visit moves beside it', async () => {
    await book(VISITS, '10:00');
    const { AppointmentID } = await book(EYE, '12:00');
    await hospital.ok('Appointment_Status_Updates', change(AppointmentID, 1, '09:00'));
    const visit = await book(VISITS, '17:00');
    await hospital.ok('Appointment_Status_Updates', change(visit.AppointmentID, 1, '11:00'));
  });

  it('can be a NoShow when the session is over, and comes back while that has room, whatever else its patient has', async () => {
    const { AppointmentID } = await book(EYE, '08:00');
    hospital.clock.now = Date.UTC(2027, 0, 18, 2, 30) + 4 * HOUR - 1;
    await hospital.refused('Appointment_Status_Updates', change(AppointmentID, 7), 21);
    hospital.clock.now += 1;
    await hospital.ok('Appointment_Status_Updates', change(AppointmentID, 7));
    await book(MEDICINE, '11:45');
    await hospital.ok('Appointment_Status_Updates', change(AppointmentID, 3));
  });
});
