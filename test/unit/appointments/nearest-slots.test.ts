import { expect } from 'chai';
import { addDoctor, openHospital } from '../../support/database/hospital.ts';
import { patient } from '../../support/http/booking-parameters.ts';
import { perTest } from '../../support/prepared.ts';

describe('A refusal because of the slot', () => {
  const hospital = perTest(() => openHospital());

  const BASE = { DoctorID: 101, app_date: '2027-01-18' };
  const bookAt = (app_time: string, n: number) => hospital.book({ ...BASE, app_time, ...patient(n) });
  const refusedAt = async (app_time: string, code: number, n = 9) => {
    const { record } = await hospital.call('Fetch_Details', { ...BOOKING_OF(app_time), ...patient(n) });
    expect(record.ResultCode).to.equal(code);
    return String(record.ResultText);
  };
  const BOOKING_OF = (app_time: string) => ({
    ...BASE,
    app_time,
    title: '',
    Name: 'Ravi',
    Sex: '',
    Age: '',
    area: '',
    contactnumber: '9845012346',
    email: '',
    centerid: 1,
  });

  it('proposes the nearest free slots', async () => {
    await bookAt('10:00', 1);
    await bookAt('10:15', 2);
    expect(await refusedAt('10:10', 13)).to.equal(
      'Parameters app_date and app_time: 10:10 is not a slot of doctor 101 on Monday 18 January 2027; the nearest free slots are 09:45 and 10:30.',
    );
  });

  it('also proposes them if the slot is taken', async () => {
    await bookAt('10:15', 1);
    await bookAt('10:30', 2);
    expect(await refusedAt('10:15', 14)).to.match(
      /already booked at 2027-01-18 10:15; the nearest free slots are 10:00 and 10:45\.$/,
    );
  });

  it('proposes none during leave on that day, even if the leave ended before the requested time', async () => {
    await hospital.store.write(({ referenceTables }) => {
      const day = Date.UTC(2027, 0, 18) / 60_000;
      return referenceTables.put('doctor_leave', {
        centerId: 1,
        doctorId: 101,
        from: day + 9 * 60,
        to: day + 10 * 60 + 5,
      });
    });
    expect(await refusedAt('10:10', 13)).to.include('the nearest free slot is 10:15.');
  });

  it('treats a slot as free while one of its seats is free', async () => {
    await addDoctor(hospital.store, { capacity: 2 });
    await hospital.store.write(({ referenceTables }) =>
      referenceTables.put('opening_hours', {
        centerId: 1,
        doctorId: 900,
        weekday: 1,
        from: 600,
        to: 660,
        validFrom: null,
        validTo: null,
      }),
    );
    const at = (app_time: string, n: number) => hospital.book({ ...BASE, DoctorID: 900, app_time, ...patient(n) });
    await at('10:00', 1);
    await at('10:15', 2);
    await at('10:15', 3);
    const { record } = await hospital.call('Fetch_Details', { ...BOOKING_OF('10:15'), DoctorID: 900 });
    expect(record.ResultText).to.match(/the nearest free slots are 10:00 and 10:30\.$/);
  });

  it('says that none is free, and when the doctor is there', async () => {
    expect(await refusedAt('21:00', 13)).to.include('the nearest free slot is 19:45.');
    const { record } = await hospital.call('Fetch_Details', { ...BOOKING_OF('10:00'), app_date: '2027-01-17' });
    expect(record.ResultText).to.match(
      /no slot is free that day; the doctor's days are Mon-Sat and the hours 09:00-13:00, 17:00-20:00\.$/,
    );
  });
});
