import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { compileAuditPlan } from '../../../src/calls/audit-rows.ts';
import { PAGE_TEXTS } from '../../../src/commands/patient/patient-page.ts';
import { PATIENT_FIELDS, type StoredPatient } from '../../../src/vocabulary/stored-records.ts';
import { type CommandFolder, commandFolder } from '../../support/commands/command-folder.ts';
import { openPatientDesk, PAST } from '../../support/commands/patient-desk.ts';
import { SENT_PATIENT, STORED_PATIENT } from '../../support/database/whole-patient.ts';
import { perSuite } from '../../support/prepared.ts';
import { ownContract } from '../../wire/contract/own-wsdl.ts';

const FILES = ['centers', 'doctors', 'appointments'];

describe('What a booking says about its patient', () => {
  const desk = perSuite(openPatientDesk);
  const other = perSuite(() => commandFolder());
  const third = perSuite(() => commandFolder());
  /** As it is stored after the booking, after an export and import, and the same once the patient was erased. */
  const stored: (StoredPatient | undefined)[] = [];
  let page = '';
  before(async () => {
    await desk.inHospital((hospital) => hospital.book({ ...SENT_PATIENT, ...PAST }));
    stored.push(await firstIn(desk.folder));
    await desk.output('export', 'appointment:1/1', '--out', 'patient.json');
    page = desk.folder.read('patient.html');
    await carry(other);
    stored.push(await firstIn(other));
    await desk.output('erase', 'appointment:1/1', '--yes');
    stored.push(await firstIn(desk.folder));
    await carry(third);
    stored.push(await firstIn(third));
  });

  const firstIn = (folder: CommandFolder) =>
    folder.store((store) => store.read(async ({ imports }) => (await imports.appointments(1, [1]))[0]));
  const carry = async (to: CommandFolder) => {
    await desk.folder.export('--out', 'out', ...FILES);
    for (const name of FILES) to.write(`${name}.csv`, desk.folder.read(`out/${name}.csv`));
    await to.imported(...FILES.map((name) => `${name}.csv`));
  };

  for (const [parameter, value] of Object.entries({ ...SENT_PATIENT, contactnumber: STORED_PATIENT.phone })) {
    it(`is shown on the page for the patient: ${parameter}`, () => {
      expect(page).to.include(`<dd dir="auto">${value}</dd>`);
    });
  }

  it('has a word in each language for everything that the page shows', () => {
    const { en, ...others } = JSON.parse(readFileSync(PAGE_TEXTS, 'utf8'));
    const labels = [...page.matchAll(/<dt>(.+?)<\/dt>/g)].map(([, label]) => label);
    expect(Object.values(en)).to.include.members(labels);
    const audited = ownContract.operations.filter((operation) => compileAuditPlan(operation).audited);
    expect(en).to.include.keys(audited.map(({ name }) => `op.${name}`));
    for (const texts of Object.values(others)) expect(texts).to.have.all.keys(en);
  });

  for (const field of Object.keys(PATIENT_FIELDS) as (keyof StoredPatient)[]) {
    const isPersonal = 'personal' in PATIENT_FIELDS[field];
    it(`is stored, carried by an export and ${isPersonal ? 'erased' : 'kept when the rest is erased'}: ${field}`, () => {
      const whole = STORED_PATIENT[field];
      const left = isPersonal ? null : whole;
      expect(stored.map((patient) => patient?.[field])).to.deep.equal([whole, whole, left, left]);
    });
  }
});
