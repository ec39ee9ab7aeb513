import { expect } from 'chai';
import type { MessageFate } from '../../../src/store/queries/outbox-fate.ts';
import { commandFolder, outputOf } from '../../support/commands/command-folder.ts';
import { perTest } from '../../support/prepared.ts';
import { TEST_NOW } from '../../support/process/start-service.ts';
import { newMessage } from '../messages/new-message.ts';

const MINUTE = 60_000;
/** Minutes. On PostgreSQL, its own clock says what is past, and that of these messages does not. */
const YEAR = 365 * 24 * 60;

describe('tpws outbox', () => {
  const folder = perTest(() => commandFolder());
  beforeEach(() => folder.store(async () => {}));

  const queue = (values: Parameters<typeof newMessage>[1] = {}) =>
    folder.store((store) => store.write(({ messages }) => messages.insert(newMessage(TEST_NOW, values))));
  /** Queues a message, claims it and records its fate. */
  const settled = async (values: Partial<MessageFate>) => {
    const id = await queue({ dueOn: TEST_NOW - MINUTE });
    await folder.store((store) =>
      store.write(async ({ outbox }) => {
        const times = { now: TEST_NOW - MINUTE, leasedUntil: TEST_NOW };
        await outbox.claim({ ...times, holder: 'one', limit: 1 });
        await outbox.record({ id, ...values } as MessageFate, 'one', TEST_NOW);
      }),
    );
    return id;
  };
  const dead = () => settled({ kind: 'ended', status: 8, code: 'busy' });
  const output = async (...args: readonly string[]) => outputOf(await folder.outbox(...args));
  const endOf = async (expected: number, args: readonly string[]) => {
    const { code, errors } = await folder.outbox(...args);
    expect(code).to.equal(expected);
    return errors;
  };
  const refusal = (...args: readonly string[]) => endOf(1, args);
  const mistake = (...args: readonly string[]) => endOf(2, args);

  it('lists the newest messages with counts, without number and text', async () => {
    await dead();
    await queue({ mode: 2, priority: 0, dueOn: TEST_NOW + 90 * MINUTE, tempid: 7, segments: 2 });
    const lines = await output('list');
    expect(lines).to.deep.equal([
      'Queued 1, Dead 1',
      'Times are in Asia/Kolkata.',
      'SMSID  Status  Mode         tempid  Segments  Tries  Queued               Due                  Code  Gateway',
      '2      Queued  promotional  7       2         0      2026-11-20T08:30:00  2026-11-20T10:00:00',
      '1      Dead    service      0       1         1      2026-11-20T08:30:00                       busy',
    ]);
  });

  it('lists the messages with one status, up to a limit', async () => {
    await dead();
    await dead();
    await queue();
    const lines = await output('list', '--status', 'Dead', '--limit', '1');
    expect(lines.slice(3).map((line) => line.split(' ')[0])).to.deep.equal(['2']);
  });

  it('reports an empty outbox', async () => expect(await output('list')).to.deep.equal(['No messages.']));

  it('shows one message without number and text, and with them on request', async () => {
    await queue({ text: 'Dear Asha,\nwelcome.', header: 'HOSPTL', expiresOn: TEST_NOW + MINUTE });
    const lines = await output('show', '1');
    expect(lines).to.include.members([
      'id                    1',
      'status                1 Queued',
      'mobile                hidden; --text shows it',
      'text                  hidden; --text shows it',
      'mode                  1 service',
      'expires_on            2026-11-20T03:01:00.000Z',
      'header                HOSPTL',
    ]);
    expect(lines.join()).not.to.match(/98450|Asha/);
    expect(await output('show', '1', '--text')).to.include.members([
      'mobile                +919845012345',
      'text                  Dear Asha,\\u{a}welcome.',
    ]);
  });

  it('escapes characters that a terminal does not show', async () => {
    await queue({ text: 'Dear \u202eahsA' });
    expect(await output('show', '1', '--text')).to.include('text                  Dear \\u{202e}ahsA');
  });

  it('queues one dead message again, or all of them', async () => {
    for (let n = 0; n < 3; n++) await dead();
    expect(await output('retry', '2')).to.deep.equal(['Message 2 is queued again.']);
    expect(await output('retry', '--dead')).to.deep.equal(['2 messages are queued again.']);
    expect((await output('list'))[0]).to.equal('Queued 3');
  });

  it('queues those again that have a status, a code and a template and ended since a time, and says how many that is', async () => {
    await settled({ kind: 'ended', status: 7, code: '175' });
    await settled({ kind: 'ended', status: 7, code: '175' });
    await settled({ kind: 'ended', status: 7, code: '105' });
    const since = (minutes: number) => new Date(TEST_NOW - minutes * MINUTE).toISOString();
    const rejected = ['retry', '--status', 'Rejected'];
    expect(await output(...rejected, '--dry-run')).to.deep.equal(['3 messages would be queued again.']);
    expect(await output(...rejected, '--template', '7')).to.deep.equal(['0 messages are queued again.']);
    expect(await output(...rejected, '--code', '105', '--since', since(10 * YEAR))).to.deep.equal([
      '1 message is queued again.',
    ]);
    expect(await output(...rejected, '--code', '175', '--template', '0')).to.deep.equal([
      '2 messages are queued again.',
    ]);
  });

  it('does not queue again what may have arrived, unless it is told to', async () => {
    for (let n = 0; n < 2; n++) {
      const id = await settled({ kind: 'unanswered', until: TEST_NOW - 1, code: 'timeout' });
      await folder.store((store) =>
        store.write(async ({ outbox }) => {
          await outbox.claimUnanswered({ holder: 'one', now: TEST_NOW, leasedUntil: TEST_NOW + MINUTE, limit: 1 });
          await outbox.record({ kind: 'ended', id, status: 8, code: 'timeout' }, 'one', TEST_NOW);
        }),
      );
    }
    expect(await refusal('retry', '1')).to.deep.equal([
      'Message 1 may have arrived; --even-if-delivered queues it all the same.',
    ]);
    expect(await output('retry', '--dead')).to.deep.equal([
      '2 messages may have arrived, and are left out without --even-if-delivered.',
      '0 messages are queued again.',
    ]);
    expect(await output('retry', '1', '--even-if-delivered')).to.deep.equal(['Message 1 is queued again.']);
    expect(await output('retry', '--dead', '--even-if-delivered')).to.deep.equal(['1 message is queued again.']);
  });

  it('asks before it queues more than 100 again', async () => {
    for (let n = 0; n < 101; n++) await dead();
    expect(await refusal('retry', '--dead')).to.deep.equal(['101 messages would be queued again; add --yes to do so.']);
    expect(await output('retry', '--dead', '--yes')).to.deep.equal(['101 messages are queued again.']);
  });

  it('does not claim that messages written to a file were submitted', async () => {
    await settled({ kind: 'submitted', gateway: 'file ./data/sms.jsonl', reference: undefined });
    const before = await output('list');
    expect(before[0]).to.equal('Submitted 1 (1 written to a file)');
    expect(before.at(-1)).to.match(/^1 +Submitted +service .* file \.\/data\/sms\.jsonl$/);
    await settled({ kind: 'submitted', gateway: 'Kannel', reference: undefined });
    expect((await output('list'))[0]).to.equal('Submitted 2 (1 written to a file)');
  });

  it('counts only the messages with the status that is asked for, by the same name', async () => {
    await dead();
    await queue();
    expect((await output('list', '--status', 'Dead'))[0]).to.equal('Dead 1');
    expect(await output('list', '--status', 'Submitted')).to.deep.equal(['No messages.']);
  });

  it('gives programs a line of JSON for the count of each status and for each message', async () => {
    await dead();
    await queue({ dueOn: TEST_NOW + 90 * MINUTE });
    const records = (await output('list', '--json')).map((line) => JSON.parse(line));
    expect(records.slice(0, 2)).to.deep.equal([
      { Status: 'Queued', Messages: 1, InFile: 0 },
      { Status: 'Dead', Messages: 1, InFile: 0 },
    ]);
    const same = { Mode: 'service', tempid: 0, Segments: 1, Queued: '2026-11-20T03:00:00.000Z', Gateway: null };
    expect(records.slice(2)).to.deep.equal([
      { SMSID: 2, Status: 'Queued', ...same, Tries: 0, Due: '2026-11-20T04:30:00.000Z', Code: null },
      { SMSID: 1, Status: 'Dead', ...same, Tries: 1, Due: null, Code: 'busy' },
    ]);
    const [shown = ''] = await output('show', '1', '--json');
    expect(JSON.parse(shown)).to.include({ id: 1, status: '8 Dead', mobile: 'hidden; --text shows it' });
  });

  it('cancels a queued message', async () => {
    await queue();
    expect(await output('cancel', '1')).to.deep.equal(['Message 1 is cancelled.']);
    expect(await output('show', '1')).to.include.members([
      'status                7 Rejected',
      'last_code             cancelled',
    ]);
  });

  it('cancels many at once by age, template and status, and first says how many', async () => {
    const ago = (minutes: number, values: Parameters<typeof newMessage>[1] = {}) => {
      const message = newMessage(TEST_NOW - minutes * MINUTE, values);
      return folder.store((store) => store.write(({ messages }) => messages.insert(message)));
    };
    await dead();
    for (let n = 0; n < 2; n++) await ago(120, { tempid: 7 });
    await ago(120);
    await ago(0, { tempid: 7 });
    await ago(0);
    const counts = async () => (await output('list'))[0];
    const before = await counts();
    expect(await output('cancel', '--older-than', '60', '--dry-run')).to.deep.equal(['3 messages would be cancelled.']);
    expect(await counts()).to.equal(before);
    expect(await output('cancel', '--older-than', '60', '--template', '7')).to.deep.equal([
      '2 messages are cancelled.',
    ]);
    expect(await output('show', '2')).to.include.members([
      'status                7 Rejected',
      'last_code             cancelled',
    ]);
    expect(await counts()).to.equal('Queued 3, Rejected 2, Dead 1');
    expect(await output('cancel', '--template', '7')).to.deep.equal(['1 message is cancelled.']);
    expect(await output('cancel', '--status', 'Dead')).to.deep.equal(['1 message is cancelled.']);
    expect(await output('cancel', '--status', 'Queued')).to.deep.equal(['2 messages are cancelled.']);
    expect(await counts()).to.equal('Rejected 6');
  });

  it('cancels thousands in small transactions', async () => {
    await folder.store((store) =>
      store.write(async ({ messages }) => {
        for (let n = 0; n < 2100; n++) await messages.insert(newMessage(TEST_NOW));
      }),
    );
    expect(await output('cancel', '--status', 'Queued')).to.deep.equal(['2100 messages are cancelled.']);
  });

  it('cancels nothing unless messages are selected', async () => {
    await queue();
    const expected = ['Expected an SMSID, or at least one of --older-than, --template and --status.'];
    expect(await mistake('cancel')).to.deep.equal(expected);
    expect(await mistake('cancel', '--dry-run')).to.deep.equal(expected);
    expect(await mistake('cancel', '1', '--status', 'Queued')).to.deep.equal(expected);
    expect((await output('list'))[0]).to.equal('Queued 1');
  });

  it('says why it did not cancel or queue a message', async () => {
    await dead();
    await queue();
    const none = ['There is no message 9.'];
    for (const command of ['show', 'retry', 'cancel']) expect(await refusal(command, '9')).to.deep.equal(none);
    expect(await refusal('retry', '2')).to.deep.equal([
      'Message 2 is Queued; expected one that is Failed, Expired, Rejected or Dead.',
    ]);
    expect(await refusal('cancel', '1')).to.deep.equal(['Message 1 is Dead; expected one that is Queued.']);
    expect(await mistake('retry')).to.deep.equal(['Expected an SMSID, --status or --dead.']);
    expect(await mistake('retry', '--code', 'x')).to.deep.equal(['Expected an SMSID, --status or --dead.']);
    expect(await mistake('retry', '1', '--dead')).to.deep.equal(['Expected an SMSID, --status or --dead.']);
  });

  it('refuses invalid combinations of arguments', async () => {
    expect((await mistake('show', 'x')).join()).to.contain('Expected a whole number from 1');
    expect((await mistake('list', '--status', 'Lost')).join()).to.contain('Queued, Sending');
    expect((await mistake('list', '--limit', '0')).join()).to.contain('Expected a whole number from 1');
    expect((await mistake('delete', '1')).join()).to.contain('delete');
  });
});
