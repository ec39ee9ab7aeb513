import { expect } from 'chai';
import { SCHEMA_STEPS } from '../../../src/store/migrations/migrate.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { asLaterVersion, LATER_STEP } from '../../support/database/later-version.ts';
import { temporaryDatabase } from '../../support/database/temporary-database.ts';
import { perTest } from '../../support/prepared.ts';
import { addDoctors, failure } from '../store-suite.ts';

describe('The schema of an SQLite file', () => {
  const database = perTest(() => temporaryDatabase({ isNew: true }));
  beforeEach(async () => {
    const store = await database.open();
    await addDoctors(store);
    await store.close();
  });

  it('is upgraded by a later version, which keeps the data and reports both versions before and after, and each step; this version then refuses it', async () => {
    const last = [...SCHEMA_STEPS.keys()].at(-1);
    const upgrades: unknown[] = [];
    await asLaterVersion(async () => {
      const location = { kind: 'sqlite', path: database.file, timeoutMs: 5000 } as const;
      const store = await openStore(location, { onUpgrade: (...upgrade) => upgrades.push(upgrade) });
      expect(await store.read(({ reference }) => reference.doctors({ centerId: 1 }))).to.have.length(2);
      await store.close();
    });
    expect(upgrades).to.deep.equal([
      ['schema upgrade begins', { from: last, to: LATER_STEP }],
      ['schema step begins', { step: LATER_STEP }],
      ['schema brought up to date', { from: last, to: LATER_STEP }],
    ]);
    const refusal = await failure(database.open());
    expect(refusal).to.have.property('message').that.includes('was brought up to date by a newer version');
  });

  it('is upgraded once, even if several processes of the later version start at the same moment', async () => {
    await asLaterVersion(async () => {
      for (const store of await Promise.all([database.open(), database.open(), database.open()])) {
        const steps = await store.read(({ facts }) => facts.schemaSteps());
        expect(steps).to.have.members([...SCHEMA_STEPS.keys()]);
      }
    });
  });

  it('stays as it was if a step fails', async () => {
    await asLaterVersion(async () => {
      SCHEMA_STEPS.set(LATER_STEP, () => ['ALTER TABLE center ADD COLUMN nickname text', 'ALTER TABLE nothing']);
      expect(await failure(database.open())).to.be.instanceOf(Error);
    });
    const store = await database.open();
    expect(await store.read(({ reference }) => reference.doctors({ centerId: 1 }))).to.have.length(2);
  });
});
