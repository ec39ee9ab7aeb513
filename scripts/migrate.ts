// npm run migrate: brings the database's schema up to date. See docs/operating.md.
import { migrateCommand } from '../src/commands/migrate-command.ts';
import { thisProcess } from './this-process.ts';

process.exitCode = await migrateCommand(process.argv.slice(2), thisProcess('migrate'));
