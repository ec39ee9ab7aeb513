import { expect } from 'chai';
import { openHospital } from '../../support/database/hospital.ts';
import { perTest } from '../../support/prepared.ts';

describe('Appointment_Status', () => {
  const hospital = perTest(() => openHospital());
  beforeEach(() => hospital.book());

  it("returns UpdatedOn in the center's time, to the second", async () => {
    hospital.clock.now = Date.UTC(2027, 0, 31, 18, 30, 7, 999);
    await hospital.ok('Appointment_Status_Updates', { AppointmentID: 1, type: 3, centerid: 1 });
    const { UpdatedOn } = await hospital.ok('Appointment_Status', { AppointmentID: 1, centerid: 1 });
    expect(UpdatedOn).to.equal('2027-02-01T00:00:07');
  });

  for (const centerid of [2, 9]) {
    it(`answers for an appointment requested for center ${centerid} as for an unknown one`, async () => {
      const { ResultText: wrong } = await hospital.refused('Appointment_Status', { AppointmentID: 1, centerid }, 20);
      const { ResultText: unknown } = await hospital.refused('Appointment_Status', { AppointmentID: 77, centerid }, 20);
      expect(String(wrong).replace(/\b1\b/, '77')).to.equal(unknown);
    });
  }
});
