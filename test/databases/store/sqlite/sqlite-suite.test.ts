import { temporaryDatabase } from '../../../support/database/temporary-database.ts';
import { schemaSuite } from '../schema-suite.ts';
import { storeSuite } from '../store-suite.ts';

storeSuite('the SQLite store', async () => temporaryDatabase());
schemaSuite('an SQLite file', async () => temporaryDatabase());
