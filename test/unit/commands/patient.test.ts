import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PAGE_TEXTS, patientPage, readTexts } from '../../../src/commands/patient/patient-page.ts';
import { readConfig } from '../../../src/settings/config.ts';
import type { AuditEvent } from '../../../src/store/queries/audit-queries.ts';
import type { Queries } from '../../../src/store/store.ts';
import { MessageStatus } from '../../../src/vocabulary/messages.ts';
import { FEEDBACK, openPatientDesk, PAST, SMS } from '../../support/commands/patient-desk.ts';
import { BOOKING, type Given, MINUTE } from '../../support/database/hospital.ts';
import { perTest } from '../../support/prepared.ts';
import { expectMode } from '../../support/process/on-windows.ts';
import { TEST_NOW } from '../../support/process/start-service.ts';
import { newMessage } from '../messages/new-message.ts';

/** Later than the clock of any database server. */
const COMING = { app_date: '2027-01-18' };
/** The records of Asha in `fillHospital`. */
const ASHA = ['appointment:1/1', 'appointment:1/2', 'appointment:2/3', 'feedback:1', 'feedback:2', 'message:1'];
const NOTHING = 'Nothing is stored with these values. Compared were';
const CONTACT = 'Indiranagar, asha@example.org';
/** What is shown of a booking on PAST that says nothing else. */
const at = (time: string, doctor = 102) => `(2026-10-26 ${time}, doctor ${doctor}, Booked)`;
const RAVI = { RegistrationNumber: 'R-2', Name: 'Ravi Shetty', contactnumber: '9845099999' };

const feedback = (ipno: string, needsimprovementcommit: string, moblieno = ''): Given => ({
  ...FEEDBACK,
  ipno,
  needsimprovementcommit,
  moblieno,
});

