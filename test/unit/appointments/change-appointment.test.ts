import { expect } from 'chai';
import {
  BOOKING,
  changeDoctor,
  type Given,
  MINUTE,
  openHospital,
  present,
  withHospital,
} from '../../support/database/hospital.ts';
import { patient } from '../../support/http/booking-parameters.ts';
import { perTest } from '../../support/prepared.ts';

/** 18 January 2027, 10:15 in Asia/Kolkata, the start of every appointment here. */
const START = Date.UTC(2027, 0, 18, 4, 45);

const STATUS_TEXTS = ['', 'Pending', 'Booked', 'Arrived', 'InConsultation', 'Completed', 'Cancelled', 'NoShow'];

/** The moves that lead from status 1 Pending to each status. */
const WAYS: readonly (readonly number[])[] = [[], [], [2], [3], [2, 4], [2, 5], [6], [7]];

/**
 * By type, then by earlier status (1 to 7): the later status, `=` for the same with Changed false, `-` for refused.
 * Taken from the table of moves that the service promises.
 */
const MOVES_TABLE: Readonly<Record<number, string>> = {
  1: '1 2 - - - - 2',
  2: '2 = 2 2 2 - -',
  3: '3 3 = - - - 3',
  4: '- 4 4 = - - -',
  5: '- 5 5 5 = - -',
  6: '6 6 6 - - = 6',
  7: '7 7 - - - - =',
};

