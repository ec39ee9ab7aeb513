import { expect } from 'chai';
import { addDoctor, openHospital, withHospital } from '../../support/database/hospital.ts';
import { patient } from '../../support/http/booking-parameters.ts';
import { perTest } from '../../support/prepared.ts';

describe('OPAppointmentdetail', () => {
  const hospital = perTest(() => openHospital());

  const list = (given: object = {}) =>
    hospital.ok('OPAppointmentdetail', { doctorid: 102, appdate: '2027-01-18', centerid: 1, ...given });
  const refused = (given: object, code: number) =>
    hospital.refused('OPAppointmentdetail', { doctorid: 102, appdate: '2027-01-18', centerid: 1, ...given }, code);

  it('leaves out fields that were not given', async () => {
    await hospital.book({ RegistrationNumber: '', title: '', Sex: undefined, Age: ' ', area: undefined, email: '' });
    const [row] = await hospital.dayOf(102, '2027-01-18');
    expect(row).not.to.have.any.keys('RegistrationNumber', 'title', 'Age', 'area');
    expect(row).to.include({ Sex: 'U' });
  });

  it('shows whole phone numbers if the policy says so', async () => {
    await withHospital({ showContactNumbers: true }, async (own) => {
      await own.book();
      expect((await own.dayOf(102, '2027-01-18'))[0]?.contactnumber).to.equal('+919845012345');
    });
  });

  it('never shows an e-mail address', async () => {
    await hospital.book();
    expect(JSON.stringify(await list())).not.to.contain('asha@example.org');
  });

  it('is ordered by token where many have one time, also after a move', async () => {
    await addDoctor(hospital.store, { capacity: 3 });
    for (const [index, app_date] of ['2027-01-19', '2027-01-18', '2027-01-18'].entries()) {
      await hospital.book({ DoctorID: 900, RegistrationNumber: `R-${index}`, app_date, app_time: '09:00' });
    }
    await hospital.ok('Appointment_Status_Updates', {
      ...{ AppointmentID: 1, type: 1, appdate: '2027-01-18', apptime: '09:00', centerid: 1 },
    });
    const rows = await hospital.dayOf(900, '2027-01-18');
    expect(rows.map(({ TokenNo }) => TokenNo)).to.deep.equal([1, 2, 3]);
    expect(rows.map(({ AppointmentID }) => AppointmentID)).to.deep.equal([2, 3, 1]);
  });

  it('is ordered by time, then by TokenNo', async () => {
    await addDoctor(hospital.store, { capacity: 3 });
    for (const [index, app_time] of ['12:00', '09:00', '12:00', '09:00', '10:00'].entries()) {
      await hospital.book({ DoctorID: 900, ...patient(index), app_time });
    }
    const rows = await hospital.dayOf(900, '2027-01-18');
    expect(rows.map(({ AppointmentID }) => AppointmentID)).to.deep.equal([2, 4, 5, 1, 3]);
    expect(rows.map(({ TokenNo }) => TokenNo)).to.deep.equal([2, 4, 5, 1, 3]);
  });

  it('contains appointments of every status but Cancelled', async () => {
    for (const n of [1, 2, 3, 4, 5, 6]) {
      await hospital.book({ ...patient(n), app_time: `${9 + n}:00` });
    }
    hospital.clock.now = Date.UTC(2027, 0, 18, 12);
    for (const [index, type] of [6, 7, 3, 4, 5].entries()) {
      await hospital.ok('Appointment_Status_Updates', { AppointmentID: index + 1, type, centerid: 1 });
    }
    const statuses = (await hospital.dayOf(102, '2027-01-18')).map(({ StatusText }) => StatusText);
    expect(statuses).to.deep.equal(['NoShow', 'Arrived', 'InConsultation', 'Completed', 'Booked']);
    expect((await list()).TotalCount).to.equal(5);
  });

  it('lists at most 1,000, and says how many more there are', async () => {
    await hospital.book();
    await hospital.store.write(async ({ imports }) => {
      const [first] = await imports.appointments(1, [1]);
      if (first === undefined) throw new Error('the appointment is not there');
      const rows = Array.from({ length: 1002 }, (_, n) => ({ ...first, id: n + 2, status: n < 1001 ? 7 : 6 }));
      await imports.addAppointments(rows);
    });
    const ResultText = 'The first 1000 appointments; 2 more are not listed.';
    expect(await list()).to.include({ ResultText, TotalCount: 1000 });
    expect(await hospital.dayOf(102, '2027-01-18')).to.have.length(1000);
  });

  it('contains nothing of another day, doctor or center', async () => {
    await hospital.book();
    await hospital.book({ ...patient(2), app_date: '2027-01-19' });
    await hospital.book({ ...patient(3), DoctorID: 103 });
    await hospital.book({ ...patient(4), DoctorID: 201, centerid: 2 });
    expect(await hospital.dayOf(102, '2027-01-18')).to.have.length(1);
  });

  it('contains the first and the last minute of the day', async () => {
    await hospital.book({ ...patient(1), app_time: '00:00' });
    await hospital.book({ ...patient(2), app_time: '23:59' });
    await hospital.book({ ...patient(3), app_date: '2027-01-19', app_time: '00:14' });
    expect(await hospital.dayOf(102, '2027-01-18')).to.have.length(2);
  });

  it('interprets the day in the time zone of the center', async () => {
    await hospital.book();
    expect((await list({ appdate: '2027-01-17T20:00:00Z' })).TotalCount).to.equal(1);
    expect((await list({ appdate: '2027-01-18T20:00:00Z' })).TotalCount).to.equal(0);
  });

  it('lists days in the past', async () => {
    await hospital.book();
    hospital.clock.now = Date.UTC(2027, 5, 1);
    expect((await list()).TotalCount).to.equal(1);
  });

  it('refuses an unknown center and an unknown doctor, and names the parameter', async () => {
    expect((await refused({ centerid: 9 }, 11)).ResultText).to.match(/centerid.*9/);
    expect((await refused({ doctorid: 999 }, 12)).ResultText).to.match(/doctorid.*999/);
    expect((await refused({ doctorid: 201 }, 12)).ResultText).to.match(/doctorid.*201/);
  });

  for (const appdate of ['0001-01-01T00:00:00', '10:15', undefined]) {
    it(`refuses appdate ${appdate}, and names the parameter`, async () => {
      expect((await refused({ appdate }, 10)).ResultText).to.contain('appdate');
    });
  }
});
