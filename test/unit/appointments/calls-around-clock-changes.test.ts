import { expect } from 'chai';
import { StoreConflict } from '../../../src/store/store.ts';
import { addCenter, addDoctor, addHours, type Given, openHospital } from '../../support/database/hospital.ts';
import { patient } from '../../support/http/booking-parameters.ts';
import { perTest } from '../../support/prepared.ts';

/** On these nights, the clocks skip the time from the first minute that is missing until just before the second. */
const SKIPPED: readonly (readonly [zone: string, day: string, last: string, next: string])[] = [
  ['America/New_York', '2027-03-14', '01:55', '03:00'],
  ['Europe/London', '2027-03-28', '00:55', '02:00'],
  ['Australia/Lord_Howe', '2027-10-03', '01:55', '02:30'],
  ['America/Havana', '2027-03-13', '23:55', '01:00'],
  ['America/St_Johns', '2027-03-14', '01:55', '03:00'],
];

/** Those of center 30 accept any time, in slots of 15 minutes; 33 has them from 01:00 until a time that is skipped. */
const [ONE, ANOTHER, THREE_SEATS, WITH_HOURS] = [30, 31, 32, 33];

describe('A slot across a clock change', () => {
  const hospital = perTest(() => openHospital());
  let patients = 0;

  async function open(zone: string, now: number) {
    hospital.clock.now = now;
    await addCenter(hospital.store, 30, zone);
    for (const id of [ONE, ANOTHER, THREE_SEATS, WITH_HOURS]) {
      await addDoctor(hospital.store, { id, centerId: 30, capacity: id === THREE_SEATS ? 3 : 1 });
    }
    await addHours(hospital.store, { centerId: 30, doctorId: WITH_HOURS, weekday: 7, from: 60, to: 120 });
  }

  const at = (app_date: string, app_time: string, given: Given = {}): Given => ({
    DoctorID: ONE,
    ...patient(++patients),
    app_date,
    app_time,
    centerid: 30,
    ...given,
  });
  const booked = (...start: Parameters<typeof at>) => hospital.ok('Fetch_Details', at(...start));
  const refused = (code: number, ...start: Parameters<typeof at>) =>
    hospital.refused('Fetch_Details', at(...start), code);

  for (const [zone, day, last, next] of SKIPPED) {
    describe(`that skips time, in ${zone} after ${last} on ${day}`, () => {
      const nextDay = last > next ? day.replace('13', '14') : day;
      const fiveLater = `${next.slice(0, 3)}${String(Number(next.slice(3)) + 5).padStart(2, '0')}`;
      const tenLater = `${next.slice(0, 3)}${String(Number(next.slice(3)) + 10).padStart(2, '0')}`;
      beforeEach(() => open(zone, Date.parse(`${day}T00:00:00Z`) - 86_400_000));

      it('ends in real minutes: the next time is taken until it has ended', async () => {
        await booked(day, last);
        await refused(14, nextDay, next);
        await refused(14, nextDay, fiveLater);
        await booked(nextDay, tenLater);
      });

      it('holds as many patients as the doctor has seats, and no more', async () => {
        const given = { DoctorID: THREE_SEATS };
        for (const start of [last, last]) await booked(day, start, given);
        await booked(nextDay, next, given);
        await refused(14, nextDay, fiveLater, given);
        await booked(nextDay, tenLater, given);
      });

      it('is its patient’s only one until it has ended', async () => {
        const same = patient(0);
        await booked(day, last, same);
        await refused(17, nextDay, fiveLater, { ...same, DoctorID: ANOTHER });
        await booked(nextDay, tenLater, { ...same, DoctorID: ANOTHER });
      });

      it('cannot be taken twice in the database, whatever the service asks', async () => {
        const { AppointmentID } = await booked(day, last);
        await hospital.store
          .write(async ({ imports }) => {
            const [stored] = await imports.appointments(30, [Number(AppointmentID)]);
            if (stored === undefined) throw new Error('the appointment is not there');
            const startsAt = stored.endsAt - 10;
            const other = { ...stored, id: 99, registrationKey: 'R-99', startsAt, endsAt: startsAt + 15 };
            await imports.addAppointments([other]);
          })
          .then(
            () => expect.fail('it was stored'),
            (error) => expect(error).to.be.instanceOf(StoreConflict),
          );
      });
    });
  }

  it('is on the slot grid if it ends when the hours do, at a time that the clocks skip', async () => {
    await open('America/New_York', Date.UTC(2027, 2, 13));
    await booked('2027-03-14', '01:45', { DoctorID: WITH_HOURS });
    const { ResultText } = await refused(14, '2027-03-14', '01:45', { DoctorID: WITH_HOURS });
    expect(ResultText).to.contain('the nearest free slot is 01:30');
  });

  it('of the hours runs into a later one that begins at its usual time, and takes a place of it', async () => {
    await open('Europe/London', Date.UTC(2027, 2, 27));
    const grid = { DoctorID: 34 };
    await addDoctor(hospital.store, { id: 34, centerId: 30, slotMinutes: 240, capacity: 2 });
    await addHours(hospital.store, { centerId: 30, doctorId: 34, weekday: 7, from: 0, to: 720 });
    await booked('2027-03-28', '00:00', grid);
    await booked('2027-03-28', '04:00', grid);
    await refused(14, '2027-03-28', '04:00', grid);
  });

  describe('that shows an hour twice, in New York on 7 November 2027', () => {
    beforeEach(() => open('America/New_York', Date.UTC(2027, 10, 6)));

    it('has its second showing, whatever the offset', async () => {
      expect(await booked('2027-11-07', '01:30:00-04:00')).to.include({ app_time: '2027-11-07T01:30:00' });
      await refused(14, '2027-11-07', '01:30:00-05:00');
      await refused(14, '2027-11-07', '01:30');
    });

    it('ends before the second showing begins if it ends in the first', async () => {
      await booked('2027-11-07', '00:55');
      await booked('2027-11-07', '01:00');
    });

    it('keeps its length when it moves from there to another day', async () => {
      await addDoctor(hospital.store, { id: 34, centerId: 30, slotMinutes: 50 });
      const { AppointmentID } = await booked('2027-11-07', '00:50', { DoctorID: 34 });
      const to = { appdate: '2027-11-09', apptime: '10:00', centerid: 30 };
      await hospital.ok('Appointment_Status_Updates', { AppointmentID: Number(AppointmentID), type: 1, ...to });
      await refused(14, '2027-11-09', '10:49', { DoctorID: 34 });
      await booked('2027-11-09', '10:50', { DoctorID: 34 });
    });

    it('reaches as far into the second showing as its minutes do', async () => {
      await addDoctor(hospital.store, { id: 34, centerId: 30, slotMinutes: 120 });
      await booked('2027-11-07', '00:30', { DoctorID: 34 });
      await refused(14, '2027-11-07', '01:25', { DoctorID: 34 });
      await booked('2027-11-07', '01:30', { DoctorID: 34 });
    });
  });
});
