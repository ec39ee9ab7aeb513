import { expect } from 'chai';
import { SCHEMA_STEPS } from '../../../../src/store/migrations/migrate.ts';
import { asLaterVersion, LATER_STEP, NICKNAME } from '../../../support/database/later-version.ts';
import { type TemporaryDatabase, temporaryDatabase } from '../../../support/database/temporary-database.ts';
import { addDoctors, failure } from '../store-suite.ts';

describe('The schema of an SQLite file', () => {
  let database: TemporaryDatabase;
  beforeEach(async () => {
    database = temporaryDatabase({ isNew: true });
    const store = await database.open();
    await addDoctors(store);
    await store.close();
  });
  afterEach(() => database.dispose());

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
      SCHEMA_STEPS.set(LATER_STEP, { columns: [NICKNAME], statements: () => ['ALTER TABLE nothing'] });
      expect(await failure(database.open())).to.be.instanceOf(Error);
    });
    const store = await database.open();
    expect(await store.reference().then((reference) => reference.doctors(1))).to.have.length(2);
  });
});
