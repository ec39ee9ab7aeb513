// npm run move -- --to URL: copies the whole database into another one. See docs/operating.md.
import { moveCommand } from '../src/commands/move-command.ts';
import { thisProcess } from './this-process.ts';

process.exitCode = await moveCommand(process.argv.slice(2), thisProcess('move'));
