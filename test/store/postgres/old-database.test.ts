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
} else it.skip('a database of version 0.1.0 in PostgreSQL: needs npm run test:postgres');
