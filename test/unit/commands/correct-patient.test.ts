import { expect } from 'chai';
import { APPOINTMENT_FIELDS, type PatientParameter } from '../../../src/vocabulary/stored-records.ts';
import { FEEDBACK, openPatientDesk, PAST, SMS } from '../../support/commands/patient-desk.ts';
import { addDoctor, type Given } from '../../support/database/hospital.ts';
import { SENT_PATIENT, STORED_PATIENT } from '../../support/database/whole-patient.ts';
import { perTest } from '../../support/prepared.ts';

const COMING = { app_date: '2027-01-18' };
const FIRST = 'appointment:1/1';
const OPTION: Readonly<Record<PatientParameter, string>> = {
  RegistrationNumber: 'registration',
  title: 'title',
  Name: 'name',
  Sex: 'sex',
  Age: 'age',
  area: 'area',
  contactnumber: 'phone',
  email: 'email',
};

describe('tpws patient correct', () => {
  const desk = perTest(openPatientDesk);
  const book = (given: Given) => desk.inHospital((hospital) => hospital.book(given));
  const correct = (...args: readonly string[]) => desk.output('correct', ...args);
  const row = async (id = 1) =>
    (await desk.folder.store((store) => store.read(({ appointments }) => appointments.byId({ centerId: 1, id })))) ??
    expect.fail('is not stored');
  const audited = async () => {
    const { output } = await desk.folder.audit('--operation', 'Correct', '--format', 'ndjson');
    return output.map((line) => JSON.parse(line));
  };

  it('stores every detail as a booking does, of a past visit, too, and keeps all the rest', async () => {
    await book(PAST);
    const before = await row();
    const options = Object.entries(SENT_PATIENT).flatMap(([name, value]) => [
      `--${OPTION[name as PatientParameter]}`,
      value,
    ]);
    await correct(FIRST, ...options, '--yes');
    const { updatedOn, ...after } = await row();
    expect(after).to.deep.include(STORED_PATIENT);
    expect(updatedOn).to.be.greaterThan(before.updatedOn);
    const own = Object.keys(APPOINTMENT_FIELDS).filter((name) => !(name in STORED_PATIENT) && name !== 'updatedOn');
    for (const name of own) expect(after, name).to.have.property(name, before[name as keyof typeof before]);
  });

  it('changes only the details that are named, and none of a text message', async () => {
    await desk.inHospital(async (hospital) => {
      await hospital.book({ ...PAST, Age: '1992-03-01' });
      await hospital.ok('Sent_SMS', SMS);
    });
    const { nameKey, name, updatedOn, ...before } = await row();
    await correct(FIRST, '--name', 'Asha Rai', '--yes');
    expect(await row()).to.deep.include({ ...before, name: 'Asha Rai', nameKey: 'asharai' });
    expect(await desk.everything()).to.include(SMS.Message);
  });

  it('says without --yes what it would change, and changes nothing', async () => {
    await book(PAST);
    await book({ ...PAST, app_time: '11:15', Name: 'Asha  PAI' });
    const before = await row();
    const twice = [FIRST, 'appointment:1/2', '--phone', '98450 77777', '--email', ''];
    expect(await correct(...twice)).to.deep.equal([
      `contactnumber "+919845012345" becomes "+919845077777": ${FIRST} appointment:1/2`,
      `email "asha@example.org" becomes "": ${FIRST} appointment:1/2`,
      'With --yes, this is corrected. Nothing was changed.',
    ]);
    expect(await row()).to.deep.equal(before);
    expect(await audited()).to.deep.equal([]);
  });

  it('leaves a row per appointment with the operator, the reference and the names of the details, no values', async () => {
    await book(PAST);
    await book({ ...PAST, app_time: '11:15' });
    const lines = await correct(
      ...[FIRST, 'appointment:1/2', '--name', 'Asha Rai', '--age', '35', '--reference', 'request 8', '--yes'],
    );
    const rows = await audited();
    expect(rows.map(({ AppointmentID }) => AppointmentID)).to.deep.equal([1, 2]);
    const { CorrelationId } = rows[0];
    expect(lines.at(-1)).to.equal(`Corrected. In the audit trail, the rows have the CorrelationId ${CorrelationId}.`);
    const same = { Action: 'U', Client: 'tpws patient', Operator: 'priya', Reference: 'request 8', CorrelationId };
    for (const each of rows)
      expect(each).to.include({ ...same, Move: 'Correct', Corrected: 'Name,Age', DoctorID: 102 });
    expect(JSON.stringify(rows)).not.to.match(/Asha|35/);
  });

  it('is shown on the page for the patient, with the details in words', async () => {
    await book(PAST);
    await correct(FIRST, '--name', 'Asha Rai', '--title', 'Dr', '--yes');
    await desk.output('export', FIRST, '--out', 'asha.json');
    expect(desk.folder.read('asha.html'))
      .to.include('<td>corrected details, Name, Title</td>')
      .and.include('<dd dir="auto">Asha Rai</dd>');
  });

  it('changes and records nothing if the values are those that are stored', async () => {
    await book(PAST);
    const before = await row();
    expect(await correct(FIRST, '--name', 'Asha Pai', '--sex', 'Female', '--yes')).to.deep.equal([
      'Nothing differs from what is stored.',
    ]);
    expect(await row()).to.deep.equal(before);
    expect(await audited()).to.deep.equal([]);
  });

  it('counts a date of birth from the booking, as the booking did', async () => {
    await book({ ...PAST, Age: '' });
    await correct(FIRST, '--age', '2025-10-22', '--yes');
    expect(await row()).to.include({ ageText: '2025-10-22', ageValue: 11, ageUnit: 'M' });
  });

  for (const [option, value, said] of [
    ['name', '', /^--name: the patient's name is required\.$/],
    ['name', '12', /^--name: "12" contains no letter; expected the name of the patient\.$/],
    ['name', 'x'.repeat(101), /^--name: expected 1 to 100 characters, none of them a control character\.$/],
    ['phone', '12', /^--phone: "12" holds no phone number; expected one such as /],
    ['area', '\u0000', /^--area: expected 1 to 200 characters/],
  ] as const) {
    it(`refuses what a booking refuses: --${option} ${JSON.stringify(value).slice(0, 20)}`, async () => {
      await book(PAST);
      const before = await row();
      expect(await desk.refusal('correct', FIRST, `--${option}`, value, '--yes')).to.match(said);
      expect(await row()).to.deep.equal(before);
    });
  }

  it('needs a detail, and appointments that are stored and not erased', async () => {
    await book(PAST);
    await desk.inHospital((hospital) => hospital.ok('FB_Push_Details', FEEDBACK));
    expect(await desk.refusal('correct', FIRST, '--yes')).to.match(/^Expected --name or --title or /);
    const name = ['--name', 'Asha Rai', '--yes'];
    expect(await desk.refusal('correct', FIRST, 'appointment:1/9', ...name)).to.equal(
      'appointment:1/9 is not stored; nothing was done.',
    );
    expect(await desk.refusal('correct', FIRST, 'feedback:1', ...name)).to.match(/^Expected appointments only/);
    await book({ ...PAST, app_time: '11:15' });
    await desk.output('erase', 'appointment:1/2', '--yes');
    expect(await desk.refusal('correct', FIRST, 'appointment:1/2', ...name)).to.equal(
      'The patient of appointment:1/2 was erased; nothing was corrected.',
    );
    expect(await row()).to.include({ name: 'Asha Pai' });
  });

  describe('makes one patient of two only if somebody says so', () => {
    const RAI = { ...COMING, Name: 'Asha Rai' };

    it('names the other appointments and those at the same time, and changes nothing', async () => {
      await book(COMING);
      await book({ ...RAI, DoctorID: 103 });
      await book({ ...RAI, app_time: '12:15' });
      await book({ ...RAI, RegistrationNumber: 'R-2', app_time: '13:15' });
      expect(await desk.refusal('correct', FIRST, '--name', 'asha rai', '--yes')).to.equal(
        'The patient would then be that of appointment:1/2 appointment:1/3, at the same time as appointment:1/2. If that is right, add --same-patient; nothing was changed.',
      );
      expect(await row()).to.include({ name: 'Asha Pai' });
    });

    it('shows them and corrects with --same-patient', async () => {
      await book(COMING);
      await book({ ...RAI, DoctorID: 103 });
      const line =
        '  Asha Rai (Mrs., F, 34), registration number "R-1", +919845012345, Indiranagar, asha@example.org, center 1: appointment:1/2 (2027-01-18 10:15, doctor 103, Booked)';
      const args = [FIRST, '--name', 'Asha Rai', '--same-patient'];
      for (const last of [[], ['--yes']]) {
        expect((await correct(...args, ...last)).slice(1, -1)).to.deep.equal([
          'The same patient from now on:',
          line,
          'At the same time; ask the patient which one to cancel:',
          line,
        ]);
      }
      expect(await row()).to.include({ name: 'Asha Rai' });
      const { output } = await desk.folder.audit('--operation', 'FindPatient', '--format', 'ndjson');
      for (const seen of output) expect(JSON.parse(seen)).to.include({ Shown: '1/1 1/2' });
    });

    it('also if the appointments become the same by the correction of both', async () => {
      await book(PAST);
      await book({ ...PAST, Name: 'Arjun Pai', app_time: '11:15' });
      expect(await desk.refusal('correct', FIRST, 'appointment:1/2', '--name', 'Asha Rai', '--yes')).to.match(
        /^The patient would then be that of appointment:1\/1 appointment:1\/2\. If/,
      );
    });

    it('also if one of them has the values already', async () => {
      await book(PAST);
      await book({ ...PAST, Name: 'Arjun Pai', app_time: '11:15' });
      expect(await desk.refusal('correct', FIRST, 'appointment:1/2', '--name', 'Asha Pai', '--yes')).to.match(
        /^The patient would then be that of appointment:1\/1\. If/,
      );
    });

    it('not because of a patient in another center, or of a cancelled appointment at the time', async () => {
      await book(COMING);
      await book({ ...RAI, DoctorID: 201, centerid: 2 });
      await book({ ...RAI, DoctorID: 103 });
      await desk.inHospital((hospital) => hospital.cancel(3));
      expect(await desk.refusal('correct', FIRST, '--name', 'Asha Rai', '--yes')).to.match(
        /^The patient would then be that of appointment:1\/3\. If/,
      );
    });
  });

  it('does not take a token for a session for an appointment at the same time', async () => {
    await book(COMING);
    await desk.inHospital(async (hospital) => {
      await addDoctor(hospital.store, { id: 900, slotMinutes: 60, capacity: 5 });
      await hospital.book({ ...COMING, Name: 'Asha Rai', DoctorID: 900 });
    });
    expect(await desk.refusal('correct', FIRST, '--name', 'Asha Rai', '--yes')).to.equal(
      'The patient would then be that of appointment:1/2. If that is right, add --same-patient; nothing was changed.',
    );
  });

  it('names the appointments of the patient that it leaves behind', async () => {
    await book(PAST);
    await book({ ...PAST, app_time: '11:15' });
    expect(await correct(FIRST, '--name', 'Asha Rai')).to.include.members([
      'The same patient until now; name those, too, that need the correction:',
      '  Asha Pai (Mrs., F, 34), registration number "R-1", +919845012345, Indiranagar, asha@example.org, center 1: appointment:1/2 (2026-10-26 11:15, doctor 102, Booked)',
    ]);
    const both = await correct(FIRST, 'appointment:1/2', '--name', 'Asha Rai', '--yes');
    expect(both).to.have.length(2);
  });

  it('finds the appointment by the new details for a repeated booking, and no longer by the old ones', async () => {
    await book(COMING);
    await correct(FIRST, '--name', 'Asha Rai', '--yes');
    await desk.inHospital(async (hospital) => {
      const again = { ...COMING, Name: 'Asha Rai' };
      expect(await hospital.book(again)).to.include({ ResultCode: 1, AppointmentID: 1, TokenNo: 1 });
      await hospital.book({ ...COMING, DoctorID: 103 });
    });
  });
});
