// npm run export -- [--out FOLDER] [what…]: writes the service's data as CSV files. docs/reference-data.md describes their columns.
import { exportCommand } from '../src/commands/export-command.ts';
import { thisProcess } from './this-process.ts';

process.exitCode = await exportCommand(process.argv.slice(2), thisProcess('export'));
