import { expect } from 'chai';
import { type Hospital, MINUTE, openHospital } from './hospital.ts';

describe('The history of an appointment', () => {
  let hospital: Hospital;
  beforeEach(async () => {
    hospital = await openHospital();
  });
  afterEach(() => hospital.close());

  const historyOf = (id: number) => hospital.store.read(({ history }) => history.ofAppointment(id));
  const change = (AppointmentID: number, type: number, appdate = '2027-01-18', apptime = '10:15') =>
    hospital.call('Appointment_Status_Updates', { AppointmentID, type, appdate, apptime, centerid: 1 });

  it('has a row for the booking and for each move: who, when, from and to', async () => {
    const id = Number((await hospital.book()).AppointmentID);
    const booked = hospital.clock.now;
    hospital.clock.now += MINUTE;
    await change(id, 1, '2027-01-19', '11:00');
    await change(id, 3);
    const [booking, reschedule, arrive, ...more] = await historyOf(id);
    const who = { transport: 'httpPost', correlationId: 'test' };
    expect(booking).to.include({
      moveName: 'Book',
      fromStatus: null,
      toStatus: 2,
      fromStart: null,
      happenedOn: booked,
      ...who,
    });
    expect(reschedule).to.include({
      moveName: 'Reschedule',
      fromStatus: 2,
      toStatus: 2,
      happenedOn: booked + MINUTE,
      ...who,
    });
    expect(reschedule?.fromStart).to.equal(booking?.toStart);
    expect(Number(reschedule?.toStart) - Number(reschedule?.fromStart)).to.equal(24 * 60 + 45);
    expect(arrive).to.include({ moveName: 'Arrive', fromStatus: 2, toStatus: 3 });
    expect(more).to.deep.equal([]);
  });

  it('has none for what changed nothing: a repeat and a refusal', async () => {
    const id = Number((await hospital.book()).AppointmentID);
    await change(id, 6);
    await change(id, 6);
    await change(id, 3);
    expect((await historyOf(id)).map(({ moveName }) => moveName)).to.deep.equal(['Book', 'Cancel']);
  });
});