describe('tpws patient', () => {
  const desk = perTest(openPatientDesk);

  const book = (given: Given) => desk.inHospital((hospital) => hospital.book(given));

  /** Asha in two centers, once without a number; her feedback, the messages to her, and a stranger. */
  const fillHospital = () =>
    desk.inHospital(async (hospital) => {
      await hospital.call('Fetch_Details', { ...BOOKING, ...PAST }, 'key-book');
      const again = { ...PAST, RegistrationNumber: ' r-1', Name: 'ASHA  PAI', contactnumber: '9845012399' };
      await hospital.book({ ...again, app_time: '11:15' });
      const elsewhere = { ...PAST, RegistrationNumber: 'NA', contactnumber: '+91 98450 12399' };
      await hospital.book({ ...elsewhere, app_time: '12:15', DoctorID: 201, centerid: 2 });
      await hospital.book({ ...PAST, ...RAVI, app_time: '10:45', area: 'Malleswaram', email: '' });
      const warmTea = { ...feedback('IP-7', 'Asha says: warm tea', '098450 12345'), roomno: '12' };
      await hospital.call('FB_Push_Details', warmTea, 'key-feedback');
      await hospital.ok('FB_Push_Details', feedback('IP-8', 'Less noise for Asha'));
      await hospital.ok('FB_Push_Details', feedback('IP-9', 'All is well', '9845099999'));
      await hospital.call('Sent_SMS', SMS, 'key-sms');
      await hospital.ok('Sent_SMS', { ...SMS, Mobileno: '9845099999', Message: 'Dear Ravi Shetty.' });
    });

  describe('find', () => {
    it('lists all that has any of the values, a line for each patient that it may be, with the names of the records', async () => {
      await fillHospital();
      expect(await desk.output('find', '--registration', ' r-1 ', '--phone', '0 98450-12345')).to.deep.equal([
        `Asha Pai (Mrs., F, 34), registration number "R-1", +919845012345, ${CONTACT}, center 1: appointment:1/1 ${at('10:15')}`,
        `ASHA  PAI (Mrs., F, 34), registration number " r-1", +919845012399, ${CONTACT}, center 1: appointment:1/2 ${at('11:15')}`,
        'feedback with inpatient number "IP-7", phone "098450 12345": feedback:1',
        'messages to +919845012345: message:1',
      ]);
    });

    it('finds appointments without a number by phone or name, and feedback by its inpatient number', async () => {
      await fillHospital();
      const line = `Asha Pai (Mrs., F, 34), no registration number, +919845012399, ${CONTACT}, center 2: appointment:2/3 ${at('12:15', 201)}`;
      expect(await desk.output('find', '--phone', '9845012399')).to.include(line);
      expect(await desk.output('find', '--name', 'dr. asha pai')).to.include(line);
      expect(await desk.output('find', '--ipno', ' ip-8')).to.deep.equal([
        'feedback with inpatient number "IP-8", no phone: feedback:2',
      ]);
    });

    it('shows every difference in name, title, sex and age, and gathers the records without one', async () => {
      const rao: Given = { ...PAST, RegistrationNumber: 'NA', contactnumber: '9845011111' };
      await desk.inHospital(async (hospital) => {
        await hospital.book({ ...rao, app_time: '09:15', Name: 'Mr. Rao', Sex: 'M', Age: '61' });
        await hospital.book({ ...rao, app_time: '10:15', Name: 'Mrs. Rao', Sex: 'F', Age: '58' });
        await hospital.book({ ...rao, app_time: '11:15', Name: 'Mr. Rao', Sex: 'M', Age: '30' });
        await hospital.book({ ...rao, app_time: '12:15', Name: 'Mr. Rao', Sex: 'M', Age: '61' });
        await hospital.book({ ...rao, app_time: '13:15', Name: 'Rao', Sex: 'Divers', Age: '' });
      });
      const rest = `no registration number, +919845011111, ${CONTACT}, center 1`;
      expect(await desk.output('find', '--phone', '9845011111')).to.deep.equal([
        `Mr. Rao (Mrs., M, 61), ${rest}: appointment:1/1 ${at('09:15')} appointment:1/4 ${at('12:15')}`,
        `Mrs. Rao (Mrs., F, 58), ${rest}: appointment:1/2 ${at('10:15')}`,
        `Mr. Rao (Mrs., M, 30), ${rest}: appointment:1/3 ${at('11:15')}`,
        `Rao (Mrs., Divers), ${rest}: appointment:1/5 ${at('13:15')}`,
      ]);
    });

    for (const moblieno of [
      '98450 12345 (wife)',
      '080-22223333/+91 9845012345',
      '९८४५०१२३४५',
      '９８４５０ １２３４５',
    ]) {
      it(`finds feedback with the phone "${moblieno}"`, async () => {
        await desk.inHospital((hospital) => hospital.ok('FB_Push_Details', { ...FEEDBACK, moblieno }));
        expect((await desk.output('find', '--phone', '9845012345'))[0]).to.match(/: feedback:1$/);
        expect(await desk.output('find', '--phone', '9845012346')).to.deep.equal([`${NOTHING} phones +919845012346.`]);
      });
    }

    it('escapes characters that move the cursor or reverse the text, and accepts them in that form', async () => {
      await desk.inHospital((hospital) =>
        hospital.book({ ...PAST, Name: 'Ravi\u202eramuK\u0085\tX', RegistrationNumber: 'R\u200b7' }),
      );
      const line = String.raw`Ravi\u{202e}ramuK\u{85}\u{9}X (Mrs., F, 34), registration number "R\u{200b}7", +919845012345, ${CONTACT}, center 1: appointment:1/1 ${at('10:15')}`;
      expect(await desk.output('find', '--phone', '9845012345')).to.include(line);
    });

    for (const ipno of ['NA', 'n/a', 'none', '0', '000', '-', '.', 'xxxx', 'Erased']) {
      it(`does not search for the inpatient number ${ipno}, which many patients may have`, async () => {
        expect(await desk.refusal('find', '--ipno', ipno)).to.match(/^--ipno: expected an inpatient number that /);
      });
    }

    it('says what it cannot search for, and if nothing is stored', async () => {
      expect(await desk.refusal('find')).to.equal('Expected --registration, --phone, --name or --ipno.');
      expect(await desk.refusal('find', '--registration', 'n/a')).to.match(/^--registration: expected a number that /);
      expect(await desk.refusal('find', '--phone', '12')).to.match(/^--phone: expected a phone number/);
      expect(await desk.refusal('find', '--name', ' ')).to.equal('--name: expected a name.');
      expect(
        await desk.output(
          'find',
          '--registration',
          'R-77',
          '--phone',
          '55555',
          '--name',
          'Dr. García, Jose',
          '--ipno',
          '7',
        ),
      ).to.deep.equal([
        `${NOTHING} registration numbers with the letters and digits R77; phones that end in 55555; names with the parts garcia, jose, in any order, without accents, blanks and hyphens; inpatient numbers with the letters and digits 7.`,
      ]);
    });
  });

  describe('export', () => {
    it('writes everything that is stored about the patient, and nothing about anybody else', async () => {
      await fillHospital();
      const data = await desk.exported(...ASHA);
      const appointment = (row: Given) => [row.center_id, row.id, row.name, row.start_wall_minute];
      expect(data.appointments.map(appointment)).to.deep.equal([
        [1, 1, 'Asha Pai', '2026-10-26T10:15:00'],
        [1, 2, 'ASHA  PAI', '2026-10-26T11:15:00'],
        [2, 3, 'Asha Pai', '2026-10-26T12:15:00'],
      ]);
      const contact = { phone: '+919845012345', area: 'Indiranagar', email: 'asha@example.org' };
      expect(data.appointments[0]).to.include(contact);
      expect(data.appointments[0].created_on).to.match(/^2026-10-21T03:00:00/);
      const comments = data.feedback.map(({ comment }: Given) => comment);
      expect(comments).to.deep.equal(['Asha says: warm tea', 'Less noise for Asha']);
      expect(data.messages.map(({ text }: Given) => text)).to.deep.equal([SMS.Message]);
      // A key may be anything of a patient.
      expect(data.kept_answers).to.have.length(3);
      expect(JSON.stringify(data)).not.to.match(/key-(?:book|feedback|sms)/);
      expect(data.kept_answers.map(({ answer }: Given) => (answer as unknown as Given).Mobileno)).to.include(
        '+919845012345',
      );
      const idOf = (row: Given) => row.AppointmentID ?? row.FeedbackID ?? row.SMSID;
      const about = data.audit_events.map((row: Given) => [row.Operation, idOf(row)]);
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

    it('contains who saw the records in lists, and no other lists', async () => {
      await fillHospital();
      await desk.inHospital(async (hospital) => {
        await hospital.dayOf(102, PAST.app_date);
        await hospital.dayOf(103, PAST.app_date);
        await hospital.dayOf(102, '2027-01-18');
      });
      const { audit_events: events } = await desk.exported('appointment:1/1');
      const lists = events.filter((row: Given) => row.Operation === 'OPAppointmentdetail');
      expect(lists).to.have.length(1);
      // Not the appointments of others that it showed.
      expect(lists[0]).to.include({ DoctorID: 102, Day: PAST.app_date, Shown: '1/1' }).and.have.property('Client');
    });

    it('writes a file that only its owner can read', async () => {
      await fillHospital();
      const path = join(desk.folder.path, 'asha.json');
      expect((await desk.output('export', ...ASHA, '--out', 'asha.json'))[0]).to.equal(path);
      expectMode(path, 0o600);
      expect(JSON.parse(desk.folder.read('asha.json')).appointments).to.have.length(3);
    });

    it('writes a page beside it that a person reads: words, names and times with their zone, and who saw what', async () => {
      await fillHospital();
      await desk.inHospital((hospital) => hospital.dayOf(102, PAST.app_date));
      const lines = await desk.output('export', ...ASHA, '--out', 'asha.json');
      expect(lines[1]).to.equal(join(desk.folder.path, 'asha.html'));
      expectMode(join(desk.folder.path, 'asha.html'), 0o600);
      const page = desk.folder.read('asha.html');
      const has = (label: string, value: string) => expect(page).to.include(`<dt>${label}</dt><dd dir="auto">${value}`);
      has('Center', 'Bengaluru');
      has('Doctor', 'Dr.');
      has('Status', 'booked');
      has('Sex', 'female');
      has('Age', '34 years');
      has('Kind', 'about your treatment');
      has('Sent by', 'a program without a name 192.0.2.1<');
      expect(page).to.match(/<dd dir="auto">October 26, 2026 at 10:15\sAM \(Asia\/Kolkata\)<\/dd>/);
      expect(page)
        .to.include('It is deleted 90 days after that.')
        .and.include('No time is set after which it is deleted.');
      expect(page)
        .to.include('<td>saw the list of a doctor’s day</td>')
        .and.include('<td>a program without a name</td>');
      expect(page).not.to.match(/Ravi|9845099999|All is well|<dt>\w+[._]\w+<\/dt>/);
    });

    it('writes the page in Hindi, and in a language that the hospital adds', async () => {
      await fillHospital();
      await desk.output('export', ...ASHA, '--out', 'asha.json', '--language', 'hi');
      expect(desk.folder.read('asha.html'))
        .to.match(/<html lang="hi" dir="ltr">/)
        .and.match(/<dd dir="auto">34 वर्ष<\/dd>/)
        .and.match(/अक्टूबर 2026/);
      const texts = JSON.parse(readFileSync(PAGE_TEXTS, 'utf8'));
      desk.folder.write('texts.json', JSON.stringify({ kn: { title: 'ನಿಮ್ಮ ಬಗ್ಗೆ' }, hi: texts.hi }));
      const own = ['export', ...ASHA, '--out', 'kn.json', '--texts', 'texts.json', '--language'];
      await desk.output(...own, 'kn');
      expect(desk.folder.read('kn.html')).to.include('<h1>ನಿಮ್ಮ ಬಗ್ಗೆ</h1>').and.include('<dd dir="auto">34 years</dd>');
      for (const unknown of ['en', 'constructor']) {
        expect(await desk.refusal(...own, unknown)).to.equal('--language: expected kn or hi.');
      }
    });

    it('shows what callers sent on the page as text, whatever it contains', async () => {
      await book({ ...PAST, Name: 'Asha <script>alert(1)</script>', area: '"><img src=x>' });
      await desk.output('export', 'appointment:1/1', '--out', 'asha.json');
      expect(desk.folder.read('asha.html'))
        .to.include('Asha &lt;script&gt;alert(1)&lt;/script&gt;')
        .and.not.match(/<script|<img/);
    });

    it('contains the records that are named and no others, each once', async () => {
      await fillHospital();
      const data = await desk.exported('appointment:1/2', 'message:2', 'message:2');
      const ids = (rows: readonly Given[]) => rows.map(({ id }) => id);
      expect([ids(data.appointments), ids(data.feedback), ids(data.messages)]).to.deep.equal([[2], [], [2]]);
      expect(data.audit_events).to.have.length(2);
      expect(data.kept_answers).to.deep.equal([]);
    });

    it('distinguishes records of the same number in two centers', async () => {
      await fillHospital();
      const missing = 'appointment:2/1 is not stored; nothing was done.';
      expect(await desk.refusal('export', 'appointment:2/1')).to.equal(missing);
      expect((await desk.exported('appointment:2/3')).audit_events).to.have.length(1);
    });

    it('is refused for what is not stored and for what is not a record', async () => {
      await fillHospital();
      for (const verb of ['export', 'erase']) {
        for (const name of ['appointment:1/9', 'feedback:9', 'message:9']) {
          expect(await desk.refusal(verb, 'message:1', name)).to.equal(`${name} is not stored; nothing was done.`);
        }
        expect(await desk.refusal(verb, '9')).to.match(/^9: expected a record such as appointment:1\/12, /);
        expect(await desk.refusal(verb)).to.include("missing required argument 'records'");
        const many = Array.from({ length: 1001 }, (_, index) => `message:${index}`);
        expect(await desk.refusal(verb, ...many)).to.equal('Expected at most 1000 records at once.');
      }
    });
  });

  describe('erase', () => {
    const erase = (...args: readonly string[]) => desk.output('erase', ...ASHA, ...args);

    it('says what it would do, and does nothing without --yes', async () => {
      await fillHospital();
      // An audit row says who saw whose records these are.
      const stored = async () => JSON.parse(await desk.everything()).slice(0, 4);
      const before = await stored();
      expect((await erase()).at(-1)).to.equal(
        'With --yes, this erases the names, numbers and texts of these records and of 3 kept answers, and cancels messages that are still waiting. Nothing was changed.',
      );
      expect(await stored()).to.deep.equal(before);
    });

    it('leaves nothing that names the person, and keeps slots, statuses, tokens and audit rows unchanged', async () => {
      await fillHospital();
      const day = () => desk.folder.inHospital((hospital) => hospital.dayOf(102, PAST.app_date));
      const keep = (row: Given) => [row.TokenNo, row.AppointmentID, row.Status, row.apptime, row.Sex];
      const before = (await day()).map((row) => keep(row as Given));
      expect((await erase('--yes')).at(-1)).to.match(/^Erased; 1 message was cancelled\./);
      const all = await desk.everything();
      expect(all).not.to.match(/asha|9845012345|9845012399|r-1|IP-7|IP-8|indiranagar|warm tea|noise|example\.org/i);
      expect(all)
        .to.match(/Ravi Shetty/)
        .and.match(/All is well/)
        .and.match(/Dear Ravi Shetty/);
      const after = await day();
      expect(after.map((row) => keep(row as Given))).to.deep.equal(before);
      expect(after[0])
        .to.include({ Name: 'Erased', contactnumber: '' })
        .and.not.have.any.keys('Age', 'title', 'area', 'RegistrationNumber');
      for (const values of [
        ['--registration', 'R-1', '--phone', '9845012345', '--name', 'Asha Pai'],
        ['--ipno', 'IP-8'],
      ]) {
        expect((await desk.output('find', ...values))[0]).to.match(/^Nothing is stored /);
      }
      expect((await erase('--yes')).at(-1)).to.match(/^Erased; 0 messages were cancelled\./);
      expect((await day()).map((row) => keep(row as Given))).to.deep.equal(before);
    });

    it('lists feedback and messages of others whose texts hold the name or a number, and leaves them as they are', async () => {
      await fillHospital();
      await desk.inHospital(async (hospital) => {
        for (const [ipno, comment] of [
          ['IP-20', 'I met ASHA  Pai there'],
          ['IP-21', 'Call 098450-12345'],
          ['IP-22', 'Number r-1, please'],
          ['IP-23', 'Number R-12, please'],
        ] as const)
          await hospital.ok('FB_Push_Details', feedback(ipno, comment));
        await hospital.ok('Sent_SMS', { ...SMS, Mobileno: '9845099999', Message: 'Your mother Asha Pai is next.' });
      });
      const unclear = [
        'Unclear, because their texts hold the name or a number; read them, and name those about the patient:',
        '  feedback with inpatient number "IP-20", no phone: feedback:4',
        '  feedback with inpatient number "IP-21", no phone: feedback:5',
        '  feedback with inpatient number "IP-22", no phone: feedback:6',
        '  messages to +919845099999: message:3',
      ];
      const found = await desk.output('find', '--name', 'Asha Pai', '--phone', '9845012345', '--registration', 'R-1');
      expect(found.slice(found.indexOf(unclear[0] ?? ''))).to.include.members(unclear);
      expect(await erase()).to.include.members(unclear);
      expect(await erase('--yes')).to.include.members(unclear);
      expect(await desk.everything())
        .to.match(/I met ASHA/)
        .and.match(/Your mother Asha Pai/);
      await desk.output('erase', 'feedback:4', 'feedback:5', 'feedback:6', 'message:3', '--yes');
      expect(await desk.everything()).not.to.match(/Asha|98450-12345|r-1,/i);
    });

    it('writes one audit row per record, none of which names anybody', async () => {
      await fillHospital();
      await erase('--yes');
      const own = { client: 'tpws patient' };
      const events = await desk.folder.store((store) => store.read(({ audit }) => audit.page(own)));
      const idOf = (row: AuditEvent) => row.appointmentId ?? row.feedbackId ?? row.messageId;
      expect(events.map((row) => `${row.operation} ${row.action} ${row.moveName} ${idOf(row)}`)).to.deep.equal([
        ...['Erase U Erase 1', 'Erase U Erase 2', 'Erase U Erase 3'],
        ...['Erase U null 1', 'Erase U null 2', 'Erase U null 1'],
      ]);
      expect(new Set(events.map(({ correlationId }) => correlationId))).to.deep.equal(new Set(['run-1']));
    });

    it('prints the id that its audit rows share, and they have the operator and the reference', async () => {
      await fillHospital();
      const lines = await erase('--yes', '--reference', 'request 7 of 2026');
      expect(lines.at(-2)).to.equal('In the audit trail, the rows of this erasure have the CorrelationId run-1.');
      const { output } = await desk.folder.audit('--correlation', 'run-1', '--format', 'ndjson');
      expect(output).to.have.length(6);
      for (const line of output) {
        expect(JSON.parse(line)).to.include({ Operation: 'Erase', Operator: 'priya', Reference: 'request 7 of 2026' });
      }
    });

    it('cancels messages that are waiting or being sent, and none of them can be queued again', async () => {
      await fillHospital();
      await desk.folder.store((store) =>
        store.write(async ({ messages, outbox }) => {
          await messages.insert(newMessage(TEST_NOW, { text: 'On its way', priority: 1 }));
          const claim = { holder: 'one', now: TEST_NOW, leasedUntil: TEST_NOW + MINUTE, limit: 1 };
          expect(await outbox.claim(claim)).to.have.length(1);
        }),
      );
      expect((await erase('message:3', '--yes')).at(-1)).to.match(/^Erased; 2 messages were cancelled\./);
      const isRecorded = await desk.folder.store((store) =>
        store.write(({ outbox }) =>
          outbox.record({ kind: 'queued', id: 3, dueOn: TEST_NOW, usesAttempt: true, code: null }, 'one', TEST_NOW),
        ),
      );
      expect(isRecorded).to.equal(false);
      expect((await desk.folder.outbox('list')).output[0]).to.equal('Queued 1, Rejected 2');
      const again = await desk.folder.outbox('retry', '1');
      expect(again.code).to.equal(1);
      expect(again.errors).to.deep.equal(['Message 1 was erased: its number and text are gone.']);
    });

    it('leaves no trace of a message at the gateway, even if its receipt arrives afterwards', async () => {
      await fillHospital();
      await desk.folder.store((store) =>
        store.write(async ({ messages, outbox }) => {
          await messages.insert(newMessage(TEST_NOW, { priority: 1 }));
          await outbox.claim({ holder: 'one', now: TEST_NOW, leasedUntil: TEST_NOW + MINUTE, limit: 1 });
          const dead = { kind: 'ended', id: 3, status: MessageStatus.Dead, code: null } as const;
          expect(await outbox.record(dead, 'one', TEST_NOW)).to.equal(true);
        }),
      );
      await erase('message:3', '--yes');
      await desk.folder.store(async (store) => {
        const receipt = { messageId: 3, reference: 'gateway-77', status: 'submitted', code: undefined } as const;
        await store.write(({ messages }) => messages.receive(receipt, TEST_NOW));
        const row = await store.read(({ messageList }) => messageList.show({ id: 3 }));
        expect(row).to.include({ status: MessageStatus.Dead, gateway_reference: null });
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
      expect(await desk.refusal('erase', 'appointment:1/1', '--yes')).to.equal(
        '1 appointment is not over yet: 1 of center 1. Cancel first, or add --also-coming; nothing was erased.',
      );
      expect(await desk.everything()).to.include('Asha Pai');
      await desk.output('erase', 'appointment:1/1', '--also-coming', '--yes');
      await desk.inHospital((hospital) =>
        hospital.refused('Fetch_Details', { ...BOOKING, ...COMING, RegistrationNumber: 'R-9', Name: 'Ravi' }, 14),
      );
    });

    it('does not refuse because of a cancelled appointment, and handles two persons in the same hour', async () => {
      await desk.inHospital(async (hospital) => {
        await hospital.book(COMING);
        await hospital.cancel(1);
        await hospital.book(PAST);
        await hospital.book({ ...PAST, ...RAVI, DoctorID: 103 });
      });
      await desk.output('erase', 'appointment:1/1', 'appointment:1/2', '--yes');
      await desk.output('erase', 'appointment:1/3', '--yes');
      expect(await desk.everything()).not.to.match(/Asha|Ravi/);
    });

    it('erases nobody else who shares a number or a phone', async () => {
      await book(PAST);
      await book({ ...PAST, app_time: '11:15', RegistrationNumber: 'R-5', Name: 'Arjun Rao' });
      await desk.output('erase', 'appointment:1/1', '--yes');
      expect(await desk.everything())
        .to.match(/Arjun Rao/)
        .and.not.match(/Asha/);
    });

    it('erases nothing if one of the records is not stored', async () => {
      await book(PAST);
      const said = await desk.refusal('erase', 'appointment:1/1', 'feedback:1', '--yes');
      expect(said).to.include('feedback:1 is not stored');
      expect(await desk.everything()).to.include('Asha Pai');
    });
  });

  it('writes a page for a patient with more kept answers than a function can have arguments', async () => {
    const answer = { key: 'k', fingerprint: 'f', answer: '{}', used_on: TEST_NOW };
    const answers = Array.from({ length: 200_000 }, () => answer);
    const page = { texts: readTexts(PAGE_TEXTS, 'en'), config: readConfig({}), now: TEST_NOW, file: 'all.json' };
    const nothing = { appointments: [], feedback: [], messages: [] };
    const written = await patientPage(
      { reference: async () => ({}) } as Queries,
      nothing,
      { answers, audit: [] },
      page,
    );
    expect(written).to.include('Copies: 200000, the last one of November 20, 2026');
  });
});
