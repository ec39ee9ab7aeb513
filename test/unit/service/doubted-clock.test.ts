import { expect } from 'chai';
import { retentionCommand } from '../../../src/commands/database-commands.ts';
import { createLog } from '../../../src/log/log.ts';
import { Retention } from '../../../src/service/retention.ts';
import type { Store } from '../../../src/store/store.ts';
import { doctorsLine } from '../../support/commands/doctors-line.ts';
import { runHere } from '../../support/commands/run-here.ts';
import { type Hospital, openHospital } from '../../support/database/hospital.ts';
import { type TemporaryDatabase, temporaryDatabase } from '../../support/database/temporary-database.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const DOUBT = /ahead of the last thing that it recorded here\. Nothing is deleted until/;

describe('A clock that is far ahead of what was recorded', () => {
  let database: TemporaryDatabase;
  let store: Store;
  let hospital: Hospital;
  beforeEach(async () => {
    database = temporaryDatabase();
    store = await database.open();
    hospital = await openHospital({}, store);
    await hospital.book();
    await clean();
  });
  afterEach(() => database.dispose());

  const keptDays = { messages: 90, appointments: 1, feedback: undefined, auditEvents: undefined };
  const clean = (leave = {}) =>
    new Retention({
      ...{ store, log: createLog('silent'), keptDays, newId: () => 'retention-1' },
      clock: () => hospital.clock.now,
    }).clean(leave);
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      (error: Error) => error.message,
    );
  const appointments = () =>
    store.read(async ({ appointments }) => ((await appointments.byId({ id: 1, centerId: 1 })) === undefined ? 0 : 1));
  const message = { Mobileno: '9845012345', Message: 'Hello', tempid: 0, SMSmode: 0 };

  for (const days of [100, 15 * 365]) {
    it(`deletes nothing, by ${days} days, even once it has recorded something itself`, async () => {
      hospital.clock.now += days * DAY;
      expect(await failure(clean())).to.match(DOUBT);
      await hospital.ok('Sent_SMS', message);
      hospital.clock.now += HOUR;
      expect(await failure(clean({ atOnce: true }))).to.match(DOUBT);
      expect(await appointments()).to.equal(1);
    });
  }

  it('is believed again once it is set right', async () => {
    hospital.clock.now += 100 * DAY;
    await failure(clean());
    hospital.clock.now -= 100 * DAY - 2 * HOUR;
    expect(await failure(clean())).to.equal('none');
  });

  it('is believed after a week of readings, and not if it leaps again meanwhile', async () => {
    for (const leap of [100 * DAY, 400 * DAY]) {
      hospital.clock.now += leap;
      expect(await failure(clean())).to.match(DOUBT);
      hospital.clock.now += 6 * DAY;
      expect(await failure(clean())).to.match(DOUBT);
    }
    hospital.clock.now += DAY;
    expect(await clean()).to.include({ appointments: 1 });
    hospital.clock.now += DAY;
    expect(await failure(clean())).to.equal('none');
  });

  it('deletes once an operator says that it is right', async () => {
    const now = hospital.clock.now + 400 * DAY;
    const run = (...args: readonly string[]) =>
      runHere(retentionCommand, args, {
        environment: { DATABASE_URL: `sqlite:${database.file}`, APPOINTMENT_RETENTION_DAYS: '1' },
        clock: () => now,
      });
    const refused = await run();
    expect([refused.code, refused.output]).to.deep.equal([1, '']);
    expect(refused.errors).to.match(/^The clock that counts is 400 days ahead /);
    expect(await appointments()).to.equal(1);
    const { code, output } = await run('--yes');
    expect([code, output.split('\n')[0]]).to.deep.equal([0, 'appointments: 1 deleted']);
  });

  it('is a finding of the doctor', async () => {
    await store.write(({ facts }) => facts.noteStart('cleaned-on', Date.now() - 30 * DAY));
    expect(await doctorsLine(`sqlite:${database.file}`, 'clock')).to.match(
      /warning +clock +The clock that counts is 30 days ahead of the last thing/,
    );
  });
});
