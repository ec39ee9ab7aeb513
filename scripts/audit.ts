// npm run audit -- [--since DAY] [--until DAY] [--appointment ID] [--center ID] [--client NAME] [--format csv|ndjson|fhir] [--out FILE]:
// writes the audit trail. docs/audit.md describes its columns.
import { auditCommand } from '../src/commands/audit/audit-command.ts';
import { thisProcess } from './this-process.ts';

process.exitCode = await auditCommand(process.argv.slice(2), thisProcess('audit'));
