import { expect } from 'chai';
import { createLog } from '../../src/log/log.ts';
import { createRetention, type Retention, type RetentionDependencies } from '../../src/process/retention.ts';
import type { Store } from '../../src/store/store.ts';
import { type Given, openHospital } from '../support/database/hospital.ts';
import { type TemporaryDatabase, temporaryDatabase } from '../support/database/temporary-database.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const CANCELLED = 7;
/** The `type` of a cancellation in a call. */
const CANCEL = 6;

describe('The retention', () => {
  let database: TemporaryDatabase;
  let hospital: Awaited<ReturnType<typeof openHospital>>;
  let store: Store;
  let retentions: Retention[];
  beforeEach(async () => {
    database = temporaryDatabase();
    store = await database.open();
    hospital = await openHospital({}, store);
    retentions = [];
  });
  afterEach(async () => {
    await Promise.all(retentions.map((retention) => retention.stop()));
    await database.dispose();
  });

  function retention(days: Partial<RetentionDependencies['keptDays']>, on = store): Retention {
    const made = createRetention({
      store: on,
      log: createLog('silent', Date.now),
      clock: () => hospital.clock.now,
      newCorrelationId: () => 'retention-1',
      keptDays: { messages: 0, appointments: 0, feedback: 0, auditEvents: 0, ...days },
    });
    retentions.push(made);
    return made;
  }

  /** Queues a message and, unless it must wait, cancels it. */
  async function message(text: string, waits = false): Promise<number> {
    const record = await hospital.ok('Sent_SMS', { Mobileno: '9845012345', Message: text, tempid: 0, SMSmode: 0 });
    const id = Number(record.SMSID);
    if (!waits) await store.write(({ messageList }) => messageList.cancel(id, hospital.clock.now));
    return id;
  }
  const isKept = (id: number) => store.read(async ({ messageList }) => (await messageList.show(id)) !== undefined);
  const auditCount = () => store.read(async ({ audit }) => (await audit.page({})).length);

  it('deletes finished messages that are old, and no others', async () => {
    const old = await message('old');
    const waiting = await message('old and waiting', true);
    hospital.clock.now += 30 * DAY;
    const fresh = await message('fresh');
    hospital.clock.now += DAY;
    expect(await retention({ messages: 30, auditEvents: 0 }).clean()).to.include({ messages: 1, auditEvents: 0 });
    expect([await isKept(old), await isKept(waiting), await isKept(fresh)]).to.deep.equal([false, true, true]);
    const { status } = (await store.read(({ messageList }) => messageList.show(fresh))) ?? {};
    expect(status).to.equal(CANCELLED);
  });

  it('deletes old rows of the audit trail, and no others', async () => {
    await message('one');
    hospital.clock.now += 10 * DAY;
    await message('two');
    const all = await auditCount();
    hospital.clock.now += DAY;
    const cleaned = await retention({ messages: 0, auditEvents: 5 }).clean();
    expect(cleaned?.auditEvents).to.be.at.least(1);
    expect(await auditCount()).to.equal(all - (cleaned?.auditEvents ?? 0));
    const left = await store.read(({ audit }) => audit.page({}));
    expect(left.every(({ recordedOn }) => recordedOn >= hospital.clock.now - 5 * DAY)).to.equal(true);
    expect(left).not.to.deep.equal([]);
  });

  it('deletes appointments when their day and status are over, with an audit row, and no others', async () => {
    const idOf = async (values: Given) => Number((await hospital.book(values)).AppointmentID);
    const cancelled = await idOf({});
    const standing = await idOf({ RegistrationNumber: 'R-2', Name: 'Meera Nair', app_time: '11:00' });
    const later = await idOf({ RegistrationNumber: 'R-3', Name: 'Kiran Rao', app_date: '2027-01-19' });
    for (const id of [cancelled, later]) {
      const move = { AppointmentID: id, type: CANCEL, appdate: '', apptime: '', centerid: 1 };
      await hospital.ok('Appointment_Status_Updates', move);
    }
    const left = () =>
      store.read(async ({ appointments }) => {
        const found = await Promise.all([cancelled, standing, later].map((id) => appointments.byId(id, 1)));
        return found.map((row) => row?.id);
      });
    const cleaning = retention({ appointments: 30 });
    // 18 January is over everywhere at noon UTC on the 19th.
    const over = Date.UTC(2027, 0, 19, 12) + 30 * DAY;
    hospital.clock.now = over - HOUR;
    expect(await cleaning.clean()).to.include({ appointments: 0 });
    expect(await left()).to.deep.equal([cancelled, standing, later]);
    hospital.clock.now = over;
    expect(await cleaning.clean()).to.include({ appointments: 1 });
    expect(await left()).to.deep.equal([undefined, standing, later]);
    expect(await store.read(({ audit }) => audit.page({ client: 'the service' }))).to.have.length(1);
    const [row] = await store.read(({ audit }) => audit.page({ client: 'the service' }));
    expect(row).to.include({ operation: 'DeleteAppointments', action: 'E', outcome: 0, errorCode: '1 deleted' });
    // Its number is never given to another appointment.
    const next = { RegistrationNumber: 'R-4', Name: 'Anil Das', app_date: '2027-03-01', app_time: '12:00' };
    expect(await idOf(next)).to.be.above(later);
  });

  it('deletes old feedback, with an audit row, and no other feedback', async () => {
    const send = (ipno: string) => hospital.ok('FB_Push_Details', { ipno, dept: 'Nursing' });
    await send('IP-1');
    hospital.clock.now += 30 * DAY;
    await send('IP-2');
    hospital.clock.now += 1;
    expect(await retention({ feedback: 30 }).clean()).to.include({ feedback: 1 });
    const kept = await store.read(({ patients }) => patients.feedbackAfter(0));
    expect(kept.map((row) => row.inpatient_number)).to.deep.equal(['IP-2']);
    const rows = await store.read(({ audit }) => audit.page({ client: 'the service' }));
    expect(rows.map(({ operation, errorCode }) => [operation, errorCode])).to.deep.equal([
      ['DeleteFeedback', '1 deleted'],
    ]);
  });

  it('keeps everything for ever if told to', async () => {
    const old = await message('old');
    hospital.clock.now += 3650 * DAY;
    expect(await retention({ messages: 0, auditEvents: 0 }).clean()).to.include({ messages: 0, auditEvents: 0 });
    expect(await isKept(old)).to.equal(true);
  });

  it('deletes expired answers to an Idempotency-Key, in more than one transaction if there are many', async () => {
    const answerOf = (key: string) => store.read(({ idempotency }) => idempotency.answer({ key, since: 0, now: 0 }));
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
    const cleaned = await retention({ messages: 0, auditEvents: 0 }).clean();
    expect(cleaned?.answers).to.equal(1199);
    expect(await answerOf('key-1')).to.equal(undefined);
    expect(await answerOf('key-0')).to.have.property('answer', '{"a":1}');
  });

  it('runs once an hour, in whichever process', async () => {
    const days = { messages: 1, auditEvents: 0 };
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
    const cleaning = retention({ messages: 1, auditEvents: 0 });
    await cleaning.clean();
    hospital.clock.now -= 365 * DAY;
    expect(await cleaning.clean()).not.to.equal(undefined);
  });
});
