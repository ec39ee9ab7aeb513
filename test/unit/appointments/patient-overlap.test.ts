import { expect } from 'chai';
import { addDoctor, BOOKING, type Given, type Hospital, openHospital } from '../../support/database/hospital.ts';

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

  for (const [RegistrationNumber, shown] of [
    ['00', undefined],
    ['n/a', undefined],
    ['-', undefined],
    ['Walk-in', 'Walk-in'],
    ['9999', '9999'],
  ] as const) {
    it(`is not determined by RegistrationNumber ${RegistrationNumber}: two patients have an appointment each`, async () => {
      const asha = await book({ RegistrationNumber });
      const ravi = await book({ RegistrationNumber, ...RAVI });
      expect(asha).to.include({ ResultCode: 0, AppointmentID: 1 });
      expect(ravi).to.include({ ResultCode: 0, AppointmentID: 2 });
      expect(asha.RegistrationNumber).to.equal(shown);
      expect((await day())[0]?.RegistrationNumber).to.equal(shown);
    });
  }

  /** In each pair, both want the same slot of a doctor with two seats. */
  const DIFFERENT: Readonly<Record<string, readonly [Given, Given]>> = {
    'a number alone: a family on one card of a health scheme': [
      { RegistrationNumber: 'CGHS-77', title: 'Mr.', Name: 'Ravi Kumar', Sex: 'M', Age: '60' },
      { RegistrationNumber: 'CGHS-77', title: 'Mrs.', Name: 'Sita Kumari', Sex: 'F', Age: '55' },
    ],
    'a name: father and son with one card and one phone': [
      { RegistrationNumber: 'CGHS-77', Name: 'Ravi Kumar', Sex: 'M', Age: '60' },
      { RegistrationNumber: 'CGHS-77', Name: 'Ravi Kumar', Sex: 'M', Age: '31' },
    ],
    'a name and a phone without a number: a couple': [
      { RegistrationNumber: '', Name: 'Kiran Rao', Sex: 'M', Age: '' },
      { RegistrationNumber: '', Name: 'Kiran Rao', Sex: 'F', Age: '' },
    ],
    'a name and a phone, with another number': [{}, { RegistrationNumber: 'R-2' }],
    'a name without a number, with another phone': [{}, { RegistrationNumber: '', contactnumber: '9845098450' }],
  };
  for (const [what, [first, second]] of Object.entries(DIFFERENT)) {
    it(`is not determined by ${what}`, async () => {
      await book(first);
      const before = await day();
      expect(await book(second)).to.include({ ResultCode: 0, AppointmentID: 2 });
      expect((await day())[0]).to.deep.equal(before[0]);
      await hospital.refused('Fetch_Details', { ...BOOKING, ...first }, 17);
    });
  }

  it('prevents overlapping appointments in a center, for patients with the same name and number, or name and phone', async () => {
    await hospital.book();
    const twice = (given: Given) => hospital.refused('Fetch_Details', { ...BOOKING, ...SHARED, ...given }, 17);
    await twice({ contactnumber: '9845098450', Sex: 'O', Age: '35Y' });
    await twice({ RegistrationNumber: '' });
    await twice({ RegistrationNumber: '', Name: 'DR. ASHA PAI', Age: '432M', Sex: '' });
    for (const other of [RAVI, { Sex: 'M' }, { Age: '433M' }, { Age: '31' }, { RegistrationNumber: 'R-2' }]) {
      const { AppointmentID } = await book(other);
      await hospital.cancel(Number(AppointmentID));
    }
  });

  it('is determined separately in each center', async () => {
    await hospital.book();
    expect(await hospital.book({ centerid: 2, DoctorID: 201 })).to.include({ ResultCode: 0 });
  });

  describe('when the same booking is repeated', () => {
    for (const [what, given, RegistrationNumber] of [
      ['with the name in capitals', { Name: 'ASHA  PAI' }, 'R-1'],
      ['with a title in the name', { Name: 'Mrs. Asha Pai' }, 'R-1'],
      ['without a registration number, which the answer then does not tell', { RegistrationNumber: 'NA' }, undefined],
    ] as const) {
      it(`identifies the existing appointment, ${what}`, async () => {
        await book({});
        const answer = await book(given);
        expect(answer).to.include({ ResultCode: 1, AppointmentID: 1, RegistrationNumber });
        expect(answer.ResultText).to.equal('The patient already has this appointment; its earlier details stand.');
        expect(await day()).to.have.length(1);
        expect((await day())[0]).to.include({ Name: 'Asha Pai', RegistrationNumber: 'R-1' });
      });
    }

    it('changes nothing, whatever else it says, tells nothing of what differs, and is audited as a read', async () => {
      await book({ RegistrationNumber: '', Sex: '' });
      const before = await day();
      const same = await book({ RegistrationNumber: '', Sex: '' });
      const other = {
        title: 'Dr.',
        Sex: 'F',
        Age: '35',
        area: 'Jayanagar',
        email: 'a@example.org',
        RegistrationNumber: 'R-9',
      };
      expect(await book(other)).to.deep.equal(same);
      expect(same.ResultText).to.equal('The patient already has this appointment; its earlier details stand.');
      expect(await day()).to.deep.equal(before);
      const row = (await hospital.store.read(({ audit }) => audit.page({ appointmentId: 1 }))).at(-1);
      expect(row).to.include({
        operation: 'Fetch_Details',
        action: 'R',
        moveName: null,
        corrected: null,
        resultCode: 1,
      });
    });

    it('keeps the phone of a patient whose number it knows, and tells the number only to who sent it', async () => {
      await book({});
      expect(await book({ contactnumber: '9845098450' })).to.include({ ResultCode: 1, RegistrationNumber: 'R-1' });
      expect((await day())[0]?.contactnumber).to.match(/2345$/);
      expect(await book({ RegistrationNumber: '' })).to.include({ ResultCode: 1, RegistrationNumber: undefined });
    });

    it('names none of two appointments that may both be meant, and changes neither', async () => {
      await book({ Age: '60' });
      await book({ Age: '31' });
      const before = await day();
      const refused = await hospital.refused(
        'Fetch_Details',
        { ...BOOKING, ...SHARED, Age: '', area: 'Jayanagar' },
        14,
      );
      expect(refused).not.to.have.property('AppointmentID');
      expect(await day()).to.deep.equal(before);
    });
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
