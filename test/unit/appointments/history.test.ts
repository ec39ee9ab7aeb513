import { expect } from 'chai';
import { MINUTE, openHospital } from '../../support/database/hospital.ts';
import { perTest } from '../../support/prepared.ts';

describe('The history of an appointment', () => {
  const hospital = perTest(() => openHospital());

  const historyOf = (appointmentId: number) => hospital.store.read(({ audit }) => audit.page({ appointmentId }));
  const change = (AppointmentID: number, type: number, appdate = '2027-01-18', apptime = '10:15') =>
    hospital.call('Appointment_Status_Updates', { AppointmentID, type, appdate, apptime, centerid: 1 });

  it('has a row for the booking and for each move: the caller, the time, and the old and new start', async () => {
    const id = Number((await hospital.book()).AppointmentID);
    const booked = hospital.clock.now;
    hospital.clock.now += MINUTE;
    await change(id, 1, '2027-01-19', '11:00');
    hospital.clock.now = Date.UTC(2027, 0, 19, 4, 0);
    await change(id, 3);
    const [booking, reschedule, arrive, ...more] = await historyOf(id);
    const who = { client: 'anonymous', transport: 'httpPost', correlationId: 'test', outcome: 0, doctorId: 102 };
    expect(booking).to.include({ operation: 'Fetch_Details', action: 'C', recordedOn: booked, ...who });
    expect(booking).to.include({ moveName: 'Book', fromStatus: null, toStatus: 2, fromStart: null });
    const moved = { operation: 'Appointment_Status_Updates', action: 'U', recordedOn: booked + MINUTE };
    expect(reschedule).to.include({ ...moved, ...who });
    expect(reschedule).to.include({ moveName: 'Reschedule', fromStatus: 2, toStatus: 2 });
    expect(reschedule?.fromStart).to.equal(booking?.toStart);
    expect(Number(reschedule?.toStart) - Number(reschedule?.fromStart)).to.equal(24 * 60 + 45);
    expect(arrive).to.include({ moveName: 'Arrive', fromStatus: 2, toStatus: 3 });
    expect(more).to.deep.equal([]);
  });

  it('has no row for calls without a change: a repetition and a refusal', async () => {
    const id = Number((await hospital.book()).AppointmentID);
    await change(id, 6);
    await change(id, 6);
    await change(id, 3);
    expect((await historyOf(id)).map(({ moveName, action, outcome }) => [moveName, action, outcome])).to.deep.equal([
      ['Book', 'C', 0],
      ['Cancel', 'U', 0],
      [null, 'R', 0],
      [null, 'U', 4],
    ]);
  });
});
