import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { expect } from 'chai';
import { Readiness } from '../../../../src/doctor/readiness.ts';
import { createLog } from '../../../../src/log/log.ts';
import type { Store } from '../../../../src/store/store.ts';
import { damageTable } from '../../../support/database/damage-table.ts';
import { type TemporaryDatabase, temporaryDatabase } from '../../../support/database/temporary-database.ts';
import { skipOnWindows } from '../../../support/process/on-windows.ts';
import { addDoctors, appointment, TEN_FIFTEEN } from '../store-suite.ts';

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'done',
    (error) => error.code,
  );

describe('An SQLite file that fails while the service uses it', () => {
  let database: TemporaryDatabase;
  let store: Store;
  beforeEach(async () => {
    database = temporaryDatabase();
    store = await database.open();
    await addDoctors(store);
  });
  afterEach(() => database.dispose());

  const book = (startsAt = TEN_FIFTEEN) =>
    store.write(({ appointments }) => appointments.insert(appointment({ startsAt, nameKey: `N${startsAt}` })));
  const readiness = () => new Readiness(store, createLog('silent')).check();

  it('accepts nothing more once a write has hit damage: its whole commit fails, and the service is not ready', async () => {
    damageTable(database.file, 'appointment');
    const mark = store.write(({ facts }) => facts.set({ name: 'a', value: 'b' }));
    expect(await Promise.all([codeOf(mark), codeOf(book())])).to.deep.equal(['Unavailable', 'Unavailable']);
    expect(await store.read(({ facts }) => facts.get('a'))).to.equal(undefined);
    expect(await codeOf(store.write(({ facts }) => facts.set({ name: 'a', value: 'b' })))).to.equal('Unavailable');
    expect(await readiness()).to.match(/^The database file is damaged \(/);
  });

  it('accepts nothing more once a read has hit damage', async () => {
    damageTable(database.file, 'appointment');
    expect(await codeOf(store.read(({ appointments }) => appointments.byId({ id: 1, centerId: 1 })))).to.equal(
      'Unavailable',
    );
    expect(await codeOf(store.write(({ facts }) => facts.set({ name: 'a', value: 'b' })))).to.equal('Unavailable');
    expect(await readiness()).to.match(/^The database file is damaged \(/);
  });

  for (const [what, change, words] of [
    ['is deleted', (file: string) => rmSync(file), 'The database file is gone while the service ran.'],
    [
      'is replaced',
      (file: string) => {
        copyFileSync(file, `${file}.copy`);
        renameSync(`${file}.copy`, file);
      },
      'The database file was replaced by another one while the service ran.',
    ],
  ] as const) {
    it(`acknowledges nothing after it ${what}, and the service is not ready`, async function () {
      skipOnWindows(this, 'it lets nobody delete a file that is open');
      await book();
      change(database.file);
      expect(await codeOf(book(TEN_FIFTEEN + 60))).to.equal('Unavailable');
      expect(await readiness()).to.equal(words);
    });
  }

  it('is ready again when the file is back', async function () {
    skipOnWindows(this, 'it lets nobody move a file that is open');
    renameSync(database.file, `${database.file}.away`);
    expect(await readiness()).to.equal('The database file is gone while the service ran.');
    renameSync(`${database.file}.away`, database.file);
    expect(await readiness()).to.equal(undefined);
    await book();
  });
});
