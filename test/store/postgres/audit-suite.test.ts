import { newPostgresDatabase, ON_POSTGRES } from '../../support/test-database.ts';
import { auditSuite } from '../audit-suite.ts';
import { postgresTestDatabase } from '../open-test-store.ts';

if (ON_POSTGRES) auditSuite('PostgreSQL', async () => postgresTestDatabase(await newPostgresDatabase()));
else it.skip('the audit trail on PostgreSQL: npm run test:postgres gives it a server');
