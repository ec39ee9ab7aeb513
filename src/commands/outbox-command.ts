import { Argument, Option } from 'commander';
import { smsMode } from '../messages/sms-mode.ts';
import { smsStatusText } from '../messages/sms-text.ts';
import type { RetryChoice } from '../store/queries/message-list-queries.ts';
import type { Queries, Store } from '../store/store.ts';
import { OUTBOX_KEY } from '../store/store-keys.ts';
import { ServiceError } from '../vocabulary/errors.ts';
import { isFileGateway, MessageStatus } from '../vocabulary/messages.ts';
import { quantity, visibleText } from '../vocabulary/text.ts';
import { formatInstant, wallSecondTextAt } from '../vocabulary/time-zone.ts';
import { type Reference, recordRun, referenceOption, runRow } from './audit/record-run.ts';
import { type CommandHost, type DefineCommand, pastTime, UsageError, wholeNumber, withStore } from './command-host.ts';
import { readableRow } from './readable-rows.ts';
import { type Json, jsonOption, reportTo } from './report.ts';

const HIDDEN = 'hidden; --text shows it';
/** Of the names of a message's columns, with two blanks. */
const COLUMN_WIDTH = 22;

export const outboxCommand: DefineCommand = (command, host) => {
  command.description('Lists, retries and cancels the text messages in the outbox.');
  command
    .command('list')
    .description('counts the messages in each status, and lists the newest')
    .addOption(new Option('--status <word>', 'only messages of this status').choices(Object.keys(MessageStatus)))
    .option('--limit <count>', 'maximum number of messages to list', wholeNumber(1), 20)
    .addOption(jsonOption())
    .action((flags: ListFlags) => list(flags, host));
  command
    .command('show')
    .description('shows everything about one message')
    .addArgument(new Argument('<id>', 'its SMSID').argParser(wholeNumber(1)))
    .option('--text', 'also show its number and text')
    .addOption(jsonOption())
    .addOption(referenceOption())
    .action((id: number, flags: ShowFlags) => show(id, flags, host));
  command
    .command('retry')
    .description('requeues a message that failed, expired, was rejected or is dead')
    .addArgument(new Argument('[id]', 'its SMSID').argParser(wholeNumber(1)))
    .addOption(new Option('--status <word>', 'all of this status that are still valid').choices(RETRIABLE))
    .option('--dead', 'the same as --status Dead')
    .option('--code <code>', 'of them, those that ended with this code')
    .option('--template <tempid>', 'of them, those of this template; 0 means no template', wholeNumber(0))
    .option('--since <time>', 'of them, those that ended since then; a time with Z or an offset', pastTime(host))
    .option('--even-if-delivered', 'also those that may have arrived, because the gateway did not answer')
    .option('--yes', `do not ask, however many they are; otherwise asks if they are more than ${MOST_UNASKED}`)
    .option('--dry-run', 'only count them')
    .action((id: number | undefined, flags: RetryFlags) => retry(id, flags, host));
  command
    .command('cancel')
    .description(
      'cancels one queued message, or all that the options select; their status becomes 7 Rejected, with the code cancelled',
    )
    .addArgument(new Argument('[id]', 'its SMSID').argParser(wholeNumber(1)))
    .option('--older-than <minutes>', 'all that were queued more than this many minutes ago', wholeNumber(1))
    .option('--template <tempid>', 'all of this template; 0 means no template', wholeNumber(0))
    .addOption(new Option('--status <word>', 'all of this status; Queued if left out').choices(CANCELLABLE))
    .option('--dry-run', 'only count them')
    .action((id: number | undefined, flags: CancelFlags) => cancel(id, flags, host));
};

interface ShowFlags extends Reference, Json {
  readonly text?: boolean;
}

interface ListFlags extends Json {
  readonly status?: keyof typeof MessageStatus;
  readonly limit: number;
}

const RETRIABLE = ['Failed', 'Expired', 'Rejected', 'Dead'] as const;
/** So many messages are sent again without a question. */
const MOST_UNASKED = 100;

