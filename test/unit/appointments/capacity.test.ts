import { expect } from 'chai';
import { addDoctor, type Given, openHospital } from '../../support/database/hospital.ts';
import { patient } from '../../support/http/booking-parameters.ts';
import { perTest } from '../../support/prepared.ts';

/** Slots of seven minutes, three patients at once, at any time. */
const SHARED = 900;

describe('A doctor who sees several patients at once', () => {
  const hospital = perTest(() => openHospital());
  let patients: number;
  beforeEach(async () => {
    patients = 0;
    await addDoctor(hospital.store, { id: SHARED, slotMinutes: 7, capacity: 3 });
  });

  const next = (app_time: string): Given => ({ DoctorID: SHARED, ...patient(++patients), app_time });
  const book = async (app_time: string) => Number((await hospital.book(next(app_time))).AppointmentID);
  const move = (AppointmentID: number, type: number, given: Given = {}) =>
    hospital.ok('Appointment_Status_Updates', { AppointmentID, type, centerid: 1, ...given });
  const full = (app_time: string) => hospital.refused('Fetch_Details', { ...hospitalBooking, ...next(app_time) }, 14);
  const hospitalBooking: Given = { app_date: '2027-01-18', centerid: 1 };
  const starts = async () =>
    (await hospital.dayOf(SHARED, '2027-01-18')).map(({ apptime }) => String(apptime).slice(11, 16));

  /** Seats 1, 2, and 3 as the only one left at 10:07: nobody's seat is free from 10:03 to 10:10, but at most two are taken. */
  async function scatter(): Promise<void> {
    await book('10:00');
    await book('09:58');
    const later = [await book('10:07'), await book('10:07'), await book('10:07')];
    for (const id of later.slice(0, 2)) await move(id, 6);
  }

  it('is booked as long as fewer are there at every moment, whatever seats they have', async () => {
    await scatter();
    await book('10:03');
    await book('10:08');
    await full('10:04');
    await full('10:09');
    expect(await starts()).to.include.members(['10:00', '09:58', '10:03', '10:07', '10:08']);
  });

  it('takes a rescheduled appointment in the same way, also one that was near', async () => {
    await scatter();
    const id = await book('10:14');
    await move(id, 1, { appdate: '2027-01-18', apptime: '10:03' });
    await move(id, 1, { appdate: '2027-01-18', apptime: '10:04' });
    expect(await starts()).to.include.members(['10:00', '09:58', '10:04', '10:07']);
  });

  it('takes a patient back who was marked as a NoShow', async () => {
    const late = await book('10:03');
    hospital.clock.now = Date.UTC(2027, 0, 18, 4, 55);
    await move(late, 7);
    hospital.clock.now = Date.UTC(2027, 0, 18, 4, 30);
    await scatter();
    await move(late, 3);
    await full('10:03');
  });

  it('confirms a patient who arrived while others were given new seats', async () => {
    await scatter();
    const id = await book('10:03');
    hospital.clock.now = Date.UTC(2027, 0, 18, 4, 0);
    for (const type of [3, 2, 3, 4]) await move(id, type);
  });
});
