import { expect } from 'chai';
import { DEMO_FACT } from '../../../src/reference/demo-data.ts';
import { startMessage } from '../../../src/service/start-message.ts';
import { readConfig } from '../../../src/settings/config.ts';
import { withHospital } from '../../support/database/hospital.ts';
import { startService, TEST_NOW } from '../../support/process/start-service.ts';
import { ownContract } from '../../wire/contract/own-wsdl.ts';

const FACTS = {
  config: readConfig({ DEMO_DATA: 'true' }),
  contract: ownContract,
  endpoint: 'http://127.0.0.1:8080/TPWebServices.asmx',
  database: 'SQLite in memory',
  demoData: true,
  gateway: undefined,
  warnings: [],
  now: TEST_NOW,
};

/** The form of the printed curl line. */
const formOf = (message: string) => new URLSearchParams(/-d '([^']*)'/.exec(message)?.[1] ?? '');

describe('startMessage', () => {
  it('says where the service page, the WSDL and the data are', () => {
    expect(
      startMessage({ ...FACTS, demoData: false })
        .trim()
        .split('\n'),
    ).to.deep.equal([
      'TPWebServices is ready.',
      '  Service page  http://127.0.0.1:8080/TPWebServices.asmx',
      '  WSDL          http://127.0.0.1:8080/TPWebServices.asmx?wsdl',
      '  Data          SQLite in memory',
      '  Messages      are queued, not sent',
    ]);
  });

  /** What the checks of a start warn of, by subject, with settings. */
  async function warningsWith(environment: Readonly<Record<string, string>>) {
    const service = await startService({ environment: { DATABASE_CREATE: 'true', ...environment } });
    await service.store.write(({ facts }) => facts.set({ name: DEMO_FACT, value: 'loaded' }));
    return service.startWarnings();
  }
  const warned = async (environment: Readonly<Record<string, string>>) =>
    (await warningsWith(environment)).map(({ subject }) => subject);

  it("repeats the doctor's warnings, of what a start can see at once", async () => {
    expect(await warned({ DEMO_DATA: 'true' })).to.deep.equal([]);
    const open = { HOST: '0.0.0.0', SMS_GATEWAY: 'off', DEMO_DATA: 'false' };
    expect(await warned(open)).to.deep.equal(['PUBLIC_URL', 'access', 'TLS', 'text messages', 'demo data']);
    const [finding] = await warningsWith({ SMS_GATEWAY: 'file:./sms.jsonl', DEMO_DATA: 'false' });
    expect(startMessage({ ...FACTS, warnings: finding === undefined ? [] : [finding] })).to.match(
      /^WARNING: text messages: They are written to the file \.\/sms\.jsonl and reach no phone; set SMS_GATEWAY\.$/m,
    );
    expect(startMessage(FACTS)).to.not.contain('WARNING');
  });

  it('says where text messages are sent', () => {
    const message = startMessage({ ...FACTS, gateway: 'file ./data/sms.jsonl' });
    expect(message).to.contain('  Messages      go to file ./data/sms.jsonl\n');
  });

  it('mentions demo data, and how to book with it', () => {
    const message = startMessage(FACTS);
    expect(message).to.contain('SQLite in memory (with demo data)\n');
    expect(message).to.match(/^ {2}curl http:\/\/127\.0\.0\.1:8080\/TPWebServices\.asmx\/Fetch_Details -d '[^']+'$/m);
  });

  it('gives a value to every parameter', () => {
    const operation = ownContract.operations.find(({ name }) => name === 'Fetch_Details');
    expect([...formOf(startMessage(FACTS)).keys()]).to.deep.equal(operation?.parameters.map(({ name }) => name));
  });

  it('prints a booking that succeeds, at any time in several years', async () => {
    await withHospital({}, async (hospital) => {
      // A little over 7 hours: this covers every hour of the day and every day of the week.
      for (let n = 0; n < 300; n++) {
        const now = TEST_NOW + n * (7 * 3_600_000 + 61_234) * 13;
        hospital.clock.now = now;
        const given = Object.fromEntries(formOf(startMessage({ ...FACTS, now })));
        const { record } = await hospital.call('Fetch_Details', given);
        // Two starts that are days apart may find the same slot of one day; only that may fail.
        expect(record.ResultCode, `${now}: ${record.ResultText}`).to.be.oneOf([0, 14]);
      }
    });
  });

  it('prints another patient a second later', () => {
    const number = (now: number) => formOf(startMessage({ ...FACTS, now })).get('RegistrationNumber');
    expect(number(TEST_NOW)).not.to.equal(number(TEST_NOW + 1000));
  });
});
