import { type Finding, ok, warning } from '../maintenance/finding.ts';
import type { Queries } from '../store/store.ts';
import { MessageStatus } from '../vocabulary/messages.ts';
import { quantity } from '../vocabulary/text.ts';

const HOUR_MS = 3_600_000;
/** A backup a day, and two hours for it. */
const OLD_MS = 26 * HOUR_MS;
const WAITS_LONG_MS = 5 * 60_000;

/**
 * What an operator looks at in the morning, as the database knows it. `now`: ms. With `recordsBackups`, backups are recorded in it: those by
 * pg_dump are not.
 */
export async function morningFindings(
  { facts, messageList }: Queries,
  now: number,
  recordsBackups: boolean,
): Promise<readonly Finding[]> {
  const backup = await facts.lastStart('last-backup');
  const cleaned = await facts.lastStart('cleaned-on');
  const since = await messageList.waitingSince(now);
  const queued = await messageList.count(MessageStatus.Queued);
  const dead = await messageList.count(MessageStatus.Dead);
  const waitedMs = since === undefined ? 0 : Math.max(0, now - since);
  const waiting =
    queued === 0
      ? 'no message is waiting'
      : `${quantity(queued, 'message')} waiting, the oldest that may be sent for ${spanText(waitedMs)}`;
  return [
    ...(recordsBackups ? [lastDone('backup', backup, now, 'tpws backup FILE makes one')] : []),
    lastDone('retention', cleaned, now, 'the running service does it every hour'),
    waitedMs > WAITS_LONG_MS
      ? warning('outbox', `${waiting}; docs/operating.md says what to look at.`)
      : ok('outbox', waiting),
    dead > 0
      ? warning('outbox', `${quantity(dead, 'message')} Dead; tpws outbox lists them, and sends them again.`)
      : ok('outbox', 'no message is Dead'),
  ];
}

function lastDone(subject: string, on: number | undefined, now: number, advice: string): Finding {
  if (on === undefined) return warning(subject, `There has been none yet; ${advice}.`);
  const text = `The last one was ${spanText(now - on)} ago`;
  return now - on > OLD_MS ? warning(subject, `${text}; ${advice}.`) : ok(subject, text);
}

/** Such as `3 hours`. */
export function spanText(ms: number): string {
  if (ms < 2 * 60_000) return quantity(Math.max(0, Math.round(ms / 1000)), 'second');
  if (ms < 2 * HOUR_MS) return quantity(Math.round(ms / 60_000), 'minute');
  return ms < 48 * HOUR_MS
    ? quantity(Math.round(ms / HOUR_MS), 'hour')
    : quantity(Math.round(ms / 24 / HOUR_MS), 'day');
}
