import { expect } from 'chai';
import { openPatientDesk, PAST, type PatientDesk } from '../support/commands/patient-desk.ts';
import type { Given } from '../support/database/hospital.ts';

/** Patients with similar names, numbers or phones. */
describe('tpws patient, with similar patients,', () => {
  let desk: PatientDesk;
  let hour: number;
  beforeEach(async () => {
    desk = await openPatientDesk();
    hour = 9;
  });
  afterEach(() => desk.dispose());

  /** One appointment each, an hour apart. */
  const book = (...patients: readonly Given[]) =>
    desk.inHospital(async (hospital) => {
      for (const patient of patients) {
        await hospital.book({ ...PAST, app_time: `${String(hour++).padStart(2, '0')}:15`, ...patient });
      }
    });
  const RAVI: Given = { Name: 'Ravi Kumar', contactnumber: '9845011111' };
  const ids = (data: { readonly appointments: readonly Given[] }) => data.appointments.map(({ id }) => id);
  const inMysuru: Given = { centerid: 2, DoctorID: 201 };

  describe('for two registration numbers', () => {
    const one: Given = { ...RAVI, RegistrationNumber: 'JR-1' };
    const two: Given = { ...RAVI, RegistrationNumber: 'JR-2' };
    const none: Given = { ...RAVI, RegistrationNumber: 'NA' };

    it('treats them as two patients, and excludes an appointment without a number that could belong to either', async () => {
      await book(one, none, two);
      await desk.output('erase', '--registration', 'JR-1', '--yes');
      expect(ids(await desk.exported('--registration', 'JR-2'))).to.deep.equal([3]);
      expect(await desk.everything())
        .to.match(/JR-2/)
        .and.not.match(/JR-1/);
    });

    it('refuses them on one phone until one of them is named', async () => {
      await book(one, two);
      for (const verb of ['export', 'erase']) {
        expect(await desk.refusal(verb, '--phone', '9845011111')).to.equal(
          [
            'These may be several patients: they differ in registration number. Give --registration for each value that is this patient’s.',
            '  Ravi Kumar (F, 34), registration number JR-1, +919845011111, center 1: 1 appointment',
            '  Ravi Kumar (F, 34), registration number JR-2, +919845011111, center 1: 1 appointment',
          ].join('\n'),
        );
      }
      expect(ids(await desk.exported('--phone', '9845011111', '--registration', 'JR-2'))).to.deep.equal([2]);
    });

    it('accepts them as one patient’s if both are named', async () => {
      await book(one, none, two);
      const data = await desk.exported('--registration', 'JR-1', '--registration', 'JR-2');
      expect(ids(data)).to.deep.equal([1, 2, 3]);
    });

    it('excludes the appointment without a number from both until it is included, even after one patient is erased', async () => {
      await book(one, none, two);
      const line = (reason: string) =>
        `  appointment:1/2, Ravi Kumar (F, 34), no registration number, +919845011111, center 1: ${reason}`;
      const several = 'patients with several registration numbers have this name and phone';
      expect(await desk.output('find', '--registration', 'JR-2')).to.include(line(several));
      await desk.output('erase', '--registration', 'JR-1', '--yes');
      const after = 'it was left out when another patient was erased';
      expect(await desk.output('find', '--registration', 'JR-2')).to.include(line(after));
      expect(await desk.output('find', '--phone', '9845011111')).to.include(line(after));
      expect(ids(await desk.exported('--registration', 'JR-2'))).to.deep.equal([3]);
      expect(ids(await desk.exported('--registration', 'JR-2', '--include', 'appointment:1/2'))).to.deep.equal([2, 3]);
    });

    it('excludes it in another center, too, where neither number is used', async () => {
      await book(one, { ...none, ...inMysuru }, two);
      expect(await desk.refusal('export', '--phone', '9845011111', '--center', '2')).to.include('  appointment:2/2, ');
    });

    it('includes an appointment without a number if only one patient has its name and phone', async () => {
      await book(one, none, { ...two, contactnumber: '9845022222' });
      expect(ids(await desk.exported('--registration', 'JR-1'))).to.deep.equal([1, 2]);
    });
  });

  describe('for one registration number', () => {
    it('reports several patients if the phones differ, until the phone is named', async () => {
      await book(
        { ...RAVI, RegistrationNumber: '9999' },
        { ...RAVI, RegistrationNumber: '9999', contactnumber: '9845022222' },
      );
      for (const verb of ['export', 'erase']) {
        expect(await desk.refusal(verb, '--registration', '9999', '--name', 'Ravi Kumar')).to.equal(
          [
            'These may be several patients: they differ in phone. Give --phone for each value that is this patient’s.',
            '  Ravi Kumar (F, 34), registration number 9999, +919845011111, center 1: 1 appointment',
            '  Ravi Kumar (F, 34), registration number 9999, +919845022222, center 1: 1 appointment',
          ].join('\n'),
        );
      }
      const search = ['--registration', '9999', '--phone', '9845022222'];
      expect(ids(await desk.exported(...search))).to.deep.equal([2]);
      expect(await desk.output('find', ...search)).to.include(
        '  Ravi Kumar (F, 34), registration number 9999, +919845011111, center 1: 1 appointment',
      );
      await desk.output('erase', ...search, '--yes');
      expect(await desk.everything())
        .to.match(/9845011111/)
        .and.not.match(/9845022222/);
    });

    it('reports several patients if the centers differ, until the center is named', async () => {
      await book({ ...RAVI, RegistrationNumber: 'OPD' }, { ...RAVI, ...inMysuru, RegistrationNumber: 'OPD' });
      expect(await desk.refusal('erase', '--registration', 'OPD', '--yes')).to.match(
        /differ in center\. Give --center /,
      );
      expect(ids(await desk.exported('--registration', 'OPD', '--center', '2'))).to.deep.equal([2]);
      expect(ids(await desk.exported('--registration', 'OPD', '--center', '1', '--center', '2'))).to.deep.equal([1, 2]);
    });

    it('reports numbers that differ only in spelling', async () => {
      const spellings = ['AB-1', 'AB 1', 'ab\u20111', '00AB-1', 'ＡＢ-1', 'AB-01', 'AB-10', 'AB-2'];
      await book(...spellings.map((RegistrationNumber) => ({ ...RAVI, RegistrationNumber })));
      const lines = await desk.output('find', '--registration', 'AB-1');
      expect(lines[0]).to.equal('Ravi Kumar (F, 34), registration number AB-1, +919845011111, center 1: 1 appointment');
      const title = 'Similar registration numbers, not included; to include one, add it with --registration:';
      expect(lines.slice(lines.indexOf(title) + 1)).to.have.members([
        '  "00AB-1"',
        '  "AB 1"',
        '  "AB-01"',
        String.raw`  "AB\u{2011}1"`,
        String.raw`  "\u{ff21}\u{ff22}-1"`,
      ]);
      expect(await desk.output('find', '--registration', 'AB1')).to.include(
        'Nothing was found that is clearly this patient’s.',
      );
      const exact = await desk.exported('--registration', 'AB-1', '--registration', String.raw`AB\u{2011}1`);
      expect(ids(exact)).to.deep.equal([1, 3]);
    });
  });

  it('treats a man and a woman with the same name as two patients, and shows every spelling, sex and age', async () => {
    const rao: Given = { RegistrationNumber: 'NA', contactnumber: '9845011111' };
    await book(
      { ...rao, Name: 'Mr. Rao', Sex: 'M', Age: '61' },
      { ...rao, Name: 'Mrs. Rao', Sex: 'F', Age: '58' },
      { ...rao, Name: 'Rao', Sex: '', Age: '' },
    );
    const phone = ['--phone', '9845011111'];
    expect(await desk.refusal('erase', ...phone, '--yes')).to.equal(
      [
        'These may be several patients: they differ in sex. Give --sex for each value that is this patient’s.',
        '  Mr. Rao / Mrs. Rao / Rao (M, F, 61, 58), no registration number, +919845011111, center 1: 3 appointments',
      ].join('\n'),
    );
    expect(ids(await desk.exported(...phone, '--sex', 'f'))).to.deep.equal([2]);
    expect(ids(await desk.exported(...phone, '--sex', 'f', '--include', 'appointment:1/3'))).to.deep.equal([2, 3]);
    expect(await desk.refusal('find', ...phone, '--sex', 'U')).to.equal('--sex: expected M, F or O.');
  });

  it('lists no more patients than a person would read', async () => {
    const names = Array.from({ length: 52 }, (_, index) => `Patient ${String.fromCodePoint(0x0c85 + index)}`);
    await desk.inHospital(async (hospital) => {
      for (const [index, Name] of names.entries()) {
        const time = {
          app_date: '2026-10-26',
          app_time: `${8 + Math.floor(index / 4)}:${String((index % 4) * 15).padStart(2, '0')}`,
        };
        await hospital.book({ ...RAVI, ...time, RegistrationNumber: 'OPD', Name });
      }
    });
    const lines = (await desk.refusal('export', '--registration', 'OPD')).split('\n');
    expect(lines).to.have.length(52);
    expect(lines.at(-1)).to.equal('  … and 2 more');
  });

  it('escapes characters that move the cursor or reverse the text, and accepts them in that form', async () => {
    await book(
      { ...RAVI, Name: 'Ravi\u202eramuK\u0085\tX', RegistrationNumber: 'R\u200b7' },
      { ...RAVI, Name: 'Ravi', RegistrationNumber: 'R\u200b7' },
    );
    const lines = await desk.output('find', '--phone', '9845011111');
    const name = String.raw`Ravi\u{202e}ramuK\u{85}\u{9}X`;
    expect(lines).to.include(
      String.raw`  ${name} (F, 34), registration number R\u{200b}7, +919845011111, center 1: 1 appointment`,
    );
    expect(ids(await desk.exported('--registration', String.raw`R\u{200b}7`, '--name', name))).to.deep.equal([1]);
  });
});
