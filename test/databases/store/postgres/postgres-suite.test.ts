import { postgresTestDatabase } from '../../../support/database/open-test-store.ts';
import { newPostgresDatabase, ON_POSTGRES } from '../../../support/database/test-database.ts';
import { schemaSuite } from '../schema-suite.ts';
import { storeSuite } from '../store-suite.ts';

const newDatabase = async () => postgresTestDatabase(await newPostgresDatabase());

if (ON_POSTGRES) {
  storeSuite('the PostgreSQL store', newDatabase);
  schemaSuite('a PostgreSQL database', newDatabase);
} else {
  it.skip('the PostgreSQL store: needs npm run ci -- postgres');
}
