import { expect } from 'chai';
import { DAY, type Given, type Hospital } from '../database/hospital.ts';
import { TEST_NOW } from '../process/start-service.ts';
import { type CommandFolder, commandFolder, outputOf } from './command-folder.ts';

/** A hospital whose service was used 30 days ago, and `tpws patient` there. */
export interface PatientDesk {
  readonly folder: CommandFolder;
  inHospital(work: (hospital: Hospital) => Promise<unknown>): Promise<unknown>;
  /** The lines of a command that succeeds and reports no error. */
  output(...args: readonly string[]): Promise<readonly string[]>;
  /** The errors of a command that fails and says nothing else. */
  refusal(...args: readonly string[]): Promise<string>;
  /** The document of an export to standard output; other output goes to standard error. */
  // biome-ignore lint/suspicious/noExplicitAny: its fields are what the tests are about
  exported(...args: readonly string[]): Promise<any>;
  /** Everything in the database, as one text. */
  everything(): Promise<string>;
  dispose(): void;
}

export async function openPatientDesk(): Promise<PatientDesk> {
  const folder = commandFolder();
  await folder.store(async () => {});
  return {
    folder,
    inHospital: (work) => folder.inHospital(work, TEST_NOW - 30 * DAY),
    output: async (...args) => outputOf(await folder.patient(...args)),
    refusal: async (...args) => {
      const { code, output, errors } = await folder.patient(...args);
      expect(output).to.deep.equal([]);
      // Some are mistakes in the arguments.
      expect(code).to.be.oneOf([1, 2]);
      return errors.join('\n');
    },
    exported: async (...args) => {
      const { code, output, errors } = await folder.patient('export', ...args);
      expect(code, errors.join('\n')).to.equal(0);
      return JSON.parse(output.join('\n'));
    },
    everything: () =>
      folder.store((store) =>
        store.read(async ({ patients, exports, audit, messageList }) => {
          const messages = await messageList.list({ status: undefined, limit: 100 });
          const rows = await Promise.all(messages.map(({ id }) => messageList.show({ id })));
          const appointments = await exports.appointmentsAfter({ centerId: -1, id: 0 });
          const keptAnswers = await patients.answersAfter({ key: '' });
          return JSON.stringify([
            appointments,
            await patients.feedbackAfter({ id: 0 }),
            rows,
            keptAnswers,
            await audit.page({}),
          ]);
        }),
      ),
    dispose: folder.dispose,
  };
}

/** Ends before every appointment that is still ahead, on the clock of any database server. */
export const PAST = { app_date: '2026-10-26' };

export const SMS: Given = { Mobileno: '9845012345', Message: 'Dear Asha Pai, come at 10:15.', tempid: 0, SMSmode: 1 };

export const FEEDBACK: Given = {
  ipno: 'IP-7',
  roomno: '',
  moblieno: '9845012345',
  dept: 'ENT',
  needsimprovementcommit: 'Warm tea',
};
