import { smsStatusText } from '../messages/sms-text.ts';
import { DEMO_FACT } from '../reference/demo-data.ts';
import { MOST_COUNTED } from '../store/queries/message-list-queries.ts';
import { COPIED_FACT, copiedText } from '../store/sqlite/database-file.ts';
import type { Queries } from '../store/store.ts';
import { MessageStatus, UNDELIVERED } from '../vocabulary/messages.ts';
import { quantity } from '../vocabulary/text.ts';
import { type Check, type Finding, ok, type RecordContext, warning, wrong } from './finding.ts';

const HOUR_MS = 3_600_000;
/** A backup a day, and two hours for it. */
const OLD_MS = 26 * HOUR_MS;
const WAITS_LONG_MS = 5 * 60_000;

/** As many of the latest messages in a row say that the next one would probably not be accepted either. */
const ENOUGH_TO_WARN = 3;
const MOST_CODES = 3;
/** Percent of a file. */
const MUCH_FREE = 25;
/** NTP keeps clocks within a few milliseconds of each other. */
const MOST_CLOCK_DIFFERENCE_MS = 1000;
/** Messages and log lines are then visibly out of order. */
const LARGE_CLOCK_DIFFERENCE_MS = 60_000;

async function checkVitals({ queries, clock, machineClock }: RecordContext): Promise<readonly Finding[]> {
  const { freePages, behind, usedUp } = await queries.facts.vitals();
  return [
    ...(freePages === undefined ? [] : [freePagesFinding(freePages)]),
    // They are the same if the database has none of its own.
    ...(clock === machineClock ? [] : [clocksFinding(clock() - machineClock())]),
    numbersFinding(behind, usedUp),
  ];
}

function freePagesFinding(percent: number): Finding {
  const text = `${percent}% of the file`;
  return ok('free pages', percent < MUCH_FREE ? text : `${text}; VACUUM, while the service is stopped, frees them`);
}

function clocksFinding(aheadMs: number): Finding {
  const size = Math.abs(aheadMs);
  const text = `The database's clock is ${(size / 1000).toFixed(1)} s ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine's`;
  if (size <= MOST_CLOCK_DIFFERENCE_MS) return ok('clocks', text);
  return (size < LARGE_CLOCK_DIFFERENCE_MS ? warning : wrong)('clocks', `${text}; synchronize both with NTP.`);
}

function numbersFinding(behind: readonly string[], usedUp: readonly string[]): Finding {
  const advice = 'What to do: docs/operators/operating.md.';
  if (behind.length > 0) {
    return wrong('numbers', `New rows of ${behind.join(', ')} get numbers that others have or had. ${advice}`);
  }
  if (usedUp.length === 0) return ok('numbers', 'new rows get numbers that no row has');
  return warning('numbers', `More than half of the numbers of ${usedUp.join(', ')} are used up. ${advice}`);
}

/** Why nothing is deleted by a clock; undefined if there is no reason to doubt it. Rows that the same clock recorded meanwhile are none. */
export async function clockDoubt({ aheadMs }: Queries['facts'], now: number): Promise<string | undefined> {
  const ms = await aheadMs(now);
  if (ms === undefined) return undefined;
  const until = 'Nothing is deleted until it has gone on for a week, or tpws retention --yes says that it is right';
  return `The clock that counts is ${spanText(ms)} ahead of the last thing that it recorded here. ${until}.`;
}

export async function checkRecordedClock({ queries, clock }: RecordContext): Promise<readonly Finding[]> {
  const doubt = await clockDoubt(queries.facts, clock());
  return doubt === undefined ? [] : [warning('clock', doubt)];
}

async function checkBackup(context: RecordContext): Promise<readonly Finding[]> {
  const on = await context.queries.facts.lastStart('last-backup');
  return [lastDone('backup', on, context, 'docs/operators/operating.md says how to make and record one')];
}

async function checkCleaning(context: RecordContext): Promise<readonly Finding[]> {
  const on = await context.queries.facts.lastStart('cleaned-on');
  return [lastDone('retention', on, context, 'a running service does it every hour, or its log says why not')];
}

/** How long the oldest message that may be sent has waited; undefined if none has. */
async function waitedFor({ messageList }: Queries, now: number): Promise<number | undefined> {
  const since = await messageList.waitingSince(now);
  return since === undefined ? undefined : now - since;
}

async function checkOutbox({ queries, clock }: RecordContext): Promise<readonly Finding[]> {
  const { messageList } = queries;
  const waitedMs = await waitedFor(queries, clock());
  const queued = await messageList.count(MessageStatus.Queued);
  const dead = await messageList.count(MessageStatus.Dead);
  const oldest = waitedMs === undefined ? 'none for long' : `the oldest that may be sent for ${spanText(waitedMs)}`;
  const waiting = `${queued < MOST_COUNTED ? '' : 'at least '}${quantity(queued, 'message')} waiting, ${oldest}`;
  const advice = 'tpws outbox list --status Dead says why, tpws outbox retry --dead sends them again';
  return [
    (waitedMs ?? 0) > WAITS_LONG_MS
      ? warning('outbox', `${waiting}; docs/operators/operating.md says what to look at.`)
      : ok('outbox', queued === 0 ? 'no message is waiting' : waiting),
    dead > 0 ? warning('outbox', `${quantity(dead, 'message')} Dead; ${advice}.`) : ok('outbox', 'no message is Dead'),
  ];
}

