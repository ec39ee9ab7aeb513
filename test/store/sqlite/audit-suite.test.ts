import { auditSuite } from '../audit-suite.ts';
import { temporaryDatabase } from '../temporary-database.ts';

auditSuite('SQLite', async () => temporaryDatabase());
