import { join } from 'node:path';
import { expect } from 'chai';
import { MessageStatus } from '../../src/vocabulary/messages.ts';
import { newMessage } from '../sms/new-message.ts';
import { openPatientDesk, PAST, type PatientDesk, SMS } from '../support/commands/patient-desk.ts';
import { BOOKING, type Given, MINUTE, openHospital } from '../support/database/hospital.ts';
import { expectMode } from '../support/process/on-windows.ts';
import { TEST_NOW } from '../support/process/start-service.ts';

/** Later than the clock of any database server. */
const COMING = { app_date: '2027-01-18' };
/** Asha's two phones and two centers. */
const BOTH = ['--phone', '9845012345', '--phone', '9845012399', '--center', '1', '--center', '2'];
const ASHA = ['--registration', 'R-1', ...BOTH];
const STAYS = ['--ipno', 'IP-7', '--ipno', 'IP-8'];

describe('tpws patient', () => {
  let desk: PatientDesk;
  beforeEach(async () => {
    desk = await openPatientDesk();
  });
  afterEach(() => desk.dispose());

  const book = (given: Given) => desk.inHospital((hospital) => hospital.book(given));

  /** Asha in two centers, once without a number; her feedback, the messages to her, and a stranger. */
  const fillHospital = () =>
    desk.inHospital(async (hospital) => {
      await hospital.call('Fetch_Details', { ...BOOKING, ...PAST }, 'key-book');
      await hospital.book({
        ...PAST,
        app_time: '11:15',
        RegistrationNumber: ' r-1',
        Name: 'ASHA  PAI',
        contactnumber: '9845012399',
      });
      await hospital.book({
        ...PAST,
        app_time: '12:15',
        RegistrationNumber: 'NA',
        Name: 'Asha Pai',
        contactnumber: '+91 98450 12399',
        DoctorID: 201,
        centerid: 2,
      });
      await hospital.book({
        ...PAST,
        app_time: '10:45',
        RegistrationNumber: 'R-2',
        Name: 'Ravi Shetty',
        area: 'Malleswaram',
        email: '',
        contactnumber: '9845099999',
      });
      await hospital.call(
        'FB_Push_Details',
        {
          ipno: 'IP-7',
          roomno: '12',
          moblieno: '098450 12345',
          dept: 'ENT',
          needsimprovementcommit: 'Asha says: warm tea',
        },
        'key-feedback',
      );
      await hospital.ok('FB_Push_Details', {
        ipno: 'IP-8',
        roomno: '',
        moblieno: '',
        dept: 'ENT',
        needsimprovementcommit: 'Less noise for Asha',
      });
      await hospital.ok('FB_Push_Details', {
        ipno: 'IP-9',
        roomno: '',
        moblieno: '9845099999',
        dept: 'ENT',
        needsimprovementcommit: 'All is well',
      });
      await hospital.call('Sent_SMS', SMS, 'key-sms');
      await hospital.ok('Sent_SMS', { ...SMS, Mobileno: '9845099999', Message: 'Dear Ravi Shetty.' });
    });

  describe('find', () => {
    for (const [what, ...args] of [
      ['the registration number in another spelling', '--registration', ' r-1 '],
      ['the phones in another spelling', '--phone', '0 98450-12345', '--phone', '+91 98450 12399'],
      ['all of them', '--registration', 'R-1', '--phone', '+919845012345', '--phone', '9845012399'],
    ] as const) {
      it(`finds a patient of two centers by ${what}`, async () => {
        await fillHospital();
        const lines = await desk.output('find', ...args, ...BOTH);
        expect(lines).to.deep.equal([
          'Asha Pai (F, 34), registration number R-1, +919845012345, center 1: 1 appointment',
          'ASHA  PAI (F, 34), registration number r-1, +919845012399, center 1: 1 appointment',
          'Asha Pai (F, 34), no registration number, +919845012399, center 2: 1 appointment',
          '3 appointments in 2 centers, 0 of them not over yet',
          '1 feedback record with inpatient number IP-7',
          '1 message, 1 of them still waiting',
          '3 answers kept for repeated calls',
          '5 rows of the audit trail, which name nobody',
        ]);
      });
    }

    it('searches one center only if told to, and leaves out messages to a phone that is also used elsewhere', async () => {
      await fillHospital();
      await desk.inHospital((hospital) => hospital.ok('Sent_SMS', { ...SMS, Mobileno: '9845012399' }));
      const inCenter = [
        'find',
        '--registration',
        'R-1',
        '--phone',
        '9845012345',
        '--phone',
        '9845012399',
        '--center',
        '1',
      ];
      const lines = await desk.output(...inCenter);
      expect(lines).to.include('2 appointments in 1 center, 0 of them not over yet');
      expect(lines).to.include('1 message, 1 of them still waiting');
      expect(lines).to.include('  message:3 to +919845012399: other patients have this phone');
      expect(await desk.output(...inCenter, '--shared-phone')).to.include('2 messages, 2 of them still waiting');
    });

    it('finds a patient without appointments by their feedback and messages', async () => {
      await desk.inHospital((hospital) => hospital.ok('Sent_SMS', SMS));
      expect(await desk.output('find', '--phone', '9845012345')).to.include('1 message, 1 of them still waiting');
      await fillHospital();
      expect(await desk.output('find', '--ipno', 'IP-8')).to.include('1 feedback record with inpatient number IP-8');
    });

    it('says that nothing is stored only about what it has searched', async () => {
      await fillHospital();
      const elsewhere = [
        'Nothing was found that is clearly this patient’s.',
        'Messages, most feedback and appointments without a number are found only by phone; search with --phone as well.',
      ];
      const nothing = 'Nothing is stored under these details.';
      expect(await desk.output('find', '--registration', 'R-77')).to.deep.equal(elsewhere);
      expect(await desk.output('find', '--ipno', 'IP-77')).to.deep.equal(elsewhere);
      expect(await desk.output('find', '--phone', '9845077777')).to.deep.equal([nothing]);
      expect(await desk.output('erase', '--phone', '9845077777')).to.deep.equal([nothing, 'Nothing was erased.']);
      expect(await desk.refusal('export', '--phone', '9845077777')).to.equal(nothing);
    });

    it('says what it cannot search for', async () => {
      expect(await desk.refusal('find')).to.equal('Expected --registration, --phone or --ipno.');
      expect(await desk.refusal('find', '--registration', 'n/a')).to.match(
        /^--registration: expected a number that identifies/,
      );
      expect(await desk.refusal('find', '--phone', '12')).to.match(/^--phone: expected a phone number/);
      expect(await desk.refusal('find', '--center', 'x')).to.include('Expected a whole number');
    });
  });

  describe('export', () => {
    it('writes everything that is stored about the patient, and nothing about anybody else', async () => {
      await fillHospital();
      const data = await desk.exported(...ASHA, ...STAYS);
      expect(data.appointments.map((row: Given) => [row.center_id, row.id, row.name, row.starts_at])).to.deep.equal([
        [1, 1, 'Asha Pai', '2026-10-26T10:15:00'],
        [1, 2, 'ASHA  PAI', '2026-10-26T11:15:00'],
        [2, 3, 'Asha Pai', '2026-10-26T12:15:00'],
      ]);
      expect(data.appointments[0]).to.include({
        phone: '+919845012345',
        area: 'Indiranagar',
        day: '2026-10-26',
        email: 'asha@example.org',
      });
      expect(data.appointments[0].created_on).to.match(/^2026-10-21T03:00:00/);
      expect(data.feedback.map(({ comment }: Given) => comment)).to.deep.equal([
        'Asha says: warm tea',
        'Less noise for Asha',
      ]);
      expect(data.messages.map(({ text }: Given) => text)).to.deep.equal([SMS.Message]);
      expect(data.kept_answers.map(({ key }: Given) => key)).to.have.members(['key-book', 'key-feedback', 'key-sms']);
      expect(data.kept_answers.find(({ key }: Given) => key === 'key-sms').answer).to.include({
        Mobileno: '+919845012345',
      });
      const about = data.audit_events.map((row: Given) => [
        row.Operation,
        row.AppointmentID ?? row.FeedbackID ?? row.SMSID,
      ]);
      expect(about).to.deep.equal([
        ['Fetch_Details', 1],
        ['Fetch_Details', 2],
        ['Fetch_Details', 3],
        ['FB_Push_Details', 1],
        ['FB_Push_Details', 2],
        ['Sent_SMS', 1],
      ]);
      expect(JSON.stringify(data)).not.to.match(/Ravi|9845099999|All is well/);
    });

    it('writes a file that only its owner can read', async () => {
      await fillHospital();
      expect((await desk.output('export', ...ASHA, '--out', 'asha.json'))[0]).to.equal(
        join(desk.folder.path, 'asha.json'),
      );
      expectMode(join(desk.folder.path, 'asha.json'), 0o600);
      expect(JSON.parse(desk.folder.read('asha.json')).appointments).to.have.length(3);
    });

    it('does not give a family member the data of another who has the same phone', async () => {
      await desk.inHospital(async (hospital) => {
        await hospital.book(PAST);
        await hospital.book({ ...PAST, app_time: '11:15', RegistrationNumber: 'R-5', Name: 'Arjun Rao' });
        await hospital.ok('Sent_SMS', SMS);
      });
      const phone = ['--phone', '9845012345'];
      expect(await desk.refusal('export', ...phone)).to.equal(
        [
          'These may be several patients: they differ in registration number and name. Give --registration and --name for each value that is this patient’s.',
          '  Asha Pai (F, 34), registration number R-1, +919845012345, center 1: 1 appointment',
          '  Arjun Rao (F, 34), registration number R-5, +919845012345, center 1: 1 appointment',
        ].join('\n'),
      );
      const one = await desk.exported(...phone, '--name', 'dr. arjun rao');
      expect(one.appointments.map(({ name }: Given) => name)).to.deep.equal(['Arjun Rao']);
      expect(one.messages).to.deep.equal([]);
      expect(one.not_included).to.deep.equal({ appointments: 0, feedback: 0, messages: 1 });
      const numbers = ['--registration', 'R-1', '--registration', 'R-5'];
      const both = await desk.exported(...numbers, '--name', 'Arjun Rao', '--name', 'Asha Pai');
      expect(both.appointments).to.have.length(2);
      expect(both.messages).to.have.length(1);
      expect((await desk.exported('--registration', 'R-5', '--shared-phone')).messages).to.have.length(1);
    });
  });

  describe('erase', () => {
    const erase = (...args: readonly string[]) => desk.output('erase', ...ASHA, ...STAYS, ...args);

    it('says what it would do, and does nothing without --yes', async () => {
      await fillHospital();
      const before = await desk.everything();
      expect((await erase()).at(-1)).to.equal(
        'With --yes, this erases the names, numbers and texts of these records, and cancels 1 message. Nothing was changed.',
      );
      expect(await desk.everything()).to.equal(before);
    });

    it('leaves nothing that names the person, and keeps slots, statuses, tokens and audit rows unchanged', async () => {
      await fillHospital();
      const day = () => desk.folder.store(async (store) => (await openHospital({}, store)).dayOf(102, PAST.app_date));
      const keep = ({ TokenNo, AppointmentID, Status, apptime, Sex }: Given) => [
        TokenNo,
        AppointmentID,
        Status,
        apptime,
        Sex,
      ];
      const before = (await day()).map((row) => keep(row as Given));
      expect((await erase('--yes')).at(-1)).to.match(/^Erased; 1 message was cancelled\./);
      const all = await desk.everything();
      expect(
        /asha|9845012345|9845012399|r-1|IP-7|IP-8|indiranagar|warm tea|noise|example\.org/i.exec(all)?.[0],
      ).to.equal(undefined);
      expect(all)
        .to.match(/Ravi Shetty/)
        .and.match(/All is well/)
        .and.match(/Dear Ravi Shetty/);
      const after = await day();
      expect(after.map((row) => keep(row as Given))).to.deep.equal(before);
      expect(after[0])
        .to.include({ Name: 'Erased', contactnumber: '' })
        .and.not.have.any.keys('Age', 'title', 'area', 'RegistrationNumber');
      expect(await desk.output('find', ...ASHA, ...STAYS)).to.deep.equal(['Nothing is stored under these details.']);
      expect(await erase('--yes')).to.deep.equal(['Nothing is stored under these details.', 'Nothing was erased.']);
    });

    it('writes one audit row per record, none of which names anybody', async () => {
      await fillHospital();
      await erase('--yes');
      const events = await desk.folder.store((store) =>
        store.read(({ audit }) => audit.page({ client: 'tpws patient' })),
      );
      expect(
        events.map(({ operation, action, moveName, appointmentId, feedbackId, messageId }) => [
          operation,
          action,
          moveName,
          appointmentId ?? feedbackId ?? messageId,
        ]),
      ).to.deep.equal([
        ['Erase', 'U', 'Erase', 1],
        ['Erase', 'U', 'Erase', 2],
        ['Erase', 'U', 'Erase', 3],
        ['Erase', 'U', null, 1],
        ['Erase', 'U', null, 2],
        ['Erase', 'U', null, 1],
      ]);
      expect(new Set(events.map(({ correlationId }) => correlationId))).to.deep.equal(new Set(['erasure-1']));
      expect((await desk.folder.audit('--appointment', '1', '--format', 'fhir')).output).to.have.length(2);
    });

    it('cancels messages that are waiting or being sent, and none of them can be queued again', async () => {
      await fillHospital();
      await desk.folder.store((store) =>
        store.write(async ({ messages, outbox }) => {
          await messages.insert(newMessage(TEST_NOW, { text: 'On its way', priority: 5 }));
          const claim = { holder: 'one', now: TEST_NOW, leasedUntil: TEST_NOW + MINUTE, priority: 5, limit: 1 };
          expect(await outbox.claim(claim)).to.have.length(1);
        }),
      );
      expect((await erase('--yes')).at(-1)).to.match(/^Erased; 2 messages were cancelled\./);
      const isMarked = await desk.folder.store((store) =>
        store.write(({ outbox }) =>
          outbox.mark({ kind: 'queued', id: 3, dueOn: TEST_NOW, counted: true, code: null }, 'one', TEST_NOW),
        ),
      );
      expect(isMarked).to.equal(false);
      expect((await desk.folder.outbox('list')).output[0]).to.equal('Queued 1, Rejected 2');
      const again = await desk.folder.outbox('retry', '1');
      expect(again.code).to.equal(1);
      expect(again.errors).to.deep.equal(['Message 1 was erased: its number and text are gone.']);
    });

    it('leaves no trace of a message at the gateway, even if its receipt arrives afterwards', async () => {
      await fillHospital();
      await desk.folder.store((store) =>
        store.write(async ({ messages, outbox }) => {
          await messages.insert(newMessage(TEST_NOW, { priority: 5 }));
          await outbox.claim({ holder: 'one', now: TEST_NOW, leasedUntil: TEST_NOW + MINUTE, priority: 5, limit: 1 });
          const dead = { kind: 'ended', id: 3, status: MessageStatus.Dead, code: null } as const;
          expect(await outbox.mark(dead, 'one', TEST_NOW)).to.equal(true);
        }),
      );
      await erase('--yes');
      await desk.folder.store(async (store) => {
        const receipt = {
          messageId: 3,
          reference: 'gateway-77',
          clue: undefined,
          status: 'submitted',
          code: undefined,
        } as const;
        await store.write(({ messages }) => messages.receive({ ...receipt, now: TEST_NOW }));
        expect(await store.read(({ messageList }) => messageList.show(3))).to.include({
          status: MessageStatus.Dead,
          gateway_reference: null,
        });
      });
    });

    it("prevents a call that is repeated with its Idempotency-Key from restoring the person's data", async () => {
      await fillHospital();
      await erase('--yes');
      await desk.inHospital(async (hospital) => {
        const again = await hospital.call('Fetch_Details', { ...BOOKING, ...PAST }, 'key-book').catch((error) => error);
        expect(again).to.have.property('code', 'IdempotencyKeyReused');
      });
    });

    it('refuses while an appointment is still ahead; with --also-coming, it erases and the slot stays held', async () => {
      await book(COMING);
      expect(await desk.refusal('erase', '--registration', 'R-1', '--yes')).to.equal(
        '1 appointment is not over yet: 1 of center 1. Cancel first, or add --also-coming; nothing was erased.',
      );
      expect(await desk.output('find', '--registration', 'R-1')).to.include(
        '1 appointment in 1 center, 1 of them not over yet',
      );
      await desk.output('erase', '--registration', 'R-1', '--also-coming', '--yes');
      await desk.inHospital((hospital) =>
        hospital.refused('Fetch_Details', { ...BOOKING, ...COMING, RegistrationNumber: 'R-9', Name: 'Ravi' }, 14),
      );
    });

    it('does not refuse because of a cancelled appointment, and handles two persons in the same hour', async () => {
      await desk.inHospital(async (hospital) => {
        await hospital.book(COMING);
        await hospital.ok('Appointment_Status_Updates', {
          AppointmentID: 1,
          type: 6,
          appdate: '',
          apptime: '',
          centerid: 1,
        });
        await hospital.book(PAST);
        await hospital.book({
          ...PAST,
          DoctorID: 103,
          RegistrationNumber: 'R-2',
          Name: 'Ravi',
          contactnumber: '9845099999',
        });
      });
      await desk.output('erase', '--registration', 'R-1', '--yes');
      await desk.output('erase', '--registration', 'R-2', '--yes');
      expect(await desk.everything()).not.to.match(/Asha|Ravi/);
    });

    it('erases nobody else who shares a number or a phone, and nothing if an appointment changes meanwhile', async () => {
      await book(PAST);
      await book({ ...PAST, app_time: '11:15', RegistrationNumber: 'R-5', Name: 'Arjun Rao' });
      expect(await desk.refusal('erase', '--phone', '9845012345', '--yes')).to.match(
        /^These may be several patients: /,
      );
      await desk.output('erase', '--phone', '9845012345', '--name', 'Asha Pai', '--yes');
      expect(await desk.everything())
        .to.match(/Arjun Rao/)
        .and.not.match(/Asha/);
      const changed = await desk.folder.store((store) =>
        store.write(async ({ patients }) => {
          const [row] = await patients.appointmentsOf(['R-5'], []);
          return row !== undefined && patients.eraseAppointment({ ...row, updated_on: row.updated_on - 1 }, TEST_NOW);
        }),
      );
      expect(changed).to.equal(false);
      expect(await desk.everything()).to.match(/Arjun Rao/);
    });
  });
});
