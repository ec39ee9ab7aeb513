import { expect } from 'chai';
import fc from 'fast-check';
import { type CommandFolder, commandFolder } from '../../support/commands/command-folder.ts';
import { type Given, HOUR, type Hospital } from '../../support/database/hospital.ts';

const CLERK = { name: 'clerk' };
const DESK = { name: 'desk', overbook: true };

/** Two of one name with phones of their own, one of whom has two ways to write it, and two others. */
const PATIENTS = [
  { Name: 'Asha Pai', contactnumber: '9845012345' },
  { Name: 'ASHA PAI', contactnumber: '+919845012345' },
  { Name: 'Asha Pai', contactnumber: '9845012346' },
  { Name: 'Ravi Kumar', contactnumber: '9845012347' },
  { Name: 'Meena Iyer', contactnumber: '9845012348' },
];

/** Doctors without hours, so that their appointments overlap in every way; the last has sessions. */
const DOCTORS =
  'centerid,DoctorID,DoctorName,SlotMinutes,Capacity\n1,1,Dr. One,15,1\n1,2,Dr. Two,35,2\n1,3,Dr. Three,50,3\n1,4,Dr. Tokens,60,3\n';

const calls = fc.array(
  fc.record({
    DoctorID: fc.constantFrom(1, 2, 2, 3, 4),
    patient: fc.constantFrom(...PATIENTS),
    minute: fc.integer({ min: 0, max: 11 }).map((n) => 5 * n),
    isDesk: fc.boolean(),
  }),
  { minLength: 2, maxLength: 24 },
);
type Call = typeof calls extends fc.Arbitrary<readonly (infer One)[]> ? One : never;

const timeOf = ({ minute }: Call) => `10:${`${minute}`.padStart(2, '0')}`;

async function inNewFolder<T>(work: (folder: CommandFolder) => Promise<T>): Promise<T> {
  const folder = commandFolder();
  try {
    folder.write('centers.csv', 'centerid,CenterName\n1,Bengaluru\n');
    folder.write('doctors.csv', DOCTORS);
    await folder.imported('centers.csv', 'doctors.csv');
    return await work(folder);
  } finally {
    folder.dispose();
  }
}

/** The ResultCodes of bookings, an hour apart: who asks again for the seat of a namesake within the hour is told less each time. */
async function booked(hospital: Hospital, wanted: readonly Call[], isDesk: (call: Call) => boolean) {
  const codes: number[] = [];
  for (const call of wanted) {
    const { DoctorID, patient } = call;
    const given: Given = { centerid: 1, DoctorID, ...patient, app_date: '2027-01-18', app_time: timeOf(call) };
    const { record } = await hospital.call('Fetch_Details', given, undefined, isDesk(call) ? DESK : CLERK);
    codes.push(Number(record.ResultCode));
    hospital.clock.now += HOUR;
  }
  return codes;
}

/** What an import answers to a row, by the ResultCode of the booking. */
const MISTAKES: Readonly<Record<number, RegExp>> = {
  1: /repeats the booking of/,
  14: /overlaps .*(, for doctor|, of the same patient)/,
  17: /overlaps .*, of the same patient/,
};

describe('An import of appointments, beside bookings', () => {
  it('refuses the rows that a booking would be refused for, had they been booked one after another', async () => {
    await fc.assert(
      fc.asyncProperty(calls, async (wanted) => {
        const codes = await inNewFolder((folder) =>
          folder.inHospital((hospital) => booked(hospital, wanted, () => false)),
        );
        const mistakes = await inNewFolder(async (folder) => {
          const rows = wanted.map(
            (call, n) =>
              `1,${n + 1},${call.DoctorID},2027-01-18,${timeOf(call)},${call.patient.Name},${call.patient.contactnumber}`,
          );
          folder.write(
            'appointments.csv',
            `centerid,AppointmentID,DoctorID,appdate,apptime,Name,contactnumber\n${rows.join('\n')}\n`,
          );
          await folder.import('appointments.csv', '--errors', 'errors.csv');
          return folder.read('errors.csv').trimEnd().split('\r\n').slice(1);
        });
        const expected = codes.flatMap((code, n) => (code === 0 ? [] : [{ line: `appointments.csv,${n + 2},`, code }]));
        expect(mistakes.map((mistake) => /^[^,]*,\d+,/.exec(mistake)?.[0])).to.deep.equal(
          expected.map(({ line }) => line),
        );
        for (const [n, { code }] of expected.entries()) expect(mistakes[n]).to.match(MISTAKES[code] ?? /^$/);
      }),
      { numRuns: 15 },
    );
  });

  it('gives what was booked and overbooked the same marks elsewhere, and then answers bookings in the same way', async () => {
    await fc.assert(
      fc.asyncProperty(calls, calls, async (wanted, later) => {
        await inNewFolder(async (folder) => {
          const isDesk = (call: Call) => call.isDesk;
          await folder.inHospital((hospital) => booked(hospital, wanted, isDesk));
          await folder.export('--out', 'out', 'appointments');
          const exported = folder.read('out/appointments.csv');
          const codes = await folder.inHospital((hospital) => booked(hospital, later, isDesk));
          await inNewFolder(async (other) => {
            other.write('appointments.csv', exported);
            await other.imported('appointments.csv', '--allow-overlaps');
            await other.export('--out', 'out', 'appointments');
            expect(other.read('out/appointments.csv')).to.equal(exported);
            expect(await other.inHospital((hospital) => booked(hospital, later, isDesk))).to.deep.equal(codes);
          });
        });
      }),
      { numRuns: 15 },
    );
  });
});
