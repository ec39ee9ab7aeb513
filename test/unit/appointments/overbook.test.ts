import { expect } from 'chai';
import { addDoctor, BOOKING, type Given, MINUTE, openHospital } from '../../support/database/hospital.ts';
import { patient } from '../../support/http/booking-parameters.ts';
import { perTest } from '../../support/prepared.ts';

/** A client of the clients file with `overbook: true`. */
const DESK = { name: 'desk', overbook: true };
const WARD = { name: 'ward' };

describe('A client that may overbook', () => {
  const hospital = perTest(() => openHospital());
  beforeEach(() => addDoctor(hospital.store, { slotMinutes: 20, capacity: 2 }));

  let patients = 0;
  const bookAs = async (client: typeof DESK | typeof WARD, app_time: string, given: Given = {}) => {
    const booking = { ...BOOKING, DoctorID: 900, ...patient(++patients), app_time, ...given };
    const { record } = await hospital.call('Fetch_Details', booking, undefined, client);
    return { code: Number(record.ResultCode), id: Number(record.AppointmentID) };
  };
  const moveAs = async (client: typeof DESK | typeof WARD, AppointmentID: number, type: number, apptime = '') => {
    const given = { AppointmentID, type, appdate: '2027-01-18', apptime, centerid: 1 };
    return Number((await hospital.call('Appointment_Status_Updates', given, undefined, client)).record.ResultCode);
  };
  const stored = async (id: number) => (await hospital.store.read(({ imports }) => imports.appointments(1, [id])))[0];
  const movesOf = async (id: number) =>
    (await hospital.store.read(({ audit }) => audit.page({})))
      .filter((row) => row.appointmentId === id)
      .map((row) => row.moveName);
  /** Two by the ward, and a third by the desk. */
  const fill = async (app_time: string) => {
    const [one, two, third] = [
      await bookAs(WARD, app_time),
      await bookAs(WARD, app_time),
      await bookAs(DESK, app_time),
    ];
    expect([one.code, two.code, third.code]).to.deep.equal([0, 0, 0]);
    return { one: one.id, two: two.id, third: third.id };
  };

  it('gets a full slot, which is marked and audited, while others do not, and free slots as they do', async () => {
    const { one, third } = await fill('16:20');
    expect([(await stored(one))?.overlapping, (await stored(third))?.overlapping]).to.deep.equal([0, 1]);
    expect([await movesOf(one), await movesOf(third)]).to.deep.equal([['Book'], ['Overbook']]);
    expect((await bookAs(WARD, '16:30')).code).to.equal(14);
    expect((await bookAs(DESK, '16:30')).code).to.equal(0);
    const free = await bookAs(DESK, '17:20');
    expect((await stored(free.id))?.overlapping).to.equal(0);
  });

  it('opens no seat for others, until fewer than the capacity are left', async () => {
    const { one, third } = await fill('16:20');
    expect(await moveAs(WARD, one, 6)).to.equal(0);
    expect((await bookAs(WARD, '16:20')).code).to.equal(14);
    expect(await moveAs(WARD, third, 6)).to.equal(0);
    expect((await bookAs(WARD, '16:20')).code).to.equal(0);
  });

  it('may move an appointment into a full slot, and whoever moves it to a free one takes the mark away', async () => {
    const { third } = await fill('16:20');
    expect(await moveAs(WARD, third, 1, '18:00')).to.equal(0);
    expect((await stored(third))?.overlapping).to.equal(0);
    expect((await bookAs(WARD, '16:20')).code).to.equal(14);
    expect(await moveAs(WARD, third, 1, '16:20')).to.equal(14);
    expect(await moveAs(DESK, third, 1, '16:20')).to.equal(0);
    expect((await stored(third))?.overlapping).to.equal(1);
  });

  it('takes a late patient into a slot that others got meanwhile', async () => {
    const late = await bookAs(WARD, '16:20');
    hospital.clock.now = Date.UTC(2027, 0, 18, 10, 50) + 15 * MINUTE;
    expect(await moveAs(WARD, late.id, 7)).to.equal(0);
    hospital.clock.now -= 15 * MINUTE;
    await bookAs(WARD, '16:20');
    await bookAs(WARD, '16:20');
    expect(await moveAs(WARD, late.id, 3)).to.equal(14);
    expect(await moveAs(DESK, late.id, 3)).to.equal(0);
    expect((await stored(late.id))?.overlapping).to.equal(1);
  });

  it('gets no second appointment for a patient at that time, none in the past, and none off the hours', async () => {
    const given = patient(0);
    await bookAs(DESK, '16:20', given);
    expect((await bookAs(DESK, '16:30', given)).code).to.equal(17);
    expect((await bookAs(DESK, '16:20', { app_date: '2026-11-19' })).code).to.equal(15);
    expect((await bookAs(DESK, '08:55', { DoctorID: 101 })).code).to.equal(13);
  });
});
