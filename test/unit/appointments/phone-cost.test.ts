import { expect } from 'chai';
import { BOOKING, openHospital } from '../../support/database/hospital.ts';
import { perTest } from '../../support/prepared.ts';

/** Texts of 100 characters that hold many runs of digits, none of them a number. */
const COSTLY = {
  'lone zeros': '0 '.repeat(50),
  'lone ones with dashes': '1-'.repeat(50),
  'groups with a plus': '+123456 '.repeat(12),
  'groups between letters': '1234567x'.repeat(12),
  'groups of every length': '1 12 123 1234 12345 '.repeat(5),
};
const ROUNDS = 9;
const CALLS = 20;

describe('A contactnumber of 100 characters', () => {
  const hospital = perTest(() => openHospital());

  async function cpuOf(contactnumber: string): Promise<number> {
    const before = process.cpuUsage();
    for (let count = 0; count < CALLS; count++)
      await hospital.refused('Fetch_Details', { ...BOOKING, app_time: undefined, contactnumber }, 10);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  }

  for (const [what, contactnumber] of Object.entries(COSTLY)) {
    it(`costs at most three times as much as a short one, also with ${what}`, async () => {
      const [costly, short]: [number[], number[]] = [[], []];
      for (let round = 0; round < ROUNDS; round++) {
        costly.push(await cpuOf(contactnumber));
        short.push(await cpuOf('98450'));
      }
      // Other work only adds to a measurement.
      expect(Math.min(...costly) / Math.min(...short)).to.be.below(3);
    });
  }
});
