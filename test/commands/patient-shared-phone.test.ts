import { expect } from 'chai';
import { findPerson } from '../../src/commands/patient/find-person.ts';
import type { Store } from '../../src/store/store.ts';
import { FEEDBACK, openPatientDesk, PAST, type PatientDesk, SMS } from '../support/commands/patient-desk.ts';
import type { Given } from '../support/database/hospital.ts';

/** Feedback and messages, which identify a patient by a phone number that others may share. */
describe('tpws patient, with feedback and messages of a shared phone,', () => {
  let desk: PatientDesk;
  beforeEach(async () => {
    desk = await openPatientDesk();
  });
  afterEach(() => desk.dispose());

  const PHONE = ['--phone', '9845012345'];
  const ASHA = ['--registration', 'R-1'];
  const ARJUN = ['--registration', 'R-5'];
  const feedback = (...given: readonly Given[]) =>
    desk.inHospital(async (hospital) => {
      for (const each of given) await hospital.ok('FB_Push_Details', { ...FEEDBACK, ...each });
    });
  const bookAsha = () => desk.inHospital((hospital) => hospital.book(PAST));
  const bookFamily = () =>
    desk.inHospital(async (hospital) => {
      await hospital.book(PAST);
      await hospital.book({ ...PAST, app_time: '11:15', RegistrationNumber: 'R-5', Name: 'Arjun Rao' });
      await hospital.ok('Sent_SMS', SMS);
      await hospital.ok('FB_Push_Details', FEEDBACK);
    });
  const idsOf = (rows: readonly Given[]) => rows.map(({ id }) => id);

  describe('for inpatient numbers', () => {
    for (const ipno of ['NA', 'n/a', 'NIL', 'none', '0', '000', '-', '.', 'X', 'xxxx', 'Erased']) {
      it(`does not include ${ipno}`, async () => {
        await feedback({ ipno, moblieno: '9845033333' });
        for (const verb of ['find', 'export', 'erase']) {
          expect(await desk.refusal(verb, '--ipno', ipno)).to.equal(
            '--ipno: expected an inpatient number that identifies one patient.',
          );
        }
      });
    }

    it('reports several patients if the phones differ, until the phone is named', async () => {
      await feedback(
        { ipno: 'IP-1', moblieno: '9845011111' },
        { ipno: 'ip-1 ', moblieno: '9845022222' },
        { ipno: 'IP-1', moblieno: '' },
      );
      for (const verb of ['export', 'erase']) {
        expect(await desk.refusal(verb, '--ipno', 'IP-1')).to.equal(
          [
            'These may be several patients: they differ in phone. Give --phone for each value that is this patient’s.',
            '  feedback with a named inpatient number, phone +919845011111',
            '  feedback with a named inpatient number, phone +919845022222',
          ].join('\n'),
        );
      }
      const one = await desk.exported('--ipno', 'IP-1', '--phone', '9845011111');
      expect(idsOf(one.feedback)).to.deep.equal([1]);
      expect(one.not_included.feedback).to.equal(2);
      await desk.output('erase', '--ipno', 'IP-1', '--phone', '9845011111', '--yes');
      expect(idsOf((await desk.exported('--ipno', 'IP-1')).feedback)).to.deep.equal([2]);
    });

    it('reports somebody else if the phone differs from that of the appointments', async () => {
      await bookAsha();
      await feedback({ ipno: 'IP-1', moblieno: '9845022222' });
      expect(await desk.refusal('export', ...ASHA, '--ipno', 'IP-1')).to.match(/differ in phone/);
      const both = await desk.exported(...ASHA, '--ipno', 'IP-1', ...PHONE, '--phone', '9845022222');
      expect(idsOf(both.feedback)).to.deep.equal([1]);
    });

    it('reports several patients on one phone, until they are named', async () => {
      await bookAsha();
      await feedback({ ipno: 'IP-7' }, { ipno: 'IP-9', needsimprovementcommit: 'My mother slept badly' });
      await desk.inHospital((hospital) => hospital.ok('Sent_SMS', SMS));
      const none = await desk.exported(...ASHA);
      expect(none.feedback).to.deep.equal([]);
      expect(none.messages).to.deep.equal([]);
      expect(await desk.output('find', ...ASHA)).to.include.members([
        '  feedback:1, inpatient number IP-7, phone "9845012345": feedback with this phone has several inpatient numbers',
        '  feedback:2, inpatient number IP-9, phone "9845012345": feedback with this phone has several inpatient numbers',
        '  message:1 to +919845012345: other patients have this phone',
      ]);
      const one = await desk.exported(...ASHA, '--ipno', 'IP-7');
      expect(idsOf(one.feedback)).to.deep.equal([1]);
      expect(one.messages).to.deep.equal([]);
      const both = await desk.exported(...ASHA, '--ipno', 'IP-7', '--ipno', 'IP-9');
      expect(idsOf(both.feedback)).to.deep.equal([1, 2]);
      expect(idsOf(both.messages)).to.deep.equal([1]);
    });

    it('leaves a relative’s feedback and messages alone when the other patient is erased', async () => {
      await bookAsha();
      await feedback({ ipno: 'IP-7' }, { ipno: 'IP-9', needsimprovementcommit: 'My mother slept badly' });
      await desk.output('erase', ...ASHA, '--ipno', 'IP-7', '--yes');
      const rest = await desk.output('find', ...PHONE);
      expect(rest).to.deep.equal([
        'Nothing is stored that is clearly this patient’s.',
        'Not included, because it is not clear whose they are; --include adds one of them, --shared-phone all with the patient’s phones:',
        '  feedback:2, inpatient number IP-9, phone "9845012345": it was left out when another patient was erased',
      ]);
      expect(idsOf((await desk.exported('--ipno', 'IP-9')).feedback)).to.deep.equal([2]);
    });

    it('reports numbers with similar spelling', async () => {
      await feedback(
        { ipno: 'IP 7', moblieno: '' },
        { ipno: 'IP-007', moblieno: '9845033333' },
        { ipno: 'IP-70', moblieno: '' },
      );
      expect((await desk.output('find', '--ipno', 'IP-7')).slice(2, -1)).to.deep.equal([
        '  feedback:1, inpatient number IP 7, no phone: its inpatient number is similar',
        '  feedback:2, inpatient number IP-007, phone "9845033333": its inpatient number is similar',
      ]);
    });
  });

  describe('after one member of the family was erased', () => {
    const leftOut = [
      '  feedback:1, inpatient number IP-7, phone "9845012345": it was left out when another patient was erased',
      '  message:1 to +919845012345: it was left out when another patient was erased',
    ];

    it('does not attribute to the other one what was left out', async () => {
      await bookFamily();
      await desk.output('erase', ...ASHA, '--yes');
      const arjun = await desk.exported(...ARJUN);
      expect(idsOf(arjun.appointments)).to.deep.equal([2]);
      expect([arjun.feedback, arjun.messages]).to.deep.equal([[], []]);
      expect(await desk.output('find', ...ARJUN)).to.include.members(leftOut);
    });

    it('attributes to the other one what was added afterwards', async () => {
      await bookFamily();
      await desk.output('erase', ...ASHA, '--include', 'feedback:1', '--yes');
      await desk.inHospital((hospital) => hospital.ok('Sent_SMS', { ...SMS, Message: 'Dear Arjun Rao.' }));
      expect(idsOf((await desk.exported(...ARJUN)).messages)).to.deep.equal([2]);
    });

    it('says what is still stored, and how to erase it', async () => {
      await bookFamily();
      await desk.output('erase', ...ASHA, '--yes');
      await desk.output('erase', ...ARJUN, '--yes');
      expect((await desk.output('find', ...ASHA)).at(-1)).to.equal(
        'Erasures have left out 2 records that may be this patient’s.',
      );
      expect(await desk.output('find', ...PHONE)).to.deep.equal([
        'Nothing is stored that is clearly this patient’s.',
        'Not included, because it is not clear whose they are; --include adds one of them, --shared-phone all with the patient’s phones:',
        ...leftOut,
      ]);
      expect(await desk.refusal('export', ...PHONE)).to.match(
        /^Nothing is stored that is clearly this patient’s\.\nNot incl/,
      );
      expect((await desk.output('erase', ...PHONE, '--yes')).at(-1)).to.equal('Nothing was erased.');
      await desk.output('erase', ...PHONE, '--include', 'message:1', '--yes');
      await desk.output('erase', ...PHONE, '--shared-phone', '--yes');
      expect(await desk.output('find', ...PHONE)).to.deep.equal(['Nothing is stored under these details.']);
      expect(await desk.output('find', ...ASHA)).to.have.length(2);
      expect(await desk.everything()).not.to.match(/9845012345|Asha|Warm tea/);
    });

    it('notes once in the audit what was left out, without names', async () => {
      await bookFamily();
      await desk.output('erase', ...ASHA, '--yes');
      await desk.output('erase', ...ASHA, '--yes');
      const events = await desk.folder.store((store) =>
        store.read(({ audit }) => audit.page({ client: 'tpws patient' })),
      );
      expect(
        events.map(({ operation, action, outcome, errorCode, appointmentId, feedbackId, messageId }) => [
          operation,
          action,
          outcome,
          errorCode,
          appointmentId,
          feedbackId,
          messageId,
        ]),
      ).to.deep.equal([
        ['Erase', 'U', 0, null, 1, null, null],
        ['Erase', 'R', 4, 'LeftOut', null, 1, null],
        ['Erase', 'R', 4, 'LeftOut', null, null, 1],
      ]);
    });
  });

  it('says that an earlier phone of a corrected appointment is not stored, and accepts it if it is given', async () => {
    await desk.inHospital(async (hospital) => {
      await hospital.book(PAST);
      await hospital.ok('Sent_SMS', { ...SMS, Message: 'Your visit is at 10:15.' });
      await hospital.book({ ...PAST, contactnumber: '9845022222' });
    });
    expect((await desk.output('find', ...ASHA)).slice(1)).to.include.members([
      '0 messages, 0 of them still waiting',
      '1 appointment was corrected after booking. An earlier phone is not stored; if you know one, give both it and the present one with --phone.',
    ]);
    const both = await desk.exported(...ASHA, ...PHONE, '--phone', '9845022222');
    expect(idsOf(both.messages)).to.deep.equal([1]);
  });

  it('reports messages that name the patient and went to a phone that no appointment has', async () => {
    const texts = [
      'Dear Mrs. ASHA\nPAI, come at ten.',
      'Dear Natasha Pai.',
      'Dear Asha Paika.',
      'Dear Asha.',
      'Asha Pai',
    ];
    await desk.inHospital(async (hospital) => {
      await hospital.book(PAST);
      await hospital.book({ ...PAST, app_time: '11:15', RegistrationNumber: 'R-5', contactnumber: '9845033333' });
      for (const Message of texts) await hospital.ok('Sent_SMS', { ...SMS, Mobileno: '9845022222', Message });
      await hospital.ok('Sent_SMS', { ...SMS, Mobileno: '9845033333', Message: 'Dear Asha Pai, the other.' });
    });
    const why = 'its text contains the name of this patient, and no appointment has its phone';
    const lines = await desk.output('find', ...ASHA);
    expect(lines.filter((line) => line.startsWith('  '))).to.deep.equal([
      `  message:1 to +919845022222: ${why}`,
      `  message:5 to +919845022222: ${why}`,
    ]);
    expect((await desk.exported(...ASHA, '--shared-phone')).messages).to.deep.equal([]);
    expect(idsOf((await desk.exported(...ASHA, '--include', 'message:5')).messages)).to.deep.equal([5]);
  });

  it('shows the inpatient number of feedback that was found by its phone', async () => {
    await bookAsha();
    await feedback({});
    expect(await desk.output('find', ...ASHA)).to.include('1 feedback record with inpatient number IP-7');
  });

  describe('for a phone within other text', () => {
    const texts = ['98450 12345 / 98450 99999', '9845012345 (wife)', 'Ph: ９８４５０１２３４５ x', '೯೮೪೫೦೧೨೩೪೫ ಪತಿ'];

    it('reports it, and never includes it by itself', async () => {
      await bookAsha();
      await feedback(...texts.map((moblieno) => ({ moblieno, ipno: 'IP-7' })), { moblieno: '98450 99999 (wife)' });
      const lines = await desk.output('find', ...ASHA);
      expect(lines).to.include('0 feedback records');
      expect(lines.filter((line) => line.startsWith('  '))).to.deep.equal(
        texts.map(
          (text, index) =>
            `  feedback:${index + 1}, inpatient number IP-7, phone "${text}": its phone contains a phone of this patient among other text`,
        ),
      );
      await desk.output('erase', ...ASHA, '--yes');
      expect(await desk.everything()).to.include('(wife)');
      expect(await desk.output('find', ...PHONE)).to.include('Nothing is stored that is clearly this patient’s.');
    });

    it('exports and erases it if its record is included', async () => {
      await bookAsha();
      await feedback(...texts.map((moblieno) => ({ moblieno })));
      const included = [...ASHA, '--include', 'feedback:2'];
      expect(idsOf((await desk.exported(...included)).feedback)).to.deep.equal([2]);
      await desk.output('erase', ...included, '--yes');
      expect(await desk.everything())
        .to.match(/98450 12345 \/ /)
        .and.not.match(/\(wife\)/);
    });

    it('does not merge two patients with the same text', async () => {
      await feedback({ ipno: 'IP-1', moblieno: 'ask at desk' }, { ipno: 'IP-2', moblieno: 'ask at desk' });
      const one = await desk.exported('--ipno', 'IP-1', '--shared-phone');
      expect(idsOf(one.feedback)).to.deep.equal([1]);
      expect(one.not_included.feedback).to.equal(0);
    });
  });

  it('does not attribute messages to the patient if somebody books with the phone during the search', async () => {
    await bookAsha();
    await desk.inHospital(async (hospital) => {
      await hospital.ok('Sent_SMS', SMS);
      const { store } = hospital;
      const arjun = { ...PAST, app_time: '11:15', RegistrationNumber: 'R-5', Name: 'Arjun Rao' };
      let isBooked = false;
      const beside: Store = {
        ...store,
        read: async (work) => {
          const found = await store.read(work);
          if (!isBooked && Array.isArray(found) && found.some(({ mobile }) => mobile === '+919845012345')) {
            isBooked = true;
            await hospital.book(arjun);
          }
          return found;
        },
      };
      const search = {
        registrationKeys: new Set(['R-1']),
        phones: new Set<string>(),
        nameKeys: new Set<string>(),
        centerIds: new Set<number>(),
        sexes: new Set<string>(),
        inPatientKeys: new Set<string>(),
        included: new Set<string>(),
        sharedPhone: false,
      };
      const data = await findPerson(beside, search, { e164: (text) => text, national: (phone) => phone });
      expect(isBooked).to.equal(true);
      expect(data.messages).to.deep.equal([]);
      expect(data.unclear.messages).to.have.length(1);
    });
  });

  it('refuses to include what it does not find, or what is not a record', async () => {
    await bookAsha();
    expect(await desk.refusal('export', ...ASHA, '--include', 'feedback:9')).to.equal(
      '--include: feedback:9 is not among the records that this search finds.',
    );
    expect(await desk.refusal('export', ...ASHA, '--include', '9')).to.match(/^--include: expected a record such as /);
  });
});
