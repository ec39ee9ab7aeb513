// npm run outbox -- list|show|retry|cancel: the text messages that are waiting, were sent, or could not be sent. See docs/text-messages.md.
import { outboxCommand } from '../src/commands/outbox-command.ts';
import { thisProcess } from './this-process.ts';

process.exitCode = await outboxCommand(process.argv.slice(2), thisProcess('outbox'));