interface RetryFlags extends Pick<RetryChoice, 'code' | 'template' | 'since'> {
  readonly status?: (typeof RETRIABLE)[number];
  readonly dead?: boolean;
  readonly evenIfDelivered?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

const CANCELLABLE = ['Queued', 'Dead'] as const;

interface CancelFlags {
  readonly olderThan?: number;
  readonly template?: number;
  readonly status?: (typeof CANCELLABLE)[number];
  readonly dryRun?: boolean;
}

function list({ status: word, limit, ...flags }: ListFlags, host: CommandHost): Promise<void> {
  return withStore(host, {}, async (store, { hospital: { timeZone } }) => {
    const report = reportTo(host, flags);
    const status = word && MessageStatus[word];
    const { counts, messages } = await store.read(async ({ messageList }) => ({
      counts: await messageList.countByStatus({}),
      messages: await messageList.list({ status, limit }),
    }));
    const at = (instant: number) => wallSecondTextAt(instant, timeZone);
    const counted = counts.filter((each) => status === undefined || each.status === status);
    const totals = [...Map.groupBy(counted, (each) => smsStatusText(each.status))].map(([name, rows]) => {
      const sum = (some: typeof rows) => some.reduce((total, { count }) => total + count, 0);
      return { Status: name, Messages: sum(rows), InFile: sum(rows.filter(({ gateway }) => isFileGateway(gateway))) };
    });
    const inFile = (count: number) => (count === 0 ? '' : ` (${count} written to a file)`);
    const words = totals.map((total) => `${total.Status} ${total.Messages}${inFile(total.InFile)}`);
    report(words.join(', ') || 'No messages.', totals);
    if (messages.length === 0) return;
    report(`Times are in ${timeZone}.`);
    const records = messages.map((message) => ({
      SMSID: message.id,
      Status: smsStatusText(message.status),
      Mode: smsMode(message.mode).name,
      tempid: message.tempid,
      Segments: message.segments,
      Tries: message.attempts,
      Queued: message.queuedOn,
      Due: message.status === MessageStatus.Queued ? message.dueOn : null,
      Code: message.code,
      Gateway: message.gateway,
    }));
    const written = (write: (instant: number) => string) =>
      records.map((row) => ({ ...row, Queued: write(row.Queued), Due: row.Due && write(row.Due) }));
    const rows = written(at).map((row) => Object.values(row).map((cell) => visibleText(`${cell ?? ''}`)));
    const lines = [Object.keys(records[0] ?? {}), ...rows];
    const widths = rows[0]?.map((_, column) =>
      lines.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0),
    );
    const lineOf = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join('  ');
    report(lines.map((row) => lineOf(row).trimEnd()).join('\n'), written(formatInstant));
  });
}

function show(id: number, { text = false, ...flags }: ShowFlags, host: CommandHost): Promise<void> {
  return withStore(host, {}, async (store) => {
    const row = await store.read(({ messageList }) => messageList.show({ id }));
    if (row === undefined) throw unknownMessage(id);
    if (text) await recordRun(store, runRow(store, 'outbox', 'ShowMessage', host, flags, { messageId: id }));
    const cells = {
      ...readableRow(row),
      status: `${row.status} ${smsStatusText(row.status)}`,
      mode: `${row.mode} ${smsMode(row.mode).name}`,
      ...(text ? {} : { mobile: HIDDEN, text: HIDDEN }),
    };
    const lines = Object.entries(cells)
      .filter(([, value]) => value !== null)
      .map(([column, value]) => `${column.padEnd(COLUMN_WIDTH)}${visibleText(String(value))}`);
    reportTo(host, flags)(lines.join('\n'), [cells]);
  });
}

