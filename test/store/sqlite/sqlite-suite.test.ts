import { storeSuite } from '../store-suite.ts';
import { temporaryDatabase } from '../temporary-database.ts';

storeSuite('the SQLite store', async () => temporaryDatabase());
