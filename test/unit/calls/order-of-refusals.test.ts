import { expect } from 'chai';
import { addDoctor, addHours, BOOKING, type Given, openHospital } from '../../support/database/hospital.ts';
import { patient } from '../../support/http/booking-parameters.ts';
import { perTest } from '../../support/prepared.ts';

/** As docs/callers/operations.md says: each step mends what the refusal before it was about. */
describe('Of several refusals, the first is', () => {
  const hospital = perTest(() => openHospital());
  beforeEach(async () => {
    await addDoctor(hospital.store, { id: 900, active: 0 });
    await addDoctor(hospital.store, { id: 901 });
    for (const doctorId of [900, 901]) await addHours(hospital.store, { doctorId, weekday: 1, from: 540, to: 660 });
  });

  /** `steps`: a ResultCode, and what is sent otherwise then, or what happens meanwhile. */
  async function follow(
    operation: string,
    wrong: Given,
    steps: readonly (readonly [Given | (() => unknown), number])[],
  ) {
    let given = wrong;
    const codes: unknown[] = [];
    for (const [mended] of steps) {
      if (typeof mended === 'function') await mended();
      else given = { ...given, ...mended };
      codes.push((await hospital.call(operation, given)).record.ResultCode);
    }
    expect(codes).to.deep.equal(steps.map(([, code]) => code));
  }

  it('of a booking: center, doctor, patient, date and time, doctor not active, past, horizon, hours, slot, patient', async () => {
    const other = await hospital.book({
      DoctorID: 901,
      ...patient(8),
      app_time: '09:30',
    });
    const own = await hospital.book({ app_time: '09:30' });
    const wrong = { ...BOOKING, centerid: 99, DoctorID: 999, Name: '12', app_date: '0001-01-01', app_time: '09:37' };
    await follow('Fetch_Details', wrong, [
      [{}, 11],
      [{ centerid: 1 }, 12],
      [{ DoctorID: 900 }, 10],
      [{ Name: BOOKING.Name }, 10],
      [{ app_date: '2026-11-16' }, 12],
      [{ DoctorID: 901 }, 15],
      [{ app_date: '2028-01-17' }, 16],
      [{ app_date: '2027-01-18', app_time: '09:37' }, 13],
      [{ app_time: '09:30' }, 14],
      [() => hospital.cancel(Number(other.AppointmentID)), 17],
      [() => hospital.cancel(Number(own.AppointmentID)), 0],
    ]);
  });

  it('of a move: type, appointment, date and time, status, then as of a booking', async () => {
    const { AppointmentID } = await hospital.book({ DoctorID: 901, app_time: '09:00' });
    const id = Number(AppointmentID);
    const status = (to: number) =>
      hospital.store.write(({ appointments }) => appointments.setStatus({ centerId: 1, id, status: to, now: 0 }));
    await status(5);
    const wrong = { AppointmentID: 77, type: 9, appdate: '0001-01-01', apptime: '09:37', centerid: 1 };
    await follow('Appointment_Status_Updates', wrong, [
      [{}, 22],
      [{ type: 1 }, 20],
      [{ AppointmentID: id }, 10],
      [{ appdate: '2026-11-16' }, 21],
      [() => Promise.all([status(2), addDoctor(hospital.store, { id: 901, active: 0 })]), 12],
      [() => addDoctor(hospital.store, { id: 901 }), 15],
      [{ appdate: '2027-01-25' }, 13],
      [{ apptime: '09:45' }, 0],
    ]);
  });

  it('of a text: number, text, mode, length, template, room', async () => {
    for (let n = 0; n < 10; n++) {
      await hospital.ok('Sent_SMS', { Mobileno: '9845067890', Message: `Text ${n}`, tempid: 0, SMSmode: 1 });
    }
    await follow('Sent_SMS', { Mobileno: '98450', Message: ' ', tempid: 7, SMSmode: 9 }, [
      [{}, 30],
      [{ Mobileno: '9845067890' }, 10],
      [{ Message: `{#var#}${'A'.repeat(800)}` }, 33],
      [{ SMSmode: 1 }, 34],
      [{ Message: 'Dear {#var#}' }, 32],
      [{ Message: 'Dear Uma' }, 31],
      [{ tempid: 0 }, 35],
    ]);
  });
});
