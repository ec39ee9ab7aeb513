import { postgresTestDatabase } from '../../support/database/open-test-store.ts';
import { newPostgresDatabase, ON_POSTGRES } from '../../support/database/test-database.ts';
import { storeSuite } from '../store-suite.ts';

if (ON_POSTGRES) storeSuite('the PostgreSQL store', async () => postgresTestDatabase(await newPostgresDatabase()));
else it.skip('the PostgreSQL store: needs npm run ci -- postgres');
