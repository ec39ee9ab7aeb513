// npm run backup -- FILE. See docs/operating.md.
import { backupCommand } from '../src/commands/backup/backup-command.ts';
import { thisProcess } from './this-process.ts';

process.exitCode = await backupCommand(process.argv.slice(2), thisProcess('backup'));
