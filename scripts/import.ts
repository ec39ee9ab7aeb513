// npm run import -- FILE…: imports reference data into the service's database. docs/reference-data.md describes the files' columns.
import { importCommand } from '../src/commands/import-command.ts';
import { thisProcess } from './this-process.ts';

process.exitCode = await importCommand(process.argv.slice(2), thisProcess('import'));
