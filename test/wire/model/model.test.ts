import { expect } from 'chai';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { runHistory } from './run-history.ts';

/** A new one for every run, so that the tests cover more than one history; the title shows it. */
const SEED = Number(process.env.MODEL_SEED ?? Date.now() % 1_000_000);

describe(`A history of sixteen clients (MODEL_SEED=${SEED})`, () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  for (const services of [1, 2]) {
    it(`gets the model's answers on ${services === 1 ? 'one service' : 'two services with one database'}`, async () => {
      const databaseUrl = `sqlite:${folder.path}/${services}.db`;
      const { answers, skipped } = await runHistory({ seed: SEED + services, operations: 512, databaseUrl, services });
      expect(skipped).to.deep.equal([]);
      expect(answers).to.include.keys('Fetch_Details 0', 'Appointment_Status_Updates 0', 'Appointment_Status 0');
    });
  }
});
