import { expect } from 'chai';
import { addDoctor, BOOKING, type Given, type Hospital, openHospital } from '../support/database/hospital.ts';

/** A seat for two, so that a second patient at the same time is no conflict by itself. */
const SHARED: Given = { DoctorID: 900 };
const RAVI: Given = { Name: 'Ravi Kumar', contactnumber: '9845098450' };

describe('The identity of a patient', () => {
  let hospital: Hospital;
  beforeEach(async () => {
    hospital = await openHospital();
    await addDoctor(hospital.store, { capacity: 2 });
  });
  afterEach(() => hospital.close());

  const book = (given: Given) => hospital.book({ ...SHARED, ...given });
  const day = () => hospital.dayOf(900, '2027-01-18');
  const lastAudit = async () => (await hospital.store.read(({ audit }) => audit.page({}))).at(-1);

  for (const RegistrationNumber of [
    '0',
    '00',
    'NA',
    'n/a',
    '-',
    '.',
    'NEW',
    'NIL',
    'none',
    'null',
    'TEMP',
    'Walk-in',
  ]) {
    it(`is not determined by RegistrationNumber ${RegistrationNumber}: two patients have an appointment each`, async () => {
      const asha = await book({ RegistrationNumber });
      const ravi = await book({ RegistrationNumber, ...RAVI });
      expect(asha).to.include({ ResultCode: 0, AppointmentID: 1 });
      expect(ravi).to.include({ ResultCode: 0, AppointmentID: 2 });
      expect(asha).to.have.property('RegistrationNumber', undefined);
    });
  }

  it('is not determined by a number alone: another name and another phone mean another patient', async () => {
    await book({});
    expect(await book(RAVI)).to.include({ ResultCode: 0, AppointmentID: 2 });
  });

  it('prevents overlapping appointments in a center, for patients with the same number and name, number and phone, or name and phone', async () => {
    await hospital.book();
    const twice = (given: Given) => hospital.refused('Fetch_Details', { ...BOOKING, ...SHARED, ...given }, 17);
    await twice({ contactnumber: '9845098450' });
    await twice({ Name: 'Asha Pai-Rao' });
    await twice({ RegistrationNumber: '' });
    await twice({ RegistrationNumber: '', Name: 'DR. ASHA PAI' });
    expect(await book(RAVI)).to.include({ ResultCode: 0 });
    expect(await book({ RegistrationNumber: 'R-2', Age: '12' })).to.include({ ResultCode: 0 });
  });

  it('is determined separately in each center', async () => {
    await hospital.book();
    expect(await hospital.book({ centerid: 2, DoctorID: 201 })).to.include({ ResultCode: 0 });
  });

  describe('when the same booking is repeated', () => {
    for (const [what, given] of [
      ['with the name in capitals', { Name: 'ASHA  PAI' }],
      ['with a title in the name', { Name: 'Mrs. Asha Pai' }],
      ['without a registration number', { RegistrationNumber: 'NA' }],
    ] as const) {
      it(`identifies the existing appointment, ${what}`, async () => {
        await book({});
        expect(await book(given)).to.include({ ResultCode: 1, AppointmentID: 1, RegistrationNumber: 'R-1' });
        expect(await day()).to.have.length(1);
      });
    }

    it('stores, reports and audits a corrected name, phone, age, address and e-mail address as an update', async () => {
      await book({});
      const answer = await book({
        Name: 'Asha Pai-Rao',
        title: 'Dr.',
        Age: '35',
        area: 'Jayanagar',
        email: 'a@example.org',
      });
      expect(answer).to.include({
        ResultCode: 1,
        AppointmentID: 1,
        ResultText:
          'The patient already has this appointment; the earlier values of title, Name, Age, area and email were replaced.',
      });
      expect((await day())[0]).to.include({ Name: 'Asha Pai-Rao', title: 'Dr.', Age: '35', area: 'Jayanagar' });
      expect(await lastAudit()).to.include({ operation: 'OPAppointmentdetail' });
      const corrected = (await hospital.store.read(({ audit }) => audit.page({ appointmentId: 1 }))).at(-1);
      expect(corrected).to.include({
        operation: 'Fetch_Details',
        action: 'U',
        moveName: 'Correct',
        appointmentId: 1,
        centerId: 1,
        resultCode: 1,
      });

      await book({ Name: 'Asha Pai-Rao', contactnumber: '9845098450' });
      expect((await day())[0]?.contactnumber).to.match(/8450$/);
    });

    it('keeps what is left out, and audits no change', async () => {
      await book({});
      const answer = await book({ title: '', Age: '', area: '', email: '', Sex: '', RegistrationNumber: '' });
      expect(answer.ResultText).to.equal('The patient already has this appointment.');
      expect((await day())[0]).to.include({
        title: 'Mrs.',
        Age: '34',
        area: 'Indiranagar',
        Sex: 'F',
        RegistrationNumber: 'R-1',
      });
      const kept = (await hospital.store.read(({ audit }) => audit.page({ appointmentId: 1 }))).at(-1);
      expect(kept).to.include({ action: 'R', moveName: null });
    });

    it('uses the corrected values from then on', async () => {
      await book({ RegistrationNumber: '' });
      await book({ RegistrationNumber: 'R-9' });
      expect(await book({ RegistrationNumber: 'R-9', contactnumber: '9845098450' })).to.include({ ResultCode: 1 });
    });

    it('refuses a correction that would give the patient overlapping appointments', async () => {
      await hospital.book({ RegistrationNumber: 'R-1', contactnumber: '9845098450' });
      await book({ RegistrationNumber: '' });
      await hospital.refused('Fetch_Details', { ...BOOKING, ...SHARED }, 17);
      expect((await day())[0]).not.to.have.property('RegistrationNumber');
    });
  });

  it('counts only values that the hospital does not treat as placeholders', async () => {
    const own = await openHospital({ registrationPlaceholders: new Set(['OPD']) });
    try {
      await addDoctor(own.store, { capacity: 2 });
      expect(await own.book({ ...SHARED, RegistrationNumber: 'opd' })).to.have.property(
        'RegistrationNumber',
        undefined,
      );
      expect(
        await own.book({ DoctorID: 102, RegistrationNumber: 'NEW', Name: 'B', contactnumber: '9845098450' }),
      ).to.include({ RegistrationNumber: 'NEW' });
    } finally {
      await own.close();
    }
  });
});

describe('An AppointmentID', () => {
  let hospital: Hospital;
  beforeEach(async () => {
    hospital = await openHospital();
  });
  afterEach(() => hospital.close());

  it('belongs to its center: another center has no appointment with that number', async () => {
    const { AppointmentID } = await hospital.book();
    await hospital.refused('Appointment_Status', { AppointmentID: Number(AppointmentID), centerid: 2 }, 20);
  });

  it('is counted across all centers', async () => {
    expect(await hospital.book()).to.include({ AppointmentID: 1 });
    expect(await hospital.book({ centerid: 2, DoctorID: 201 })).to.include({ AppointmentID: 2 });
  });
});
