import { postgresTestDatabase } from '../../support/database/open-test-store.ts';
import { newPostgresDatabase, ON_POSTGRES } from '../../support/database/test-database.ts';
import { auditSuite } from '../audit-suite.ts';

if (ON_POSTGRES) auditSuite('PostgreSQL', async () => postgresTestDatabase(await newPostgresDatabase()));
else it.skip('the audit trail on PostgreSQL: needs npm run ci -- postgres');
