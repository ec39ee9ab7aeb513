// npm run smoke -- URL [center]: calls every operation over every transport of a running service, and reports the result of each.
import { randomBytes } from 'node:crypto';
import { smokeCommand } from '../src/commands/smoke/smoke-command.ts';
import { thisProcess } from './this-process.ts';

process.exitCode = await smokeCommand(process.argv.slice(2), { ...thisProcess('smoke'), random: randomBytes });
