// npm run restore -- FILE. See docs/operating.md.
import { restoreCommand } from '../src/commands/backup/restore-command.ts';
import { thisProcess } from './this-process.ts';

process.exitCode = await restoreCommand(process.argv.slice(2), thisProcess('restore'));
