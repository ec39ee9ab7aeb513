import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createLog } from '../../../src/log/log.ts';
import { createFileGateway } from '../../../src/messages/gateways/file-gateway.ts';
import { Retention, type RetentionDependencies } from '../../../src/service/retention.ts';
import type { Store } from '../../../src/store/store.ts';
import { ServiceError } from '../../../src/vocabulary/errors.ts';
import { MessageStatus } from '../../../src/vocabulary/messages.ts';
import type { TestDatabase } from '../../databases/store/store-suite.ts';
import { auditEntry } from '../../support/database/audit-entry.ts';
import { type Given, openHospital } from '../../support/database/hospital.ts';
import { newTestDatabase } from '../../support/database/open-test-store.ts';
import { patient } from '../../support/http/booking-parameters.ts';
import { expectMode } from '../../support/process/on-windows.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { outgoing } from '../messages/gateway-suite.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const NONE_SET = { messages: undefined, appointments: undefined, feedback: undefined, auditEvents: undefined };
/** Where the clock goes on for long without a service, which is otherwise doubted. */
const SURE = { isSure: true };
const CANCELLED = 7;
/** The `type` of a cancellation in a call. */
const CANCEL = 6;

describe('The retention', () => {
  let database: TestDatabase;
  let hospital: Awaited<ReturnType<typeof openHospital>>;
  let store: Store;
  let retentions: Retention[];
  beforeEach(async () => {
    database = await newTestDatabase();
    store = await database.open();
    hospital = await openHospital({}, store);
    retentions = [];
  });
  afterEach(async () => {
    await Promise.all(retentions.map((retention) => retention.stop()));
    await database.dispose();
  });

  function retention(
    days: Partial<RetentionDependencies['keptDays']>,
    on = store,
    messageFile: string | undefined = undefined,
  ) {
    const made = new Retention({
      store: on,
      log: createLog('silent'),
      clock: () => hospital.clock.now,
      newId: () => 'retention-1',
      messageFile,
      keptDays: { ...NONE_SET, ...days },
    });
    retentions.push(made);
    return made;
  }

  /** Queues a message and, unless it must wait, cancels it. */
  async function message(text: string, waits = false): Promise<number> {
    const record = await hospital.ok('Sent_SMS', { Mobileno: '9845012345', Message: text, tempid: 0, SMSmode: 0 });
    const id = Number(record.SMSID);
    if (!waits) await store.write(({ messageList }) => messageList.cancel({ id, now: hospital.clock.now }));
    return id;
  }
  const isKept = (id: number) => store.read(async ({ messageList }) => (await messageList.show({ id })) !== undefined);
  const auditCount = () => store.read(async ({ audit }) => (await audit.page({})).length);

  it('deletes finished messages that are old, and no others', async () => {
    const old = await message('old');
    const waiting = await message('old and waiting', true);
    hospital.clock.now += 30 * DAY;
    const fresh = await message('fresh');
    hospital.clock.now += DAY;
    expect(await retention({ messages: 30 }).clean()).to.include({ messages: 1 });
    expect([await isKept(old), await isKept(waiting), await isKept(fresh)]).to.deep.equal([false, true, true]);
    const { status } = (await store.read(({ messageList }) => messageList.show({ id: fresh }))) ?? {};
    expect(status).to.equal(CANCELLED);
  });

  it('deletes old rows of the audit trail, and no others', async () => {
    await message('one');
    hospital.clock.now += 10 * DAY;
    await message('two');
    const all = await auditCount();
    hospital.clock.now += DAY;
    const cleaned = await retention({ auditEvents: 5 }).clean();
    expect(cleaned?.auditEvents).to.be.at.least(1);
    // With the row about this.
    expect(await auditCount()).to.equal(all - (cleaned?.auditEvents ?? 0) + 1);
    const left = await store.read(({ audit }) => audit.page({}));
    expect(left.every(({ recordedOn }) => recordedOn >= hospital.clock.now - 5 * DAY)).to.equal(true);
    expect(left).not.to.deep.equal([]);
  });

  it('deletes appointments after their day, whatever their status, with an audit row that names them, and no others', async () => {
    const idOf = async (values: Given) => Number((await hospital.book(values)).AppointmentID);
    const cancelled = await idOf({});
    const standing = await idOf({ ...patient(2), Name: 'Meera Nair', app_time: '11:00' });
    const later = await idOf({ ...patient(3), Name: 'Kiran Rao', app_date: '2027-01-19' });
    for (const id of [cancelled, later]) {
      const move = { AppointmentID: id, type: CANCEL, appdate: '', apptime: '', centerid: 1 };
      await hospital.ok('Appointment_Status_Updates', move);
    }
    const left = () =>
      store.read(async ({ appointments }) => {
        const found = await Promise.all(
          [cancelled, standing, later].map((id) => appointments.byId({ id, centerId: 1 })),
        );
        return found.map((row) => row?.id);
      });
    const cleaning = retention({ appointments: 30 });
    // 18 January is over everywhere at noon UTC on the 19th.
    const over = Date.UTC(2027, 0, 19, 12) + 30 * DAY;
    hospital.clock.now = over - HOUR;
    expect(await cleaning.clean(SURE)).to.include({ appointments: 0 });
    expect(await left()).to.deep.equal([cancelled, standing, later]);
    hospital.clock.now = over;
    expect(await cleaning.clean(SURE)).to.include({ appointments: 2 });
    expect(await left()).to.deep.equal([undefined, undefined, later]);
    expect(await store.read(({ audit }) => audit.page({ client: 'the service' }))).to.have.length(1);
    const [row] = await store.read(({ audit }) => audit.page({ client: 'the service' }));
    expect(row).to.include({ operation: 'DeleteAppointments', action: 'E', outcome: 0, errorCode: '2 deleted' });
    expect(row?.shown?.split(' ').sort()).to.deep.equal([`1/${cancelled}`, `1/${standing}`]);
    // Its number is never given to another appointment.
    const next = { ...patient(4), Name: 'Anil Das', app_date: '2027-03-01', app_time: '12:00' };
    expect(await idOf(next)).to.be.above(later);
  });

  it('deletes old feedback, with an audit row, and no other feedback', async () => {
    const send = (ipno: string) => hospital.ok('FB_Push_Details', { ipno, dept: 'Nursing' });
    await send('IP-1');
    hospital.clock.now += 30 * DAY;
    await send('IP-2');
    hospital.clock.now += 1;
    expect(await retention({ feedback: 30 }).clean()).to.include({ feedback: 1 });
    const kept = await store.read(({ patients }) => patients.feedbackAfter({ id: 0 }));
    expect(kept.map((row) => row.inpatient_number)).to.deep.equal(['IP-2']);
    const rows = await store.read(({ audit }) => audit.page({ client: 'the service' }));
    expect(rows.map(({ operation, errorCode }) => [operation, errorCode])).to.deep.equal([
      ['DeleteFeedback', '1 deleted'],
    ]);
    expect(rows[0]?.shown).to.equal('feedback:1');
  });

  it('ends a one-time password that was never sent when it expires, and deletes it after its period', async () => {
    const otp = { Mobileno: '9845012345', Message: 'Your code is 123456.', tempid: 0, SMSmode: 3 };
    const id = Number((await hospital.ok('Sent_SMS', otp)).SMSID);
    const status = () => store.read(async ({ messageList }) => (await messageList.show({ id }))?.status);
    const cleaning = retention({ messages: 90 });
    hospital.clock.now += 9 * 60_000;
    await cleaning.clean(SURE);
    expect(await status()).to.equal(MessageStatus.Queued);
    hospital.clock.now += HOUR;
    expect(await cleaning.clean(SURE)).to.include({ expired: 1, messages: 0 });
    expect(await status()).to.equal(MessageStatus.Expired);
    hospital.clock.now += 90 * DAY;
    expect(await cleaning.clean(SURE)).to.include({ messages: 1 });
    expect(await isKept(id)).to.equal(false);
  });

  it('writes a row when it deletes audit rows, and keeps the proofs that data was erased', async () => {
    await hospital.book();
    await store.write(({ audit }) => audit.add(auditEntry({ operation: 'Erase', recordedOn: hospital.clock.now })));
    hospital.clock.now += 366 * DAY;
    const deleted = (await retention({ auditEvents: 365 }).clean(SURE))?.auditEvents;
    expect(deleted).to.be.at.least(1);
    const left = await store.read(({ audit }) => audit.page({}));
    expect(left.map(({ operation, errorCode }) => [operation, errorCode])).to.deep.equal([
      ['Erase', null],
      ['DeleteAuditEvents', `${deleted} deleted`],
    ]);
  });

  it('moves the messages of earlier days to daily files, and deletes those that are old', async () => {
    const folder = temporaryFolder();
    const path = join(folder.path, 'sms.jsonl');
    const gateway = createFileGateway(path, { clock: () => hospital.clock.now, maySubmit: () => true });
    const first = `${path}.${new Date(hospital.clock.now).toISOString().slice(0, 10)}`;
    const textsOf = (file: string) => {
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
      return lines.map((line) => JSON.parse(line).text);
    };
    const clean = (messages?: number) => retention(messages === undefined ? {} : { messages }, store, path).clean(SURE);
    try {
      await gateway.send(outgoing({ text: 'old' }));
      utimesSync(path, hospital.clock.now / 1000, hospital.clock.now / 1000);
      hospital.clock.now += DAY;
      expect(await clean()).to.include({ messageFiles: 0 });
      expect(textsOf(path)).to.deep.equal(['old']);
      hospital.clock.now += HOUR;
      expect(await clean(30)).to.include({ messageFiles: 0 });
      expect(textsOf(first)).to.deep.equal(['old']);
      expectMode(first, 0o600);
      await gateway.send(outgoing({ text: 'new' }));
      hospital.clock.now += 30 * DAY;
      expect(await clean(30)).to.include({ messageFiles: 1 });
      expect(existsSync(first)).to.equal(false);
      const [left = ''] = readdirSync(folder.path).filter((name) => name.startsWith('sms.jsonl'));
      expect(textsOf(join(folder.path, left))).to.deep.equal(['new']);
    } finally {
      folder.remove();
    }
  });

  it('keeps everything for ever if told to', async () => {
    const old = await message('old');
    hospital.clock.now += 3650 * DAY;
    expect(await retention({ messages: Number.POSITIVE_INFINITY }).clean(SURE)).to.include({
      messages: 0,
      auditEvents: 0,
    });
    expect(await isKept(old)).to.equal(true);
  });

  it('deletes expired answers to an Idempotency-Key, in more than one transaction if there are many', async () => {
    const answerOf = (key: string) => store.read(({ idempotency }) => idempotency.answer({ key, since: 0 }));
    await store.write(async ({ idempotency }) => {
      for (let n = 0; n < 1200; n++) {
        await idempotency.keep({ key: `key-${n}`, fingerprint: 'f', answer: '{}', now: hospital.clock.now });
      }
    });
    hospital.clock.now += DAY - 1;
    await store.write(({ idempotency }) =>
      idempotency.keep({ key: 'key-0', fingerprint: 'f', answer: '{"a":1}', now: hospital.clock.now }),
    );
    hospital.clock.now += 1;
    const cleaned = await retention({ messages: Number.POSITIVE_INFINITY }).clean();
    expect(cleaned?.answers).to.equal(1199);
    expect(await answerOf('key-1')).to.equal(undefined);
    expect(await answerOf('key-0')).to.have.property('answer', '{"a":1}');
  });

  it('runs once an hour, in whichever process', async () => {
    const days = { messages: 1 };
    const other = retention(days, await database.open());
    const one = retention(days);
    const first = await Promise.all([one.clean(), other.clean()]);
    expect(first.filter((cleaned) => cleaned !== undefined)).to.have.length(1);
    hospital.clock.now += HOUR - 1;
    expect([await one.clean(), await other.clean()]).to.deep.equal([undefined, undefined]);
    hospital.clock.now += 1;
    expect(await other.clean()).not.to.equal(undefined);
  });

  it('continues after the clock was set back', async () => {
    const cleaning = retention({ messages: 1 });
    await cleaning.clean();
    hospital.clock.now -= 365 * DAY;
    expect(await cleaning.clean()).not.to.equal(undefined);
  });

  it('deletes appointments while nothing else is written, and the rest while only it deletes', async () => {
    const alone: boolean[] = [];
    const write: Store['write'] = (work, keys) => {
      alone.push(keys === undefined);
      return store.write(work, keys);
    };
    const recording = { read: store.read.bind(store), write, purge: () => store.purge() } as Store;
    await retention({ messages: 1, appointments: 1, feedback: 1, auditEvents: 1 }, recording).clean();
    // The claim of the hour, answers, expired messages, messages, appointments, feedback, the audit trail.
    expect(alone).to.deep.equal([false, false, false, false, true, false, false]);
  });

  it('waits for the next check while the database is away, which the log calls no error', async () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line: string) => void lines.push(line) });
    const away = new Retention({
      store: { ...store, write: () => Promise.reject(new ServiceError('Unavailable')) },
      log,
      clock: () => hospital.clock.now,
      newId: () => 'retention-1',
      keptDays: { messages: 1, appointments: 0, feedback: 0, auditEvents: 0 },
    });
    away.start();
    await away.stop();
    expect(lines.map((line) => JSON.parse(line)).map(({ level, msg }) => [level, msg])).to.deep.equal([
      [40, 'old rows are deleted later'],
    ]);
  });

  it('deletes at once what an operator wants to be deleted, although it was done within the hour', async () => {
    await retention({}).clean();
    await message('old');
    hospital.clock.now += 2 * DAY;
    await retention({}).clean();
    expect(await retention({ messages: 1 }).clean({ atOnce: true })).to.include({ messages: 1 });
  });
});
