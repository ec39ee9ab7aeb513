import { expect } from 'chai';
import type { ResultRecord } from '../../../src/contract/contract.ts';
import { addCenter, addDoctor, addHours, DAY, openHospital, present } from '../../support/database/hospital.ts';
import { perTest } from '../../support/prepared.ts';

describe('GetDoctor', () => {
  const hospital = perTest(() => openHospital());

  async function doctorsOf(centerid: number): Promise<readonly ResultRecord[]> {
    const { Doctors } = present(await hospital.ok('GetDoctor', { centerid }));
    return (Doctors as unknown as { Doctor: ResultRecord[] }).Doctor;
  }
  const doctor = async (id: number) => (await doctorsOf(1)).find(({ DoctorID }) => DoctorID === id);

  it('answers every field of a doctor', async () => {
    expect(present(await hospital.ok('GetDoctor', { centerid: 1 }))).to.include({ ResultCode: 0, ResultText: 'OK.' });
    expect(await doctor(101)).to.deep.equal({
      DoctorID: 101,
      DoctorName: 'Dr. Asha Rao',
      Department: 'Cardiology',
      Specialization: 'Interventional Cardiology',
      Qualification: 'MBBS, MD, DM',
      SlotMinutes: 15,
      OPDays: 'Mon-Sat',
      OPTimings: '09:00-13:00, 17:00-20:00',
      centerid: 1,
    });
  });

  it('leaves out OPDays and OPTimings for a doctor without opening hours', async () => {
    expect(await doctor(102)).not.to.have.any.keys('OPDays', 'OPTimings');
  });

  it('leaves out what is not known about a doctor', async () => {
    await addDoctor(hospital.store);
    expect(await doctor(900)).to.deep.equal({
      DoctorID: 900,
      DoctorName: 'Dr. Zoya Ali',
      SlotMinutes: 15,
      centerid: 1,
    });
  });

  it('is ordered by name, and doctors with the same name by id', async () => {
    await addDoctor(hospital.store, { id: 902, name: 'Dr. Asha Rao' });
    await addDoctor(hospital.store, { id: 90, name: 'Dr. Asha Rao' });
    const names = (await doctorsOf(1)).map(({ DoctorName, DoctorID }) => `${DoctorName} ${DoctorID}`);
    expect(names.slice(0, 5)).to.deep.equal([
      'Dr. Arjun Nair 108',
      'Dr. Asha Rao 90',
      'Dr. Asha Rao 101',
      'Dr. Asha Rao 902',
      'Dr. Imran Khan 104',
    ]);
  });

  it('returns an empty list for a center without doctors', async () => {
    await addCenter(hospital.store, 3, 'Asia/Kolkata');
    expect(await doctorsOf(3)).to.deep.equal([]);
  });

  it('refuses an unknown center, and names the parameter', async () => {
    expect((await hospital.refused('GetDoctor', { centerid: 9 }, 11)).ResultText).to.match(/centerid.*9/);
  });

  it('returns the same answer when it is repeated', async () => {
    expect(await doctorsOf(1)).to.deep.equal(await doctorsOf(1));
  });

  describe('after the first answer', () => {
    beforeEach(() => doctorsOf(1));

    it('includes a doctor who was added since then', async () => {
      await addDoctor(hospital.store);
      expect(await doctor(900)).to.include({ DoctorName: 'Dr. Zoya Ali' });
    });

    it('includes opening hours that were added since then', async () => {
      await addHours(hospital.store, { doctorId: 102, weekday: 7, from: 600, to: 720 });
      expect(await doctor(102)).to.include({ OPDays: 'Sun', OPTimings: '10:00-12:00' });
    });

    it('does not include a doctor whose addition failed', async () => {
      const failing = hospital.store.write(async ({ referenceTables }) => {
        await referenceTables.put('opening_hours', {
          centerId: 1,
          doctorId: 102,
          weekday: 7,
          from: 600,
          to: 720,
          validFrom: null,
          validTo: null,
        });
        throw new Error('no');
      });
      await failing.catch(() => {});
      expect(await doctor(102)).not.to.have.any.keys('OPDays');
    });
  });

  it("shows today's opening hours, in the time zone of the center", async () => {
    const hours = { doctorId: 102, weekday: 5, from: 600, to: 720, validTo: null };
    await hospital.store.write(({ referenceTables }) =>
      referenceTables.put('opening_hours', { centerId: 1, ...hours, validFrom: '2026-11-22' }),
    );
    expect(await doctor(102)).to.include({ OPDays: 'Fri', OPTimings: '10:00-12:00 from 2026-11-22' });
    // 21 November 2026, 18:29:59 and 18:30 UTC: midnight in Kolkata is between them.
    hospital.clock.now = Date.UTC(2026, 10, 21, 18, 29, 59);
    expect(await doctor(102)).to.include({ OPTimings: '10:00-12:00 from 2026-11-22' });
    hospital.clock.now = Date.UTC(2026, 10, 21, 18, 30);
    expect(await doctor(102)).to.include({ OPDays: 'Fri', OPTimings: '10:00-12:00' });
    hospital.clock.now += 3 * DAY;
    expect(await doctor(102)).to.include({ OPDays: 'Fri' });
  });
});
