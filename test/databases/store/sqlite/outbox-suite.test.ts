import { temporaryDatabase } from '../../../support/database/temporary-database.ts';
import { outboxSuite } from '../outbox-suite.ts';

outboxSuite('SQLite', async () => temporaryDatabase());
