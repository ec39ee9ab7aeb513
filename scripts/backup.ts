// npm run backup -- FILE. docs/operating.md tells more.
import { backupCommand } from '../src/commands/backup/backup-command.ts';
import { thisProcess } from './this-process.ts';

process.exitCode = await backupCommand(process.argv.slice(2), thisProcess('backup'));
