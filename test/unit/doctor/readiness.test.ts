import { expect } from 'chai';
import { Readiness } from '../../../src/doctor/readiness.ts';
import { createLog } from '../../../src/log/log.ts';
import { openFile } from '../../../src/store/sqlite/database-file.ts';
import type { Store } from '../../../src/store/store.ts';
import { asLaterVersion } from '../../support/database/later-version.ts';
import { type TemporaryDatabase, temporaryDatabase } from '../../support/database/temporary-database.ts';
import { fillDisk, withConnections } from '../../support/database/with-connections.ts';

const log = createLog('silent');

describe('The readiness', () => {
  let database: TemporaryDatabase;
  let store: Store;
  beforeEach(async () => {
    database = temporaryDatabase();
    store = await database.open();
  });
  afterEach(() => database.dispose());

  async function change(sql: string): Promise<void> {
    const file = openFile(database.file);
    file.exec(sql);
    file.close();
    // Reads in one turn of the event loop see the same state.
    await new Promise(setImmediate);
  }

  it('is reported with the schema of this version', async () => {
    expect(await new Readiness(store, log).check()).to.equal(undefined);
  });

  it('is reported with a newer schema, while other replicas already run the next version', async () => {
    await change("INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-later', '')");
    expect(await new Readiness(store, log).check()).to.equal(undefined);
  });

  it('is not reported with an older schema', async () => {
    const readiness = new Readiness(store, log);
    expect(await asLaterVersion(() => readiness.check())).to.equal(
      'The schema of the database is that of an older version.',
    );
  });

  it('is reported while the disk is full, because reads are answered', async () => {
    const { store: full, connections } = await withConnections(() => database.open());
    fillDisk(connections[0]);
    const write = full.write(({ facts }) => facts.set({ name: 'much', value: 'x'.repeat(100_000) }));
    expect(await write.catch(({ code }) => code)).to.equal('Unavailable');
    expect(await new Readiness(full, log).check()).to.equal(undefined);
  });

  it('is logged when it changes, with the reason', async () => {
    const lines: string[] = [];
    const readiness = new Readiness(store, createLog('info', { write: (line: string) => void lines.push(line) }));
    await asLaterVersion(async () => {
      for (let times = 0; times < 2; times++) await readiness.check();
    });
    for (let times = 0; times < 2; times++) await readiness.check();
    expect(lines.map((line) => JSON.parse(line)).map(({ msg, reason }) => [msg, reason])).to.deep.equal([
      ['not ready', 'The schema of the database is that of an older version.'],
      ['ready again', undefined],
    ]);
  });

  it('does not wait for a database that hangs', async () => {
    const hanging = { flaw: () => undefined, read: () => new Promise<never>(() => {}) } as Partial<Store> as Store;
    expect(await new Readiness(hanging, log, 10).check()).to.equal('The database does not answer in time.');
  });
});
