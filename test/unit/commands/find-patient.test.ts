import { expect } from 'chai';
import fc from 'fast-check';
import { readPatient } from '../../../src/appointments/read-patient.ts';
import { isSamePatient } from '../../../src/appointments/same-patient.ts';
import { recordLines } from '../../../src/commands/patient/patient-records.ts';
import type { AppointmentRow } from '../../../src/store/queries/patient-queries.ts';
import { columnValues } from '../../../src/store/queries/record-columns.ts';
import { APPOINTMENT_FIELDS, type StoredAppointment } from '../../../src/vocabulary/stored-records.ts';
import { appointment } from '../../databases/store/store-suite.ts';
import { openPatientDesk, PAST, SMS } from '../../support/commands/patient-desk.ts';
import type { Given } from '../../support/database/hospital.ts';
import { perTest } from '../../support/prepared.ts';
import { TEST_NOW } from '../../support/process/start-service.ts';

describe('tpws patient find', () => {
  const desk = perTest(openPatientDesk);
  const book = (given: Given) => desk.inHospital((hospital) => hospital.book(given));

  for (const [option, stored, ...wanted] of [
    ['--name', { Name: 'José García' }, 'Jose Garcia', 'garcía, jose', 'GARC', 'J Garcia'],
    ['--name', { Name: 'Nguyễn Văn An' }, 'Nguyen Van An', 'an nguyen'],
    ['--name', { Name: 'Weiß-Øster' }, 'weiss oster', 'OSTER'],
    ['--name', { Name: 'Anne-Marie O’Neil' }, "Anne Marie O'Neil", 'annemarie'],
    ['--name', { Name: 'مُحَمَّد علی' }, 'محمد علي', 'علی محمد'],
    ['--name', { Name: 'أحمد کریمی' }, 'احمد', 'كريمي'],
    ['--name', { Name: 'लक्ष्मी देवी' }, 'देवी लक्ष्मी'],
    ['--phone', { contactnumber: '9845054321' }, '54321', '45054321', '98450-54321'],
    ['--registration', { RegistrationNumber: 'MR/1234-A' }, 'mr1234a', 'MR-1234 A', 'MR.1234.A'],
    ['--registration', { RegistrationNumber: 'asha.rao@sbx' }, 'Asha.Rao@sbx'],
  ] as const) {
    it(`finds ${Object.values(stored)[0]} with ${option} ${wanted.join(' or ')}`, async () => {
      const blank = { RegistrationNumber: '', contactnumber: '9845000001' };
      await book({ ...PAST, ...blank, ...stored });
      await book({ ...PAST, ...blank, Name: 'Josefina Anand', app_time: '12:15' });
      for (const value of wanted) {
        const lines = await desk.output('find', option, value);
        expect(lines, value).to.have.length(1);
        expect(lines[0], value).to.include('appointment:1/1 ');
      }
    });
  }

  it('gives programs a line of JSON for each record, marks those that only mention the patient, and leaves out texts', async () => {
    await book({ ...PAST, Name: 'Asha Pai', RegistrationNumber: 'R-9' });
    await desk.inHospital(({ ok }) => ok('Sent_SMS', { ...SMS, Mobileno: '9845000002' }));
    const records = (await desk.output('find', '--name', 'Asha Pai', '--json')).map((line) => JSON.parse(line));
    expect(records.map(({ record, unclear = false }) => [record, unclear])).to.deep.equal([
      ['appointment:1/1', false],
      ['message:1', true],
    ]);
    expect(records[0]).to.include({ name: 'Asha Pai', registration_number: 'R-9', doctor_id: 102 });
    expect(records[1]).to.include({ mobile: '+919845000002' }).and.not.have.any.keys('text');
    expect(await desk.output('find', '--name', 'Nobody', '--json')).to.deep.equal([]);
  });

  it('asks for longer values if they are those of more patients than anybody compares', async () => {
    await desk.inHospital(async ({ store }) => {
      for (let n = 0; n <= 1000; n++) {
        const name = { name: `Asha ${n}`, nameKey: `asha${n}` };
        await store.write(({ appointments }) =>
          appointments.insert(appointment({ ...name, doctorId: 102, startsAt: n * 15 })),
        );
      }
    });
    expect(await desk.refusal('find', '--name', 'ash')).to.match(/^Too many patients have these values/);
  });

  it('has no line with records that the rule for bookings keeps apart, and one for those that say the same', () => {
    const text = fc.constantFrom(
      '',
      'Mrs',
      'Baby 1',
      'Baby 2',
      'Dr',
      '34',
      '12/03/1954',
      '1954',
      'F',
      'F, 34',
      'Divers',
    );
    const said = fc.record({
      title: text,
      Name: fc.constantFrom('Asha Rao', 'Baby Asha', 'Mrs Asha Rao', 'Unknown'),
      Sex: text,
      Age: text,
      RegistrationNumber: fc.constantFrom('', 'R-1', 'NEW'),
      contactnumber: fc.constantFrom('', '9845012345', '9999999999'),
    });
    fc.assert(
      fc.property(fc.array(said, { minLength: 2, maxLength: 12 }), (all) => {
        const stored = [...all, all[0] ?? {}].map((parameters, index) => ({
          ...appointment({}),
          ...readPatient({ Name: '', ...parameters }, 'IN', TEST_NOW),
          ...{ id: index + 1, tokenNo: 1, rescheduleCount: 0, createdOn: TEST_NOW, updatedOn: TEST_NOW },
        }));
        const appointments = stored.map((one) => columnValues(APPOINTMENT_FIELDS, one) as AppointmentRow);
        const isSameAgain = stored.slice(0, 1).every((one) => isSamePatient(one, one));
        const lines = recordLines({ appointments, feedback: [], messages: [] });
        const lineOf = (one: StoredAppointment | undefined) =>
          lines.findIndex((line) => line.includes(`appointment:1/${one?.id} `));
        for (const a of stored) {
          for (const b of stored) {
            if (a !== b && !isSamePatient(a, b)) expect(lineOf(a)).not.to.equal(lineOf(b));
          }
        }
        // The first one once more.
        expect(lineOf(stored[0]) === lineOf(stored.at(-1))).to.equal(isSameAgain);
      }),
    );
  });
});
