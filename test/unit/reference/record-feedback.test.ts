import { expect } from 'chai';
import { DAY, type Given, openHospital, present, withHospital } from '../../support/database/hospital.ts';
import { perTest } from '../../support/prepared.ts';

const FEEDBACK: Given = {
  ipno: 'IP-1',
  roomno: '12A',
  moblieno: '9845012345',
  dept: 'Nursing',
  needsimprovementcommit: 'The tea was cold.',
};

describe('FB_Push_Details', () => {
  const hospital = perTest(() => openHospital());

  const send = (given: Given = {}) => hospital.ok('FB_Push_Details', { ...FEEDBACK, ...given });
  const refused = (given: Given) => hospital.refused('FB_Push_Details', given, 10);

  it('returns ReceivedOn in the time zone of the hospital', () =>
    withHospital({ timeZone: 'America/New_York' }, async (own) => {
      expect((await own.ok('FB_Push_Details', FEEDBACK)).ReceivedOn).to.equal('2026-11-19T22:00:00');
    }));

  for (const ipno of ['', ' ', undefined]) {
    it(`refuses ipno ${JSON.stringify(ipno)}, and names the parameter`, async () => {
      expect((await refused({ ...FEEDBACK, ipno })).ResultText).to.contain('ipno');
    });
  }

  it('refuses an ipno without anything else, and names what would be enough', async () => {
    for (const given of [
      { ipno: 'IP-1' },
      { ipno: 'IP-1', roomno: '', moblieno: ' ', dept: '', needsimprovementcommit: '' },
    ]) {
      expect((await refused(given)).ResultText).to.contain('roomno, moblieno, dept and needsimprovementcommit');
    }
  });

  for (const name of ['roomno', 'moblieno', 'dept', 'needsimprovementcommit'] as const) {
    it(`accepts ipno with ${name} alone`, async () => {
      const { FeedbackID } = await hospital.ok('FB_Push_Details', { ipno: 'IP-1', [name]: FEEDBACK[name] });
      expect(FeedbackID).to.equal(1);
    });
  }

  describe('repeated', () => {
    it('is the same feedback for 24 hours', async () => {
      await send();
      hospital.clock.now += DAY - 1;
      expect(present(await send())).to.deep.equal({
        ResultCode: 1,
        ResultText: 'The same feedback was received earlier.',
        FeedbackID: 1,
        ReceivedOn: '2026-11-20T08:30:00',
      });
    });

    it('is new feedback after 24 hours', async () => {
      await send();
      hospital.clock.now += DAY;
      expect(await send()).to.include({ ResultCode: 0, FeedbackID: 2 });
    });

    it('counts the 24 hours from the first call, not from the last', async () => {
      await send();
      hospital.clock.now += DAY - 1;
      await send();
      hospital.clock.now += 1;
      expect(await send()).to.include({ ResultCode: 0, FeedbackID: 2 });
    });

    for (const given of [
      { roomno: '' },
      { roomno: '14' },
      { moblieno: '9845012346' },
      { ipno: 'IP-2' },
      { dept: 'Kitchen' },
      { dept: '' },
      { needsimprovementcommit: 'Warm.' },
    ]) {
      it(`is new feedback with ${JSON.stringify(given)}`, async () => {
        await send();
        expect(await send(given)).to.include({ ResultCode: 0, FeedbackID: 2 });
      });
    }

    for (const given of [FEEDBACK, { ...FEEDBACK, dept: undefined, needsimprovementcommit: undefined }]) {
      it(`is new feedback for another client, which learns nothing about the first, ${given.dept ?? 'without department'}`, async () => {
        const sentBy = async (name: string) =>
          (await hospital.call('FB_Push_Details', given, undefined, { name, centers: new Set([1]) })).record;
        expect(await sentBy('ward')).to.include({ ResultCode: 0, FeedbackID: 1 });
        expect(await sentBy('kiosk')).to.include({ ResultCode: 0, FeedbackID: 2 });
        expect(await sentBy('ward')).to.include({ ResultCode: 1, FeedbackID: 1 });
        expect(await sentBy('kiosk')).to.include({ ResultCode: 1, FeedbackID: 2 });
      });
    }

    it('is the same feedback if dept and text are absent both times', async () => {
      const given = { dept: undefined, needsimprovementcommit: '' };
      await send(given);
      expect(await send(given)).to.include({ ResultCode: 1, FeedbackID: 1 });
    });

    it('is new feedback if dept and text are absent, and the room or phone differs', async () => {
      const given = { dept: undefined, needsimprovementcommit: '' };
      await send({ ...given, roomno: '12' });
      expect(await send({ ...given, roomno: '14' })).to.include({ ResultCode: 0, FeedbackID: 2 });
      const { FeedbackID } = await send({ ...given, roomno: '14', moblieno: '9845000000' });
      expect(FeedbackID).to.equal(3);
    });

    it('is the same feedback as one that was imported', async () => {
      await send();
      await hospital.store.write(async ({ imports }) => {
        const [first] = await imports.feedback([1]);
        if (first !== undefined) await imports.addFeedback([{ ...first, id: 7, inpatientNumber: 'IP-7' }]);
      });
      expect(await send({ ipno: 'IP-7' })).to.include({ ResultCode: 1, FeedbackID: 7 });
    });

    it('is stored once if sent twenty times at the same moment', async () => {
      const records = await Promise.all(Array.from({ length: 20 }, () => send()));
      expect(records.filter(({ ResultCode }) => ResultCode === 0)).to.have.length(1);
      expect(new Set(records.map(({ FeedbackID }) => FeedbackID))).to.deep.equal(new Set([1]));
    });
  });
});
