import { expect } from 'chai';
import pg from 'pg';
import { sessionsOf } from '../../../../src/store/postgres/postgres-session.ts';
import { SeenReference } from '../../../../src/store/queries/seen-reference.ts';
import { bindQueries } from '../../../../src/store/store.ts';
import { postgresTestDatabase } from '../../../support/database/open-test-store.ts';
import { newPostgresDatabase, ON_POSTGRES } from '../../../support/database/test-database.ts';
import { auditSuite } from '../audit-suite.ts';

if (ON_POSTGRES) {
  auditSuite('PostgreSQL', async () => postgresTestDatabase(await newPostgresDatabase()));

  it('PostgreSQL has an index for audit rows of a doctor and a patient', async () => {
    const own = await newPostgresDatabase();
    const pool = new pg.Pool({ connectionString: own.url, max: 1 });
    try {
      // In an empty table, reading all of it is the fastest.
      await pool.query('SET enable_seqscan = off');
      const session = sessionsOf(pool)(pool);
      const indexes: string[] = [];
      const run: typeof session.run = async (sql, parameters) => {
        const rows = await session.run(`EXPLAIN (COSTS OFF) ${sql}`, parameters);
        const plan = rows.map((row) => String(Object.values(row as object)[0])).join('\n');
        indexes.push(...[...plan.matchAll(/(?:using|Scan on) (audit_event_\w+)/g)].map(([, name = '']) => name));
        expect(plan).not.to.include('Seq Scan');
        return [];
      };
      const { audit } = bindQueries({ ...session, run }, new SeenReference(session, {}));
      await audit.page({ doctorId: 1 });
      expect(indexes.splice(0)).to.deep.equal(['audit_event_by_doctor']);
      await audit.ofRecords([{ centerId: 1, appointmentId: 12 }, { feedbackId: 7 }, { messageId: 5 }], {});
      expect(new Set(indexes)).to.deep.equal(
        new Set([
          'audit_event_by_appointment',
          'audit_event_showing',
          'audit_event_by_feedback',
          'audit_event_by_message',
        ]),
      );
    } finally {
      await pool.end();
      await own.remove();
    }
  });
} else it.skip('the audit trail on PostgreSQL: needs npm run ci -- postgres');
