import { newPostgresDatabase, ON_POSTGRES } from '../../support/test-database.ts';
import { postgresTestDatabase } from '../open-test-store.ts';
import { storeSuite } from '../store-suite.ts';

if (ON_POSTGRES) storeSuite('the PostgreSQL store', async () => postgresTestDatabase(await newPostgresDatabase()));
else it.skip('the PostgreSQL store: npm run test:postgres gives it a server');
