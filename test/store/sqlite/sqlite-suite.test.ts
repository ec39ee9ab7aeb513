import { temporaryDatabase } from '../../support/database/temporary-database.ts';
import { storeSuite } from '../store-suite.ts';

storeSuite('the SQLite store', async () => temporaryDatabase());