/** What can be known of the gateway without sending it anything, whichever process sends. */
async function checkGateway({ queries, clock }: RecordContext): Promise<readonly Finding[]> {
  const { messageList } = queries;
  const now = clock();
  const dayAgo = now - 24 * HOUR_MS;
  const accepted = await messageList.acceptedOn({ since: dayAgo });
  const since = accepted ?? dayAgo;
  const codes = await messageList.failedCodes({ since, first: dayAgo, last: now - WAITS_LONG_MS });
  const text =
    accepted === null
      ? 'It accepted no message of the last 24 hours'
      : `It last accepted a message ${spanText(now - accepted)} ago`;
  const count = codes.reduce((sum, each) => sum + each.count, 0);
  if (count === 0) return [ok('gateway', accepted === null ? 'It was handed no message of the last 24 hours' : text)];
  const most = codes.toSorted((a, b) => b.count - a.count).slice(0, MOST_CODES);
  const tried = `${text}; ${quantity(count, 'message')} tried without success: ${most.map(({ code }) => code).join(', ')}`;
  // While it accepts nothing, few messages are tried, and the others wait.
  if (count < ENOUGH_TO_WARN && ((await waitedFor(queries, now)) ?? 0) <= WAITS_LONG_MS) return [ok('gateway', tried)];
  return [warning('gateway', `${tried}; docs/operators/text-messages.md says what the codes mean.`)];
}

/** As in deploy/prometheus: so many, and such a share, of all or of one template. Phones that are switched off are fewer. */
const MANY_UNDELIVERED = 5;
const SHARE_UNDELIVERED = 0.3;

/** What became of the messages of the last hour. Operators of networks in India reject those of a lapsed registration after accepting them. */
async function checkDeliveries({ queries, clock }: RecordContext): Promise<readonly Finding[]> {
  const ended = await queries.messageList.ended(clock() - HOUR_MS);
  const sum = (rows: typeof ended) => rows.reduce((total, { count }) => total + count, 0);
  const isUndelivered = ({ status }: { status: number }) => UNDELIVERED.includes(status);
  const isMuch = (rows: typeof ended) => {
    const count = sum(rows.filter(isUndelivered));
    return count >= MANY_UNDELIVERED && count > SHARE_UNDELIVERED * sum(rows);
  };
  const causes = ended.filter(isUndelivered).toSorted((a, b) => b.count - a.count);
  const text = `${sum(causes)} of ${quantity(sum(ended), 'message')} that ended in the last hour failed`;
  if (causes.length === 0) return [ok('deliveries', text)];
  const most = causes
    .slice(0, MOST_CODES)
    .map(({ count, status, code, tempid }) => `${count} ${smsStatusText(status)} ${code ?? ''} (template ${tempid})`);
  const byTemplate = Map.groupBy(ended, ({ tempid }) => tempid);
  if (![ended, ...byTemplate.values()].some(isMuch)) return [ok('deliveries', `${text}: ${most.join(', ')}`)];
  const advice = 'docs/operators/text-messages.md says what the codes mean';
  return [warning('deliveries', `${text}: ${most.join(', ')}; ${advice}.`)];
}

function lastDone(
  subject: 'backup' | 'retention',
  on: number | undefined,
  { clock, machineClock }: RecordContext,
  advice: string,
): Finding {
  const now = clock();
  if (on === undefined) return warning(subject, `None is recorded yet; ${advice}.`);
  if (on - now > HOUR_MS) {
    const whose = clock === machineClock ? "this machine's" : "the database server's";
    return warning(subject, `The last one is ${spanText(on - now)} ahead of ${whose} clock; set the clock.`);
  }
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

/** A file that the service goes on with although its data was copied elsewhere. */
async function checkCopied({ queries }: RecordContext): Promise<readonly Finding[]> {
  const fact = await queries.facts.get(COPIED_FACT);
  return fact === undefined ? [] : [wrong('database', copiedText(fact))];
}

/** A hospital's database that a trial has used: callers could book its demo doctors. */
export async function checkDemoData({ config, queries }: RecordContext): Promise<readonly Finding[]> {
  if (config.demoData || (await queries.facts.get(DEMO_FACT)) === undefined) return [];
  const text = 'The database contains it, although DEMO_DATA is off';
  return [warning('demo data', `${text}: docs/operators/importing.md says how to replace it.`)];
}

/** What the records tell in a few short queries. */
export const RECORD_CHECKS: readonly Check<RecordContext>[] = [
  checkVitals,
  checkRecordedClock,
  checkBackup,
  checkCleaning,
  checkOutbox,
  checkGateway,
  checkDeliveries,
  checkDemoData,
  checkCopied,
];
