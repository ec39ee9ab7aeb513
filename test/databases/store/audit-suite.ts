import { expect } from 'chai';
import type { AuditEvent, AuditFilter, AuditSubject } from '../../../src/store/queries/audit-queries.ts';
import { auditEntry } from '../../support/database/audit-entry.ts';
import { perTest } from '../../support/prepared.ts';
import type { TestDatabase } from './store-suite.ts';

/** What every database must do with the audit trail. */
export function auditSuite(title: string, newDatabase: () => Promise<TestDatabase>): void {
  describe(`The audit trail on ${title}`, () => {
    const database = perTest(() => newDatabase());
    const store = perTest(() => database.open());

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
        shown: '1/12 feedback:7',
        operator: 'root',
        reference: 'request of a patient',
        moveName: 'Reschedule',
        corrected: 'title,Age',
        fromStatus: 2,
        toStatus: 3,
        fromStart: 4,
        toStart: 5,
      };
      await add(entry);
      expect(await page({})).to.deep.equal([{ id: 1, ...entry }]);
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

    it('is read by time, appointment, center, doctor, day, operation and client', async () => {
      await add(
        { recordedOn: 3 },
        { recordedOn: 1, appointmentId: 7 },
        { recordedOn: 2, centerId: 9 },
        { recordedOn: 4, client: 'kiosk' },
      );
      await add(
        { recordedOn: 5, doctorId: 103, operation: 'Sent_SMS' },
        { recordedOn: 6, doctorId: 103, day: '2026-11-20' },
      );
      expect(await times({ doctorId: 103 })).to.deep.equal([5, 6]);
      expect(await times({ day: '2026-11-20' })).to.deep.equal([6]);
      expect(await times({ operation: 'Sent_SMS' })).to.deep.equal([5]);
      expect(await times({ until: 5 })).to.deep.equal([1, 2, 3, 4]);
      expect(await times({ since: 2, until: 4 })).to.deep.equal([2, 3]);
      expect(await times({ appointmentId: 7 })).to.deep.equal([1]);
      expect(await times({ centerId: 9 })).to.deep.equal([2]);
      expect(await times({ client: 'kiosk', centerId: 1 })).to.deep.equal([4]);
    });

    describe('is read for a record, by time:', () => {
      const NONE = { appointmentId: undefined };
      const LIST = { ...NONE, operation: 'OPAppointmentdetail', action: 'R' } as const;
      const about = async (subject: AuditSubject, filter: AuditFilter = {}) =>
        (await store.read(({ audit }) => audit.ofRecords([subject], filter))).map(({ recordedOn }) => recordedOn);
      const APPOINTMENT = { centerId: 1, appointmentId: 12 };

      it('the lists, sums and commands that showed an appointment, and its own rows', async () => {
        await add(
          { recordedOn: 9, ...APPOINTMENT, doctorId: 102 },
          { recordedOn: 1, ...LIST, doctorId: 102, shown: '1/11 1/12 1/13' },
          { recordedOn: 3, ...LIST, operation: 'Appointment_Status', shown: '1/12' },
          { recordedOn: 2, ...LIST, operation: 'ExportPatient', centerId: undefined, shown: '2/8 1/12 feedback:7' },
        );
        expect(await about(APPOINTMENT)).to.deep.equal([1, 2, 3, 9]);
        expect(await about(APPOINTMENT, { since: 2, until: 9 })).to.deep.equal([2, 3]);
        expect(await about(APPOINTMENT, { operation: 'Appointment_Status' })).to.deep.equal([3]);
      });

      it('none that showed another center, another number or another doctor', async () => {
        await add(
          { recordedOn: 1, ...APPOINTMENT, doctorId: 102 },
          { recordedOn: 2, centerId: 2, appointmentId: 12, doctorId: 102 },
          { recordedOn: 3, ...LIST, doctorId: 102, shown: '1/1 1/123 1/112 2/12' },
          { recordedOn: 4, ...LIST, doctorId: 102, centerId: 2, shown: '2/12' },
          { recordedOn: 5, ...LIST, doctorId: 102 },
          { recordedOn: 6, ...LIST, centerId: undefined, shown: 'feedback:12 message:12' },
        );
        expect(await about(APPOINTMENT)).to.deep.equal([1]);
      });

      it('feedback and messages, with the commands that showed them', async () => {
        await add(
          { recordedOn: 1, ...NONE, feedbackId: 7 },
          { recordedOn: 2, ...NONE, messageId: 7 },
          { recordedOn: 3, ...NONE, centerId: undefined, shown: 'feedback:7 message:70' },
          { recordedOn: 4, ...NONE, centerId: undefined, shown: 'message:7' },
        );
        expect(await about({ feedbackId: 7 })).to.deep.equal([1, 3]);
        expect(await about({ messageId: 7 })).to.deep.equal([2, 4]);
        const both = await store.read(({ audit }) => audit.ofRecords([{ feedbackId: 7 }, { messageId: 70 }], {}));
        expect(both.map(({ recordedOn }) => recordedOn)).to.deep.equal([1, 3]);
      });
    });

    it('is read page by page, each row once, even if many have the same time', async () => {
      await add(...Array.from({ length: 2345 }, (_, n) => ({ recordedOn: Math.floor(n / 700), appointmentId: n })));
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
      await add(
        ...Array.from({ length: 1500 }, () => ({ recordedOn: 1 })),
        { recordedOn: 9 },
        { recordedOn: 10 },
        { recordedOn: 11 },
      );
      const forget = () => store.write(({ audit }) => audit.forget(10));
      expect([await forget(), await forget(), await forget()]).to.deep.equal([1000, 501, 0]);
      expect(await times({})).to.deep.equal([10, 11]);
      expect(await store.read(({ facts }) => facts.get('forget-audit'))).to.equal(undefined);
    });

    it('deletes nothing in a transaction that fails, and may delete in two processes at once', async () => {
      await add({ recordedOn: 1 });
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
