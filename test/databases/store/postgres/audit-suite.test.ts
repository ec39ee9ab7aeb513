import { expect } from 'chai';
import pg from 'pg';
import { auditCommand } from '../../../../src/commands/audit/audit-command.ts';
import { sessionsOf } from '../../../../src/store/postgres/postgres-session.ts';
import { SeenReference } from '../../../../src/store/queries/seen-reference.ts';
import { bindQueries } from '../../../../src/store/store.ts';
import { runHere } from '../../../support/commands/run-here.ts';
import { asAdministrator } from '../../../support/database/as-administrator.ts';
import { postgresTestDatabase } from '../../../support/database/open-test-store.ts';
import { newPostgresDatabase, ON_POSTGRES } from '../../../support/database/test-database.ts';
import { auditSuite } from '../audit-suite.ts';

if (ON_POSTGRES) {
  auditSuite('PostgreSQL', async () => postgresTestDatabase(await newPostgresDatabase()));

  it('PostgreSQL exports audit rows whatever time they have, page by page', async () => {
    const own = await newPostgresDatabase();
    await asAdministrator(own.url, (client) =>
      client.query(`ALTER TABLE audit_event DROP CONSTRAINT audit_event_recorded_on;
        INSERT INTO audit_event (recorded_on, action, outcome, client, correlation_id)
        SELECT time, 'R', 0, 'x', 'y' FROM unnest(ARRAY[-9223372036854775808, 9223372036854775807, 9007199254740993]) AS time,
          generate_series(1, 999);
        ALTER TABLE audit_event ADD CONSTRAINT audit_event_recorded_on CHECK (recorded_on BETWEEN 0 AND 8640000000000000) NOT VALID`),
    );
    const host = { environment: { DATABASE_URL: own.url } };
    const { output, errors } = await runHere(auditCommand, ['--format', 'ndjson'], host);
    expect(errors).to.equal('');
    const times = [...output.matchAll(/"RecordedOn":"(-?\d+)"/g)].map(([, time]) => time);
    const expected = ['-9223372036854775808', '9007199254740993', '9223372036854775807'];
    expect([...new Set(times)]).to.deep.equal(expected);
    expect(times).to.have.length(expected.length * 999);
    await own.remove();
  });

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
