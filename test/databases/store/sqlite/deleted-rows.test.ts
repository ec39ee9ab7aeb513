import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { createLog } from '../../../../src/log/log.ts';
import { Retention } from '../../../../src/service/retention.ts';
import { openFile } from '../../../../src/store/sqlite/database-file.ts';
import type { Store } from '../../../../src/store/store.ts';
import { AppointmentStatus } from '../../../../src/vocabulary/appointments.ts';
import { type TemporaryDatabase, temporaryDatabase } from '../../../support/database/temporary-database.ts';
import { addDoctors, appointment, TEN_FIFTEEN } from '../store-suite.ts';

const DAY = 24 * 60 * 60 * 1000;
const COUNT = 1500;

describe('Deleted rows in SQLite’s files', () => {
  let database: TemporaryDatabase;
  let store: Store;
  beforeEach(async () => {
    database = temporaryDatabase();
    store = await database.open();
    await addDoctors(store);
  });
  afterEach(() => database.dispose());

  /** Names that can be found in a file; of many lengths, so that pages are split and joined. */
  const nameOf = (n: number) => `Gone${'x'.repeat(n % 61)}-${n}-`;
  const kept = (n: number) => n % 10 === 0;

  /** For the file and its log: how many of the deleted names, and of the kept ones, are in them. */
  function found(): { readonly deleted: number; readonly kept: number } {
    const files = [database.file, `${database.file}-wal`].filter(existsSync).map((file) => readFileSync(file));
    const isThere = (n: number) => files.some((bytes) => bytes.includes(nameOf(n)));
    const numbers = Array.from({ length: COUNT }, (_, n) => n).filter(isThere);
    return { deleted: numbers.filter((n) => !kept(n)).length, kept: numbers.filter(kept).length };
  }

  it('are almost gone after retention, even while the service runs, and entirely gone after VACUUM', async () => {
    const minute = (n: number) => TEN_FIFTEEN + n * 15 + (kept(n) ? 365 * 1440 : 0);
    // In an order that fills pages everywhere.
    const order = Array.from({ length: COUNT }, (_, n) => (n * 7) % COUNT);
    for (let from = 0; from < COUNT; from += 100) {
      await store.write(async ({ appointments, feedback }) => {
        for (const n of order.slice(from, from + 100)) {
          const name = nameOf(n);
          const status = kept(n) ? AppointmentStatus.Booked : AppointmentStatus.Cancelled;
          const values = {
            name,
            nameKey: name,
            registrationKey: name,
            registrationNumber: name,
            area: `${name} Street`,
            email: `${name}@example.org`,
          };
          await appointments.insert(appointment({ ...values, status, startsAt: minute(n), day: '2027-01-18' }));
          const comment = `${nameOf(n)} was content.`;
          const client = 'desk';
          if (!kept(n)) {
            await feedback.insert({
              client,
              inpatientNumber: name,
              room: null,
              mobile: null,
              department: null,
              comment,
              receivedOn: 0,
            });
          }
        }
      });
    }
    expect(found()).to.deep.equal({ deleted: 1350, kept: 150 });
    const retention = new Retention({
      store,
      log: createLog('silent'),
      clock: () => TEN_FIFTEEN * 60_000 + 100 * DAY,
      newId: () => 'retention-1',
      keptDays: { messages: undefined, appointments: 30, feedback: 30, auditEvents: undefined },
    });
    expect(await retention.clean({ isSure: true })).to.include({ appointments: 1350, feedback: 1350 });
    // Where SQLite had split a page, its unused bytes may contain a copy. Without secure_delete, nine in ten names are found.
    expect(found().deleted).to.be.below(COUNT / 100);
    await store.close();
    const vacuumed = openFile(database.file);
    vacuumed.exec('VACUUM');
    vacuumed.close();
    expect(found()).to.deep.equal({ deleted: 0, kept: 150 });
  });

  it('are gone after the next run if a reader kept what another process erased in the log', async () => {
    const name = nameOf(0);
    await store.write(({ appointments }) => appointments.insert(appointment({ name, nameKey: name })));
    const reader = openFile(database.file, { readOnly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM appointment').get();
    const command = await database.open();
    await command.write(({ patients }) => patients.eraseAppointment({ centerId: 1, id: 1, now: 0 }));
    await command.purge();
    await command.close();
    reader.close();
    expect(found().kept).to.equal(1);
    const keptDays = { messages: undefined, appointments: undefined, feedback: undefined, auditEvents: undefined };
    const dependencies = { store, log: createLog('silent'), clock: Date.now, newId: () => 'retention-1' };
    await new Retention({ ...dependencies, keptDays }).clean();
    expect(found().kept).to.equal(0);
  });
});
