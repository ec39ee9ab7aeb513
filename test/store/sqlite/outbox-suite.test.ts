import { outboxSuite } from '../outbox-suite.ts';
import { temporaryDatabase } from '../temporary-database.ts';

outboxSuite('SQLite', async () => temporaryDatabase());
