import { expect } from 'chai';
import { PATIENT_FIELDS, type StoredPatient } from '../../src/vocabulary/stored-records.ts';
import { type CommandFolder, commandFolder } from '../support/commands/command-folder.ts';
import { openPatientDesk, PAST, type PatientDesk } from '../support/commands/patient-desk.ts';
import { SENT_PATIENT, STORED_PATIENT } from '../support/database/whole-patient.ts';

const FILES = ['centers', 'doctors', 'appointments'];

describe('What a booking says about its patient', () => {
  let booked: StoredPatient | undefined;
  let elsewhere: StoredPatient | undefined;
  let erased: StoredPatient | undefined;
  let exportedAsErased: StoredPatient | undefined;
  before(async () => {
    const desk = await openPatientDesk();
    const [other, third] = [commandFolder(), commandFolder()];
    try {
      await desk.inHospital((hospital) => hospital.book({ ...SENT_PATIENT, ...PAST }));
      booked = await firstIn(desk.folder);
      await carry(desk, other);
      elsewhere = await firstIn(other);
      await desk.output('erase', 'appointment:1/1', '--yes');
      erased = await firstIn(desk.folder);
      await carry(desk, third);
      exportedAsErased = await firstIn(third);
    } finally {
      for (const folder of [desk, other, third]) folder.dispose();
    }
  });

  const firstIn = (folder: CommandFolder) =>
    folder.store((store) => store.read(async ({ imports }) => (await imports.appointments(1, [1]))[0]));
  const carry = async ({ folder }: PatientDesk, to: CommandFolder) => {
    await folder.export('--out', 'out', ...FILES);
    for (const name of FILES) to.write(`${name}.csv`, folder.read(`out/${name}.csv`));
    await to.imported(...FILES.map((name) => `${name}.csv`));
  };

  for (const field of Object.keys(PATIENT_FIELDS) as (keyof StoredPatient)[]) {
    const isPersonal = 'personal' in PATIENT_FIELDS[field];
    it(`is stored, carried by an export and ${isPersonal ? 'erased' : 'kept when the rest is erased'}: ${field}`, () => {
      expect(booked?.[field]).to.equal(STORED_PATIENT[field]);
      expect(elsewhere?.[field]).to.equal(STORED_PATIENT[field]);
      const left = isPersonal ? null : STORED_PATIENT[field];
      expect(erased?.[field]).to.equal(left);
      expect(exportedAsErased?.[field]).to.equal(left);
    });
  }
});
