import type { Log } from '../log/log.ts';
import type { Turn } from './take-turn.ts';

/** Logs what a turn found that an operator may look for. */
export function reportTurn({ lost, expired, takenOver, hastened }: Turn, log: Log): void {
  if (hastened > 0) log.warn('messages queued before the clock was set back are due now', { count: hastened });
  for (const messageId of lost) log.info('message settled by a receipt or another process', { messageId });
  for (const messageId of expired) log.warn('message expired', { messageId });
  for (const { id, attempts } of takenOver) log.warn('message taken over', { messageId: id, attempt: attempts });
}
