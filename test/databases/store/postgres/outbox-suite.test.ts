import { postgresTestDatabase } from '../../../support/database/open-test-store.ts';
import { newPostgresDatabase, ON_POSTGRES } from '../../../support/database/test-database.ts';
import { outboxSuite } from '../outbox-suite.ts';

if (ON_POSTGRES) outboxSuite('PostgreSQL', async () => postgresTestDatabase(await newPostgresDatabase()));
else it.skip('the outbox in PostgreSQL: needs npm run ci -- postgres');
