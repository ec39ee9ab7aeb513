import { expect } from 'chai';
import type { AuditEvent, AuditFilter } from '../../src/store/queries/audit-queries.ts';
import type { Store } from '../../src/store/store.ts';
import { auditEntry } from '../support/database/audit-entry.ts';
import type { TestDatabase } from './store-suite.ts';

/** What every database must do with the audit trail. */
export function auditSuite(title: string, newDatabase: () => Promise<TestDatabase>): void {
  describe(`The audit trail on ${title}`, () => {
    let database: TestDatabase;
    let store: Store;
    beforeEach(async () => {
      database = await newDatabase();
      store = await database.open();
    });
    afterEach(() => database.dispose());

    const add = (...entries: readonly Parameters<typeof auditEntry>[0][]) =>
      store.write(async ({ audit }) => {
        for (const entry of entries) await audit.add(auditEntry(entry));
      });
    const page = (filter: AuditFilter, after?: AuditEvent) => store.read(({ audit }) => audit.page(filter, after));
    const times = async (filter: AuditFilter) => (await page(filter)).map(({ recordedOn }) => recordedOn);

    it('stores every column unchanged', async () => {
      const entry = {
        ...auditEntry(),
        errorCode: 'Internal',
        doctorId: 102,
        day: '2026-11-20',
        feedbackId: 5,
        messageId: 6,
        moveName: 'Reschedule',
        corrected: 'title,Age',
        fromStatus: 2,
        toStatus: 3,
        fromStart: 4,
        toStart: 5,
      };
      await add(entry);
      const { now, ...rest } = entry;
      expect(await page({})).to.deep.equal([{ id: 1, recordedOn: now, ...rest }]);
    });

    it('returns null for a column without a value', async () => {
      await add({ operation: undefined, transport: undefined, resultCode: undefined, appointmentId: undefined });
      const [row] = await page({});
      expect(row).to.include({
        operation: null,
        transport: null,
        resultCode: null,
        appointmentId: null,
        toStart: null,
      });
    });

    it('refuses an action and an outcome that FHIR does not have', async () => {
      for (const wrong of [{ action: 'X' as 'C' }, { outcome: 5 as 4 }]) {
        await add(wrong).then(
          () => expect.fail('it was kept'),
          () => {},
        );
      }
      expect(await page({})).to.deep.equal([]);
    });

    it('is read by time, appointment, center and client', async () => {
      await add({ now: 3 }, { now: 1, appointmentId: 7 }, { now: 2, centerId: 9 }, { now: 4, client: 'kiosk' });
      expect(await times({})).to.deep.equal([1, 2, 3, 4]);
      expect(await times({ since: 2, until: 4 })).to.deep.equal([2, 3]);
      expect(await times({ appointmentId: 7 })).to.deep.equal([1]);
      expect(await times({ centerId: 9 })).to.deep.equal([2]);
      expect(await times({ client: 'kiosk', centerId: 1 })).to.deep.equal([4]);
    });

    it('is read page by page, each row once, even if many have the same time', async () => {
      await add(...Array.from({ length: 2345 }, (_, n) => ({ now: Math.floor(n / 700), appointmentId: n })));
      const seen: (number | null)[] = [];
      for (let last: AuditEvent | undefined; ; ) {
        const rows: readonly AuditEvent[] = await page({}, last);
        if (rows.length === 0) break;
        seen.push(...rows.map(({ appointmentId }) => appointmentId));
        last = rows.at(-1);
      }
      expect(seen).to.deep.equal(Array.from({ length: 2345 }, (_, n) => n));
    });

    it('deletes what is older than an instant, a thousand rows at a time, and nothing else', async () => {
      await add(...Array.from({ length: 1500 }, () => ({ now: 1 })), { now: 9 }, { now: 10 }, { now: 11 });
      const forget = () => store.write(({ audit }) => audit.forget(10));
      expect([await forget(), await forget(), await forget()]).to.deep.equal([1000, 501, 0]);
      expect(await times({})).to.deep.equal([10, 11]);
      expect(await store.read(({ facts }) => facts.get('forget-audit'))).to.equal(undefined);
    });

    it('deletes nothing in a transaction that fails, and may delete in two processes at once', async () => {
      await add({ now: 1 });
      await store
        .write(async ({ audit }) => {
          await audit.forget(10);
          throw new Error('no');
        })
        .catch(() => {});
      expect(await times({})).to.deep.equal([1]);
      const other = await database.open();
      const counts = await Promise.all([store, other].map((each) => each.write(({ audit }) => audit.forget(10))));
      expect(counts.toSorted()).to.deep.equal([0, 1]);
    });
  });
}