describe('Appointment_Status_Updates', () => {
  const hospital = perTest(() => openHospital());
  beforeEach(() => hospital.book());

  const change = (type: number, given: Given = {}) => ({ AppointmentID: 1, type, centerid: 1, ...given });
  const changed = (type: number, given: Given = {}) => hospital.ok('Appointment_Status_Updates', change(type, given));
  const refused = (type: number, code: number, given: Given = {}) =>
    hospital.refused('Appointment_Status_Updates', change(type, given), code);
  const stateOf = (AppointmentID = 1) => hospital.ok('Appointment_Status', { AppointmentID, centerid: 1 });
  const TO_NOON = { appdate: '2027-01-18', apptime: '12:00' };

  const OTHER = patient(2);

  const LATER = { appdate: '2027-02-01', apptime: '12:00' };

  describe('by type and status', () => {
    beforeEach(async () => {
      const waiting = { centerId: 1, id: 1, status: 1, now: 0 };
      await hospital.store.write(({ appointments }) => appointments.setStatus(waiting));
      hospital.clock.now = START + 20 * MINUTE;
    });

    for (const [type, row] of Object.entries(MOVES_TABLE)) {
      for (const [index, after] of row.split(' ').entries()) {
        const before = index + 1;
        const outcome =
          after === '-'
            ? 'is refused'
            : after === '='
              ? 'changes nothing'
              : `gives ${after} ${STATUS_TEXTS[Number(after)]}`;
        it(`type ${type} from ${before} ${STATUS_TEXTS[before]} ${outcome}`, async () => {
          for (const way of WAYS[before] ?? []) await changed(way);
          const state = await stateOf();
          expect(state.Status).to.equal(before);
          hospital.clock.now += MINUTE;
          if (after === '-') {
            const { ResultText } = await refused(Number(type), 21, LATER);
            expect(ResultText).to.contain('Parameter type').and.contain(`${before} ${STATUS_TEXTS[before]}`);
            expect(await stateOf()).to.deep.equal(state);
            return;
          }
          const Status = after === '=' ? before : Number(after);
          const reached = { Status, StatusText: STATUS_TEXTS[Status] };
          expect(await changed(Number(type), LATER)).to.include({
            ...reached,
            ResultCode: 0,
            PreviousStatus: before,
            Changed: after !== '=',
          });
          expect(await stateOf()).to.include(reached);
        });
      }
    }
  });

  describe('of a booked appointment', () => {
    beforeEach(() => {
      hospital.clock.now = START - 60 * MINUTE;
    });

    it('answers every field', async () => {
      expect(present(await changed(3))).to.deep.equal({
        ResultCode: 0,
        ResultText: 'The appointment was changed.',
        AppointmentID: 1,
        type: 3,
        PreviousStatus: 2,
        Status: 3,
        StatusText: 'Arrived',
        appdate: '2027-01-18T00:00:00',
        apptime: '2027-01-18T10:15:00',
        Changed: true,
        centerid: 1,
        TokenNo: 1,
      });
    });

    it('answers a repeated move with success and Changed false', async () => {
      await changed(6);
      expect(await changed(6)).to.include({ ResultCode: 0, PreviousStatus: 6, Status: 6, Changed: false });
    });

    it('leaves UpdatedOn unchanged if nothing changes', async () => {
      const { UpdatedOn } = await stateOf();
      hospital.clock.now += 60 * MINUTE;
      await changed(2);
      expect((await stateOf()).UpdatedOn).to.equal(UpdatedOn);
      await changed(3);
      expect((await stateOf()).UpdatedOn).to.equal('2027-01-18T10:15:00');
    });

    for (const unset of ['0001-01-01T00:00:00', '1990-05-05T05:05:05', undefined]) {
      it(`ignores the unset start ${unset} in a change of status`, async () => {
        expect(await changed(3, { appdate: unset, apptime: unset })).to.include({
          Status: 3,
          apptime: '2027-01-18T10:15:00',
        });
      });
    }

    it('refuses an unknown appointment, and names the parameter', async () => {
      expect((await refused(3, 20, { AppointmentID: 77 })).ResultText).to.match(/AppointmentID.*77/);
    });

    for (const [where, centerid] of [
      ['another center', 2],
      ['no center', 9],
    ] as const) {
      it(`answers for an appointment requested for ${where} as for an unknown one`, async () => {
        const { ResultText: wrong } = await refused(3, 20, { centerid });
        const { ResultText: unknown } = await refused(3, 20, { centerid, AppointmentID: 77 });
        expect(String(wrong).replace(/\b1\b/, '77')).to.equal(unknown);
        expect((await stateOf()).Status).to.equal(2);
      });
    }

    it('may be cancelled before its day', async () => {
      hospital.clock.now = START - 30 * 24 * 60 * MINUTE;
      expect(await changed(6)).to.include({ Status: 6 });
    });

    describe('whose patient comes after a NoShow', () => {
      beforeEach(async () => {
        hospital.clock.now = START + 20 * MINUTE;
        await changed(7);
      });

      it('arrives while its slot is free, and holds it again', async () => {
        expect(await changed(3)).to.include({ PreviousStatus: 7, Status: 3, Changed: true });
        expect((await stateOf()).RescheduleCount).to.equal(0);
        await hospital.refused('Fetch_Details', { ...BOOKING, ...OTHER, app_time: '10:28' }, 14);
        await hospital.book({ ...OTHER, app_time: '10:35' });
      });

      it('is refused if another patient has taken the slot, and stays a NoShow', async () => {
        hospital.clock.now = START + 15 * MINUTE;
        await hospital.book({ ...OTHER, app_time: '10:28' });
        expect((await refused(3, 14)).ResultText).to.equal(
          'Parameter AppointmentID: doctor 102 is already booked at 2027-01-18 10:15.',
        );
        expect((await stateOf()).Status).to.equal(7);
      });

      it('is refused if the patient has taken another doctor’s slot instead', async () => {
        hospital.clock.now = START + 15 * MINUTE;
        await hospital.book({ DoctorID: 103, app_time: '10:28' });
        expect((await refused(3, 17)).ResultText).to.equal(
          'Parameter AppointmentID: the patient already has an appointment at this center at that time.',
        );
      });
    });

    it('whose patient does not come releases its slot for another patient', async () => {
      hospital.clock.now = START + 15 * MINUTE;
      await changed(7);
      await hospital.book({ ...patient(2), app_time: '10:28' });
    });
  });

  describe('with type 1 Reschedule', () => {
    it('moves the same appointment', async () => {
      expect(present(await changed(1, { appdate: '2027-01-20', apptime: '12:00' }))).to.deep.equal({
        ResultCode: 0,
        ResultText: 'The appointment was changed.',
        AppointmentID: 1,
        type: 1,
        PreviousStatus: 2,
        Status: 2,
        StatusText: 'Booked',
        appdate: '2027-01-20T00:00:00',
        apptime: '2027-01-20T12:00:00',
        Changed: true,
        centerid: 1,
        TokenNo: 1,
      });
      expect(await stateOf()).to.include({ AppointmentID: 1, apptime: '2027-01-20T12:00:00' });
    });

    it('disappears from the old day and appears in the new one', async () => {
      await changed(1, { appdate: '2027-01-20', apptime: '12:00' });
      expect(await hospital.dayOf(102, '2027-01-18')).to.deep.equal([]);
      expect(await hospital.dayOf(102, '2027-01-20')).to.have.length(1);
    });

    it('frees the old slot and takes the new one', async () => {
      await changed(1, TO_NOON);
      await hospital.book(patient(2));
      await refusedBooking({ ...patient(3), app_time: '12:00' });
    });

    const refusedBooking = (given: Given) => hospital.refused('Fetch_Details', { ...BOOKING, Name: 'B', ...given }, 14);

    it('counts in RescheduleCount', async () => {
      expect((await stateOf()).RescheduleCount).to.equal(0);
      await changed(1, TO_NOON);
      await changed(1, { ...TO_NOON, apptime: '13:00' });
      expect((await stateOf()).RescheduleCount).to.equal(2);
    });

    it('changes and counts nothing if the time stays the same', async () => {
      expect(await changed(1, { appdate: '2027-01-18', apptime: '10:15' })).to.include({ Changed: false, Status: 2 });
      expect((await stateOf()).RescheduleCount).to.equal(0);
    });

    it('changes nothing if sent again', async () => {
      await changed(1, TO_NOON);
      expect(await changed(1, TO_NOON)).to.include({ ResultCode: 0, Changed: false });
      expect((await stateOf()).RescheduleCount).to.equal(1);
    });

    it('changes nothing if sent again after that time has passed', async () => {
      await changed(1, TO_NOON);
      hospital.clock.now = START + 48 * 60 * MINUTE;
      expect(await changed(1, TO_NOON)).to.include({ ResultCode: 0, Changed: false });
    });

    it('may overlap its own old slot', async () => {
      expect(await changed(1, { appdate: '2027-01-18', apptime: '10:20' })).to.include({ Changed: true });
    });

    it('keeps its token within the day and gets the next one on another day', async () => {
      await hospital.book({ ...patient(2), app_time: '12:00' });
      await changed(1, { appdate: '2027-01-18', apptime: '13:00' });
      expect((await hospital.dayOf(102, '2027-01-18')).map(({ TokenNo }) => TokenNo)).to.deep.equal([2, 1]);
      await hospital.book({ ...patient(3), app_date: '2027-01-19' });
      await changed(1, { appdate: '2027-01-19', apptime: '13:00' });
      expect((await hospital.dayOf(102, '2027-01-19')).map(({ TokenNo }) => TokenNo)).to.deep.equal([1, 2]);
    });

    it("keeps the length that it was booked with, whatever the doctor's slots are now", async () => {
      await changeDoctor(hospital.store, { slotMinutes: 30 });
      await changed(1, TO_NOON);
      await hospital.book({ ...patient(2), app_time: '12:15' });
      await changeDoctor(hospital.store, { slotMinutes: 5 });
      await changed(1, { ...TO_NOON, apptime: '13:00' });
      await refusedBooking({ ...patient(3), app_time: '13:10' });
      const starts = (await hospital.dayOf(102, '2027-01-18')).map(({ apptime }) => String(apptime).slice(11, 16));
      expect(starts).to.deep.equal(['12:15', '13:00']);
    });

    it('interprets the time in the time zone of the center', async () => {
      const record = await changed(1, { appdate: '2027-01-19T20:00:00Z', apptime: '2027-01-19T04:30:00Z' });
      expect(record.apptime).to.equal('2027-01-20T10:00:00');
    });

    it('changes a NoShow back to Booked', async () => {
      hospital.clock.now = START + 15 * MINUTE;
      await changed(7);
      expect(await changed(1, TO_NOON)).to.include({ PreviousStatus: 7, Status: 2, Changed: true });
      await refusedBooking({ ...patient(2), app_time: '12:00' });
    });

    it('keeps an appointment waiting for confirmation', async () => {
      await withHospital({ confirmBookings: false }, async (waiting) => {
        await waiting.book();
        const moved = await waiting.ok('Appointment_Status_Updates', change(1, TO_NOON));
        expect(moved).to.include({ PreviousStatus: 1, Status: 1, StatusText: 'Pending', Changed: true });
        const again = await waiting.ok('Appointment_Status_Updates', change(1, TO_NOON));
        expect(again).to.include({ Status: 1, Changed: false });
      });
    });

    it('swaps two appointments through a free slot', async () => {
      await hospital.book({ ...patient(2), app_time: '12:00' });
      const at = (apptime: string) => ({ appdate: '2027-01-18', apptime });
      await refused(1, 14, at('12:00'));
      await changed(1, at('15:00'));
      await changed(1, { AppointmentID: 2, ...at('10:15') });
      await changed(1, at('12:00'));
      expect((await hospital.dayOf(102, '2027-01-18')).map(({ AppointmentID }) => AppointmentID)).to.deep.equal([2, 1]);
    });

    describe('when it is refused', () => {
      beforeEach(async () => {
        await hospital.book({ ...patient(2), app_time: '12:00' });
        await hospital.book({ DoctorID: 103, ...patient(1), app_time: '14:00' });
      });

      for (const [what, code, given] of [
        ['onto a slot that is taken', 14, TO_NOON],
        ['to a time when the patient sees another doctor', 17, { ...TO_NOON, apptime: '14:10' }],
        ['into the past', 15, { ...TO_NOON, appdate: '2026-11-19' }],
        ['beyond the horizon', 16, { ...TO_NOON, appdate: '2027-11-21' }],
        ["with .NET's unset date", 10, { ...TO_NOON, appdate: '0001-01-01T00:00:00' }],
        ["with .NET's unset time", 10, { ...TO_NOON, apptime: '0001-01-01T00:00:00' }],
      ] as const) {
        it(`${what}, stays where it was, and keeps its slot`, async () => {
          const before = await stateOf();
          hospital.clock.now += MINUTE;
          await refused(1, code, given);
          expect(await stateOf()).to.deep.equal(before);
          await refusedBooking({ ...patient(4), app_time: '10:20' });
        });
      }

      for (const [parameter, given] of [
        ['appdate', { apptime: '12:00' }],
        ['apptime', { appdate: '2027-01-18' }],
      ] as const) {
        it(`because ${parameter} is missing, names that parameter`, async () => {
          expect((await refused(1, 10, given)).ResultText).to.contain(`Parameter ${parameter}: a `);
        });
      }

      it("outside the doctor's hours, says what would be accepted", async () => {
        const { AppointmentID } = await hospital.book({ DoctorID: 101, ...patient(5), app_time: '09:00' });
        const given = { AppointmentID: AppointmentID as number, appdate: '2027-01-18', apptime: '14:00' };
        expect((await refused(1, 13, given)).ResultText).to.contain('12:45');
      });
    });
  });
});
