import { expect } from 'chai';
import { recordShown } from '../../../src/commands/audit/record-run.ts';
import { auditQueries } from '../../../src/store/queries/audit-queries.ts';
import { commandFolder } from '../../support/commands/command-folder.ts';
import { perTest } from '../../support/prepared.ts';

const REFERENCE = ['--reference', 'request 7'] as const;

describe("The commands that show or copy patients' data", () => {
  const folder = perTest(() => commandFolder());
  beforeEach(async () => {
    await folder.inHospital(async (hospital) => {
      await hospital.book();
      await hospital.call('FB_Push_Details', { ipno: 'IP-7', moblieno: '9845012345', needsimprovementcommit: 'Tea' });
      await hospital.call('Sent_SMS', { Mobileno: '9845012345', Message: 'Hello', tempid: 0, SMSmode: 1 });
    });
  });

  /** The rows of commands, without what they have in common. */
  async function rows() {
    const { output } = await folder.audit('--format', 'ndjson');
    const all = output.map((line) => JSON.parse(line)).filter(({ Client }) => Client.startsWith('tpws '));
    return all.map(({ AuditID, RecordedOn, Outcome, ResultCode, CorrelationId, ...row }) => row);
  }
  const BY_PRIYA = { Action: 'R', Operator: 'priya' };

  const cases: Readonly<Record<string, [run: () => Promise<{ readonly code: number }>, row: object]>> = {
    'patient find': [
      () => folder.patient('find', '--phone', '9845012345', ...REFERENCE),
      { Operation: 'FindPatient', Client: 'tpws patient', Shown: '1/1 feedback:1 message:1', Reference: 'request 7' },
    ],
    'patient export': [
      () => folder.patient('export', 'appointment:1/1', 'message:1', ...REFERENCE),
      { Operation: 'ExportPatient', Client: 'tpws patient', Shown: '1/1 message:1', Reference: 'request 7' },
    ],
    'patient erase, without --yes': [
      () => folder.patient('erase', 'appointment:1/1', '--also-coming'),
      { Operation: 'FindPatient', Client: 'tpws patient', Shown: '1/1' },
    ],
    'patient correct': [
      () => folder.patient('correct', 'appointment:1/1', '--area', 'Hebbal', ...REFERENCE),
      { Operation: 'FindPatient', Client: 'tpws patient', Shown: '1/1', Reference: 'request 7' },
    ],
    export: [
      () => folder.export('appointments', 'feedback', ...REFERENCE),
      { Operation: 'Export', Client: 'tpws export', Move: 'Export of appointments, feedback', Reference: 'request 7' },
    ],
    'outbox show --text': [
      () => folder.outbox('show', '1', '--text', ...REFERENCE),
      { Operation: 'ShowMessage', Client: 'tpws outbox', SMSID: 1, Reference: 'request 7' },
    ],
  };
  for (const [name, [run, row]] of Object.entries(cases)) {
    it(`leave a row: ${name}`, async () => {
      expect((await run()).code).to.equal(0);
      expect(await rows()).to.deep.equal([{ ...BY_PRIYA, ...row }]);
    });
  }

  it('name the records of others whose texts mention the patient, before they show or erase anything', async () => {
    await folder.inHospital(async (hospital) => {
      await hospital.call('Sent_SMS', { Mobileno: '9845099999', Message: 'Call 9845012345', tempid: 0, SMSmode: 1 });
    });
    await folder.patient('find', '--phone', '9845012345');
    await folder.patient('erase', 'appointment:1/1', '--also-coming', '--yes');
    const seen = (await rows()).filter(({ Operation }) => Operation === 'FindPatient').map(({ Shown }) => Shown);
    expect(seen[0]).to.equal('1/1 feedback:1 message:1 message:2');
    expect(seen[1]).to.include('message:2');
  });

  it('name every record that they showed, in several rows if there are many', async () => {
    await folder.store(async (store) => {
      const base = { recordedOn: 0, operation: 'FindPatient', action: 'R', outcome: 0 } as const;
      const row = { ...base, client: 'tpws patient', correlationId: 'one' };
      const subjects = Array.from({ length: 1001 }, (_, index) => ({ messageId: index + 1 }));
      await recordShown(store, row, subjects);
    });
    const shown = (await rows()).map(({ Shown }) => Shown.split(' ').length);
    expect(shown).to.deep.equal([1000, 1]);
  });

  it('leave none if they show no patient', async () => {
    await folder.outbox('show', '1');
    await folder.outbox('list');
    expect(await rows()).to.deep.equal([]);
  });

  it('are found for the patient whom they showed', async () => {
    await folder.patient('export', 'appointment:1/1', 'message:1');
    const { output } = await folder.audit('--patient', 'message:1', '--format', 'ndjson');
    expect(output.map((line) => JSON.parse(line).Operation)).to.deep.equal(['Sent_SMS', 'ExportPatient']);
  });

  it('show nothing if the row cannot be written', async () => {
    const { add } = auditQueries;
    auditQueries.add = () => Promise.reject(new TypeError('no room for it'));
    try {
      for (const [run] of Object.values(cases))
        expect(await run())
          .to.include({ code: 1 })
          .and.have.deep.property('output', []);
    } finally {
      auditQueries.add = add;
    }
  });

  for (const reference of ['', 'x'.repeat(201), 'a\nb']) {
    it(`refuse the reference ${JSON.stringify(reference).slice(0, 12)}`, async () => {
      const { code, errors } = await folder.export('--reference', reference);
      expect(code).to.equal(2);
      expect(errors.join()).to.include('Expected 1 to 200 characters, none of them invisible.');
      expect(await rows()).to.deep.equal([]);
    });
  }
});