function retry(id: number | undefined, flags: RetryFlags, host: CommandHost): Promise<void> {
  return withStore(host, {}, async (store) => {
    const { dead, status = dead === true ? 'Dead' : undefined, evenIfDelivered = false, yes, dryRun, ...rest } = flags;
    const selects = status !== undefined || Object.keys(rest).length > 0 || yes === true || dryRun === true;
    if (id === undefined ? status === undefined : selects)
      throw new UsageError('Expected an SMSID, --status or --dead.');
    const now = store.clock();
    if (id !== undefined) return retryOne(store, id, evenIfDelivered, host);
    const choice = { ...rest, status: MessageStatus[status ?? 'Dead'], evenIfDelivered, now };
    const count = (more: object) => store.read(({ messageList }) => messageList.countUnsent({ ...choice, ...more }));
    const all = await count({});
    const uncertain = evenIfDelivered ? 0 : (await count({ evenIfDelivered: true })) - all;
    const say = (text: string) => host.output.write(`${text}\n`);
    if (uncertain > 0) {
      say(
        `${quantity(uncertain, 'message')} may have arrived, and ${uncertain === 1 ? 'is' : 'are'} left out without --even-if-delivered.`,
      );
    }
    if (dryRun === true) return void say(`${quantity(all, 'message')} would be queued again.`);
    if (all > MOST_UNASKED && yes !== true && !(await host.confirm(`Queue ${quantity(all, 'message')} again?`))) {
      throw new ServiceError('InvalidValue', `${quantity(all, 'message')} would be queued again; add --yes to do so.`);
    }
    const done = await untilNone(store, ({ messageList }) => messageList.sendChosenAgain(choice));
    say(`${quantity(done, 'message is', 'messages are')} queued again.`);
  });
}

async function retryOne(store: Store, id: number, evenIfDelivered: boolean, host: CommandHost): Promise<void> {
  const row = await store.read(({ messageList }) => messageList.show({ id }));
  if (!evenIfDelivered && row !== undefined && row.unanswered + row.takeovers > 0) {
    throw new ServiceError(
      'InvalidValue',
      `Message ${id} may have arrived; --even-if-delivered queues it all the same.`,
    );
  }
  const done = await store.write(({ messageList }) => messageList.sendAgain({ id, now: store.clock() }), [OUTBOX_KEY]);
  if (!done) throw await wrongStatus(store, id, 'expected one that is Failed, Expired, Rejected or Dead');
  host.output.write(`Message ${id} is queued again.\n`);
}

const MS_A_MINUTE = 60_000;

function cancel(id: number | undefined, flags: CancelFlags, host: CommandHost): Promise<void> {
  return withStore(host, {}, async (store) => {
    const { olderThan, template, status, dryRun } = flags;
    const selects = olderThan !== undefined || template !== undefined || status !== undefined;
    // Without any, a typing mistake could cancel all waiting messages.
    if (id === undefined ? !selects : Object.keys(flags).length > 0) {
      throw new UsageError('Expected an SMSID, or at least one of --older-than, --template and --status.');
    }
    const now = store.clock();
    if (id !== undefined) {
      const done = await store.write(({ messageList }) => messageList.cancel({ id, now }), [OUTBOX_KEY]);
      if (!done) throw await wrongStatus(store, id, 'expected one that is Queued');
      host.output.write(`Message ${id} is cancelled.\n`);
      return;
    }
    const queuedBefore = olderThan && now - olderThan * MS_A_MINUTE;
    const chosen = { status: MessageStatus[status ?? 'Queued'], now, queuedBefore, template };
    if (dryRun === true) {
      const count = await store.read(({ messageList }) => messageList.countChosen(chosen));
      host.output.write(`${quantity(count, 'message')} would be cancelled.\n`);
    } else {
      const count = await untilNone(store, ({ messageList }) => messageList.cancelChosen(chosen));
      host.output.write(`${quantity(count, 'message is', 'messages are')} cancelled.\n`);
    }
  });
}

/** Repeats what changes at most some messages at once, because nobody else can write meanwhile; returns how many it changed. */
async function untilNone(store: Store, change: (queries: Queries) => Promise<number>): Promise<number> {
  for (let count = 0; ; ) {
    const some = await store.write(change, [OUTBOX_KEY]);
    if (some === 0) return count;
    count += some;
  }
}

async function wrongStatus(store: Store, id: number, expected: string): Promise<ServiceError> {
  const row = await store.read(({ messageList }) => messageList.show({ id }));
  if (row === undefined) return unknownMessage(id);
  if (row.mobile === null) {
    return new ServiceError('InvalidValue', `Message ${id} was erased: its number and text are gone.`);
  }
  return new ServiceError('InvalidValue', `Message ${id} is ${smsStatusText(row.status)}; ${expected}.`);
}

const unknownMessage = (id: number): ServiceError => new ServiceError('NotFound', `There is no message ${id}.`);
