import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { asAdministrator } from '../../support/database/as-administrator.ts';
import { postgresTestDatabase } from '../../support/database/open-test-store.ts';
import { emptyPostgresDatabase, ON_POSTGRES } from '../../support/database/test-database.ts';
import { describeOldDatabase } from '../old-database-suite.ts';

if (ON_POSTGRES) {
  describeOldDatabase(
    'postgres',
    async () => {
      const own = await emptyPostgresDatabase();
      return {
        ...postgresTestDatabase(own),
        execute: (sql) =>
          asAdministrator(own.url, async (client) => {
            await client.query(sql);
          }),
      };
    },
    { before: 'OVERRIDING SYSTEM VALUE', after: "SELECT setval('appointment_id_seq', 10017)" },
  );

  describe('A database of version 0.1.0 on postgres, with a service that is still booking', () => {
    it('keeps what that service committed during the upgrade', async () => {
      const own = await emptyPostgresDatabase();
      const database = postgresTestDatabase(own);
      const schema = readFileSync(new URL('../../fixtures/database-of-0.1.0/postgres.sql', import.meta.url), 'utf8');
      try {
        await asAdministrator(own.url, async (client) => {
          await client.query(`${schema}
            INSERT INTO center VALUES (1, 'A', 'Asia/Kolkata');
            INSERT INTO doctor VALUES (1, 1, 'Dr. A', NULL, NULL, NULL, 15, 1, 1)`);
          await client.query(`BEGIN; INSERT INTO appointment (center_id, doctor_id, day, starts_at, ends_at, seat, token_no, status,
              reschedule_count, patient_key, name, sex, phone, created_on, updated_on)
            VALUES (1, 1, 20000, 28800000, 28800015, 1, 1, 2, 0, 'N:asha', 'Asha Rao', 'F', '+919845012345', 1, 1)`);
          const opened = database.open();
          await asAdministrator(own.url, async (watcher) => {
            const waits = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'appointment'::regclass";
            while ((await watcher.query(waits)).rowCount === 0) await new Promise(setImmediate);
          });
          await client.query('COMMIT');
          const store = await opened;
          const kept = await store.read(({ appointments }) => appointments.byId(1, 1));
          expect(kept).to.include({ nameKey: 'asharao', startsAt: 28_800_000 });
        });
      } finally {
        await database.dispose();
      }
    });
  });
} else it.skip('a database of version 0.1.0 in PostgreSQL: needs npm run ci -- postgres');
