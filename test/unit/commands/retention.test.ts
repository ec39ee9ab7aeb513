import { expect } from 'chai';
import { retentionCommand } from '../../../src/commands/database-commands.ts';
import { runHere } from '../../support/commands/run-here.ts';
import { openHospital } from '../../support/database/hospital.ts';
import { temporaryDatabase } from '../../support/database/temporary-database.ts';

const DAY = 24 * 60 * 60 * 1000;

describe('tpws retention', () => {
  it('deletes what has expired, and says how much', async () => {
    const database = temporaryDatabase();
    const store = await database.open();
    const hospital = await openHospital({}, store);
    await hospital.ok('Sent_SMS', { Mobileno: '9845012345', Message: 'old', tempid: 0, SMSmode: 0 });
    await store.write(({ messageList }) => messageList.cancel({ id: 1, now: hospital.clock.now }));
    const { code, output, errors } = await runHere(retentionCommand, [], {
      environment: { DATABASE_URL: `sqlite:${database.file}`, OUTBOX_RETENTION_DAYS: '1' },
      clock: () => hospital.clock.now + 2 * DAY,
      newId: () => 'retention-1',
    });
    expect([code, errors]).to.deep.equal([0, '']);
    expect(output).to.equal(
      'appointments: 0 deleted\nmessages: 1 deleted\nfeedback: 0 deleted\naudit events: 0 deleted\nanswers: 0 deleted\nmessage files: 0 deleted\n',
    );
    await database.dispose();
  });
});
