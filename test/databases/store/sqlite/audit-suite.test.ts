import { temporaryDatabase } from '../../../support/database/temporary-database.ts';
import { auditSuite } from '../audit-suite.ts';

auditSuite('SQLite', async () => temporaryDatabase());
