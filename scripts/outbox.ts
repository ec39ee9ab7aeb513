// npm run outbox -- list|show|retry|cancel: the text messages that wait, were sent, or could not be. docs/text-messages.md tells more.
import { outboxCommand } from '../src/commands/outbox-command.ts';
import { thisProcess } from './this-process.ts';

process.exitCode = await outboxCommand(process.argv.slice(2), thisProcess('outbox'));
