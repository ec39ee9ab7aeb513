import { expect } from 'chai';
import {
  addCenter,
  addDoctor,
  addHours,
  BOOKING,
  type Given,
  HOUR,
  MINUTE,
  openHospital,
  present,
  withHospital,
} from '../../support/database/hospital.ts';
import { patient } from '../../support/http/booking-parameters.ts';
import { perTest } from '../../support/prepared.ts';

/** Friday 20 November 2026, 08:30 in Asia/Kolkata. */
const NOW = Date.UTC(2026, 10, 20, 3, 0);

/** 18 January 2027, 08:00 in Asia/Kolkata: the morning of the day of the booking. */
const MORNING = Date.UTC(2027, 0, 18, 2, 30);

describe('Fetch_Details', () => {
  const hospital = perTest(() => openHospital());

  const refused = (given: object, code: number) => hospital.refused('Fetch_Details', { ...BOOKING, ...given }, code);
  const dayOf = (doctorId = 102) => hospital.dayOf(doctorId, '2027-01-18');

  describe('the answer', () => {
    for (const RegistrationNumber of [undefined, '', '  ']) {
      it(`leaves out a registration number given as ${JSON.stringify(RegistrationNumber)}`, async () => {
        expect(present(await hospital.book({ RegistrationNumber }))).not.to.have.property('RegistrationNumber');
      });
    }
  });

  describe('the date and the time', () => {
    for (const [what, given, start] of [
      [
        'joins the date of one with the time of the other',
        { app_date: '2027-01-18T23:59:59', app_time: '1999-12-31T10:15:00' },
        '2027-01-18T10:15:00',
      ],
      [
        'accepts a date without a time and a time without a date',
        { app_date: '2027-01-18', app_time: '10:15' },
        '2027-01-18T10:15:00',
      ],
      ['converts a date in UTC to the day in Kolkata', { app_date: '2027-01-17T20:00:00Z' }, '2027-01-18T10:15:00'],
      [
        'converts a time with an offset to the time in Kolkata',
        { app_time: '2027-01-18T00:15:00+14:00' },
        '2027-01-18T15:45:00',
      ],
      ['accepts 29 February in a leap year', { app_date: '2028-02-29' }, '2028-02-29T10:15:00'],
      ['accepts midnight', { app_time: '00:00' }, '2027-01-18T00:00:00'],
    ] as const) {
      it(what, async () => {
        hospital.clock.now = Date.UTC(2027, 0, 10);
        if (start.startsWith('2028')) hospital.clock.now = Date.UTC(2028, 0, 10);
        const record = await hospital.book(given);
        expect(record.app_time).to.equal(start);
        expect(record.app_date).to.equal(`${start.slice(0, 10)}T00:00:00`);
      });
    }

    for (const unset of ['0001-01-01T00:00:00', '0001-01-01T00:00:00Z', undefined]) {
      it(`refuses app_date ${unset}, and names the parameter`, async () => {
        expect((await refused({ app_date: unset }, 10)).ResultText).to.contain('app_date');
      });

      it(`refuses app_time ${unset}, and names the parameter`, async () => {
        expect((await refused({ app_time: unset }, 10)).ResultText).to.contain('app_time');
      });
    }

    it('uses the time zone of the center', async () => {
      await addCenter(hospital.store, 3, 'America/New_York');
      await addDoctor(hospital.store, { centerId: 3 });
      const start = { app_date: '2027-01-18T03:00:00Z', app_time: '2027-01-18T15:00:00Z' };
      const record = await hospital.book({ DoctorID: 900, centerid: 3, ...start });
      expect(record.app_time).to.equal('2027-01-17T10:00:00');
    });
  });

  describe("the doctor's hours", () => {
    for (const [what, app_date, app_time] of [
      ['off the grid', '2027-01-18', '10:20'],
      ['at closing', '2027-01-18', '13:00'],
      ['on a Sunday that is still Saturday in UTC', '2027-01-16T19:00:00Z', '10:15'],
    ] as const) {
      it(`exclude a start ${what}`, () => refused({ DoctorID: 101, app_date, app_time }, 13));
    }

    describe('with leave', () => {
      beforeEach(() =>
        hospital.store.write(({ referenceTables }) => {
          // 18 January 2027, 10:00 to 11:00.
          const ten = (Date.UTC(2027, 0, 18, 10) - Date.UTC(1970, 0, 1)) / MINUTE;
          return referenceTables.put('doctor_leave', { centerId: 1, doctorId: 101, from: ten, to: ten + 60 });
        }),
      );

      for (const app_time of ['10:00', '10:45']) {
        it(`exclude ${app_time}, which is during the leave`, async () => {
          expect((await refused({ DoctorID: 101, app_time }, 13)).ResultText).to.contain('leave');
        });
      }

      for (const app_time of ['09:45', '11:00']) {
        it(`include ${app_time}, which is adjacent to the leave`, () => hospital.book({ DoctorID: 101, app_time }));
      }
    });
  });

  describe('past and future', () => {
    const at = (app_date: string, app_time: string) => ({ app_date, app_time });

    it('books a slot of 15 minutes until it ends', async () => {
      hospital.clock.now = NOW + MINUTE - 1;
      await hospital.book(at('2026-11-20', '08:16'));
    });

    it('refuses a slot that has ended', () => refused(at('2026-11-20', '08:15'), 15));

    it('books a start on the day that is 365 days ahead, at any time', () => hospital.book(at('2027-11-20', '23:45')));

    it('refuses a start on the following day', () => refused(at('2027-11-21', '00:00'), 16));
  });

  describe('center and doctor', () => {
    it('refuses an unknown center, and names the parameter', async () => {
      expect((await refused({ centerid: 9 }, 11)).ResultText).to.match(/centerid.*9/);
    });

    it('refuses an unknown doctor, and names the parameter', async () => {
      expect((await refused({ DoctorID: 999 }, 12)).ResultText).to.match(/DoctorID.*999/);
    });

    it('refuses a doctor of another center with the same message', async () => {
      const other = await refused({ DoctorID: 201 }, 12);
      const unknown = await refused({ DoctorID: 999 }, 12);
      expect(String(other.ResultText).replace('201', '999')).to.equal(unknown.ResultText);
    });
  });

  describe('the patient', () => {
    for (const [parameter, value] of [
      ['Name', ''],
      ['Name', '   '],
      ['Name', undefined],
      ['contactnumber', '12345'],
    ] as const) {
      it(`is refused with ${parameter} ${JSON.stringify(value)}, and the parameter is named`, async () => {
        const { record, parameter: named } = await hospital.call('Fetch_Details', { ...BOOKING, [parameter]: value });
        expect(record.ResultCode).to.equal(10);
        expect(record.ResultText).to.contain(parameter);
        expect(named).to.equal(parameter);
      });
    }

    for (const parameter of ['title', 'Sex', 'Age', 'area', 'email']) {
      it(`is booked without ${parameter}`, async () => {
        await hospital.book({ [parameter]: undefined });
        await hospital.book({ [parameter]: '', app_time: '12:15' });
      });
    }

    it('may have a phone that cannot receive text messages', () => hospital.book({ contactnumber: '080 2345 6789' }));

    it('is stored as given, with sex and phone normalized', async () => {
      const given = { Name: ' आशा <Pai> & Söhne 😀', Age: '2Y 6M' };
      await withHospital({ showContactNumbers: true }, async (own) => {
        await own.book({ ...given, Sex: 'transgender', contactnumber: '098450 12345' });
        const [row] = await own.dayOf(102, '2027-01-18');
        expect(row).to.include({ ...given, Sex: 'O', contactnumber: '+919845012345' });
      });
    });
  });

  describe('a slot that is taken', () => {
    beforeEach(() => hospital.book());

    it('is refused to another patient', async () => {
      expect((await refused(patient(2), 14)).ResultText).to.match(/102.*2027-01-18 10:15/);
    });

    it('is refused even if it overlaps by only a minute', async () => {
      await refused({ ...patient(2), app_time: '10:01' }, 14);
      await refused({ ...patient(2), app_time: '10:29' }, 14);
    });

    it('leaves the minutes before and after free', async () => {
      await hospital.book({ ...patient(2), app_time: '10:00' });
      await hospital.book({ ...patient(3), app_time: '10:30' });
    });

    for (const type of [6, 5]) {
      it(`is free again after type ${type}`, async () => {
        hospital.clock.now = MORNING;
        await hospital.ok('Appointment_Status_Updates', { AppointmentID: 1, type, centerid: 1 });
        expect(await hospital.book(patient(2))).to.include({ ResultCode: 0, AppointmentID: 2 });
      });
    }

    for (const type of [3, 4]) {
      it(`stays taken after type ${type}`, async () => {
        hospital.clock.now = MORNING;
        await hospital.ok('Appointment_Status_Updates', { AppointmentID: 1, type, centerid: 1 });
        await refused(patient(2), 14);
      });
    }

    it('that was cancelled can be booked again by the same patient, as a new appointment', async () => {
      await hospital.cancel(1);
      expect(await hospital.book()).to.include({ ResultCode: 0, AppointmentID: 2 });
    });
  });

  describe('a doctor of capacity 3', () => {
    beforeEach(() => addDoctor(hospital.store, { capacity: 3 }));

    it('accepts three patients at the same time, and refuses the fourth', async () => {
      for (const n of [1, 2, 3]) await hospital.book({ DoctorID: 900, ...patient(n) });
      await refused({ DoctorID: 900, ...patient(4) }, 14);
      expect(await dayOf(900)).to.have.length(3);
    });

    it('accepts exactly three of ten at the same moment', async () => {
      const codes = await Promise.all(
        Array.from({ length: 10 }, async (_, n) => {
          const given = { ...BOOKING, DoctorID: 900, ...patient(n) };
          return (await hospital.call('Fetch_Details', given)).record.ResultCode as number;
        }),
      );
      expect(codes.toSorted((a, b) => a - b)).to.deep.equal([0, 0, 0, 14, 14, 14, 14, 14, 14, 14]);
    });
  });

  it("has slots of the doctor's length", async () => {
    await addDoctor(hospital.store, { slotMinutes: 60 });
    await hospital.book({ DoctorID: 900 });
    await refused({ DoctorID: 900, ...patient(2), app_time: '11:14' }, 14);
    await hospital.book({ DoctorID: 900, ...patient(2), app_time: '11:15' });
  });

  it('is refused, and not a duplicate, if the patient has an appointment with the doctor that only overlaps', async () => {
    await addDoctor(hospital.store);
    await hospital.book({ DoctorID: 900 });
    await refused({ DoctorID: 900, app_time: '10:05' }, 14);
    await refused({ DoctorID: 900, app_time: '10:25' }, 14);
  });

  describe('a patient with an appointment at that time', () => {
    beforeEach(() => hospital.book());

    for (const app_time of ['10:15', '10:01', '10:29']) {
      it(`is refused with another doctor at ${app_time}`, async () => {
        expect((await refused({ DoctorID: 103, app_time }, 17)).ResultText).to.contain('app_date and app_time');
      });
    }

    for (const app_time of ['10:00', '10:30']) {
      it(`is booked with another doctor at ${app_time}`, () => hospital.book({ DoctorID: 103, app_time }));
    }

    it('is booked once the first appointment is cancelled', async () => {
      await hospital.cancel(1);
      await hospital.book({ DoctorID: 103 });
    });

    it('uses up no token if refused', async () => {
      await refused({ DoctorID: 103 }, 17);
      expect(await hospital.book({ DoctorID: 103, app_time: '11:00' })).to.include({ TokenNo: 1 });
    });
  });

  describe('a booking sent again', () => {
    it('returns the existing appointment, with ResultCode 1', async () => {
      const { ResultCode: _, ResultText: __, ...first } = present(await hospital.book());
      const { ResultCode, ResultText, ...again } = present(await hospital.book());
      expect(again).to.deep.equal(first);
      expect(ResultCode).to.equal(1);
      expect(ResultText).to.equal('The patient already has this appointment; its earlier details stand.');
    });

    it('is recognized after the start has passed', async () => {
      await hospital.book();
      hospital.clock.now = Date.UTC(2027, 0, 18, 4, 45) + 2 * HOUR;
      expect(await hospital.book()).to.include({ ResultCode: 1, AppointmentID: 1 });
    });

    it('is recognized by a time inside its slot, which is the current time of a kiosk, but not before that time', async () => {
      await addDoctor(hospital.store, { slotMinutes: 20 });
      await addHours(hospital.store, { doctorId: 900, weekday: 1, from: 10 * 60, to: 12 * 60 });
      const at = (app_time: string) => ({ DoctorID: 900, app_time });
      hospital.clock.now = Date.UTC(2027, 0, 18, 4, 35);
      expect(await hospital.book(at('10:05'))).to.include({ ResultCode: 0, app_time: '2027-01-18T10:00:00' });
      hospital.clock.now += 20 * MINUTE;
      expect(await hospital.book(at('10:05'))).to.include({ ResultCode: 1, app_time: '2027-01-18T10:00:00' });
      await hospital.book(at('11:00'));
      await refused(at('11:05'), 13);
    });

    it('returns the current status of the appointment', async () => {
      await hospital.book();
      hospital.clock.now = MORNING;
      await hospital.ok('Appointment_Status_Updates', { AppointmentID: 1, type: 3, centerid: 1 });
      expect(await hospital.book()).to.include({ ResultCode: 1, Status: 3, StatusText: 'Arrived' });
    });

    it('is recognized if its date is written differently', async () => {
      await hospital.book();
      expect(await hospital.book({ app_date: '2027-01-17T18:30:00Z', app_time: '2027-06-01T04:45:00Z' })).to.include({
        ResultCode: 1,
      });
    });

    it('makes one appointment if sent fifty times at the same moment', async () => {
      const records = await Promise.all(Array.from({ length: 50 }, () => hospital.book()));
      expect(records.filter(({ ResultCode }) => ResultCode === 0)).to.have.length(1);
      expect(records.filter(({ ResultCode }) => ResultCode === 1)).to.have.length(49);
      expect(new Set(records.map(({ AppointmentID }) => AppointmentID))).to.deep.equal(new Set([1]));
    });
  });

  describe('TokenNo', () => {
    const token = async (given: Given) => (await hospital.book(given)).TokenNo;

    it('counts the bookings per doctor and day, in the order of booking', async () => {
      expect(await token({ ...patient(1), app_time: '12:00' })).to.equal(1);
      expect(await token({ ...patient(2), app_time: '09:00' })).to.equal(2);
      expect(await token({ ...patient(3), app_time: '10:00' })).to.equal(3);
    });

    it('starts again for each doctor and each day', async () => {
      expect(await token(patient(1))).to.equal(1);
      expect(await token({ ...patient(2), DoctorID: 103 })).to.equal(1);
      expect(await token({ ...patient(3), app_date: '2027-01-19' })).to.equal(1);
      expect(await token({ ...patient(4), DoctorID: 201, centerid: 2 })).to.equal(1);
    });

    it('is not reused after a cancellation', async () => {
      await token(patient(1));
      await hospital.cancel(1);
      expect(await token(patient(2))).to.equal(2);
      await hospital.cancel(2);
      expect(await token(patient(3))).to.equal(3);
    });

    it('is not reused after the last appointment moved to another day', async () => {
      await token(patient(1));
      const move = { AppointmentID: 1, type: 1, appdate: '2027-01-19', apptime: '10:15', centerid: 1 };
      await hospital.ok('Appointment_Status_Updates', move);
      expect(await token(patient(2))).to.equal(2);
      expect(await token({ ...patient(3), app_date: '2027-01-19', app_time: '12:00' })).to.equal(2);
    });

    it('is not used up by a refusal', async () => {
      await token(patient(1));
      await refused(patient(2), 14);
      expect(await token({ ...patient(2), app_time: '12:00' })).to.equal(2);
    });
  });
});
