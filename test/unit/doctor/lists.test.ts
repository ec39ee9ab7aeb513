import { expect } from 'chai';
import { recordFindings } from '../../../src/doctor/finding.ts';
import { checkLists } from '../../../src/doctor/lists.ts';
import { readConfig } from '../../../src/settings/config.ts';
import { addDoctors, fillDay } from '../../support/database/large-hospital.ts';
import { requestOver } from '../../support/http/four-transports.ts';
import { perTest } from '../../support/prepared.ts';
import { startService } from '../../support/process/start-service.ts';

describe('The doctor on lists', () => {
  const service = perTest(() => startService());

  const findings = async (environment: Readonly<Record<string, string>> = {}) => {
    const machine = { platform: process.platform, who: 'This process' };
    const { contract, clock, store } = service;
    const config = environment.RESULTS === undefined ? service.config : readConfig(environment);
    const context = { config, contract, environment, clock: () => clock.now, machine };
    return recordFindings([checkLists], context, store);
  };
  const answered = async (operation: string, parameters: Readonly<Record<string, string | number>>) => {
    const { url, ...init } = requestOver('soap11', service.endpoint, operation, parameters);
    return Buffer.byteLength(await (await fetch(url, init)).text());
  };
  it('finds nothing in a small hospital, and says how long its longest list of doctors is', async () => {
    const bytes = Math.max(
      await answered('GetDoctor', { centerid: 1 }),
      await answered('GetDoctor', { centerid: 2 }),
      await answered('GetDoctor', { centerid: 3 }),
    );
    expect(await findings()).to.deep.include({
      verdict: 'ok',
      subject: 'lists',
      text: `GetDoctor of center 1, the longest such list, has ${bytes} bytes`,
    });
  });

  it('warns of a center whose doctors are more than a VARCHAR2 takes, with the bytes of the real answer', async () => {
    await addDoctors(service.store, 250);
    const bytes = await answered('GetDoctor', { centerid: 2 });
    expect(bytes).to.be.within(32_768, 65_536);
    const [found] = await findings();
    expect(found?.verdict).to.equal('warning');
    expect(found?.text).to.match(
      new RegExp(`^GetDoctor of center 2, the longest such list, has ${bytes} bytes, more than the 32767 .*CLOB`),
    );
  });

  it('warns of 400 doctors, and of a day of 200 appointments, neither of which WCF takes by default', async function () {
    this.timeout(60_000);
    await addDoctors(service.store, 400);
    await fillDay(service.store);
    const sizes = [
      await answered('GetDoctor', { centerid: 2 }),
      await answered('OPAppointmentdetail', { doctorid: 900, appdate: '2027-01-18T00:00:00', centerid: 1 }),
    ];
    const found = await findings();
    expect(found.map(({ verdict }) => verdict)).to.deep.equal(['warning', 'warning']);
    for (const [index, bytes] of sizes.entries()) {
      expect(bytes).to.be.above(65_536);
      expect(found[index]?.text).to.include(`has ${bytes} bytes, more than the 65536 that WCF takes by default`);
    }
    expect(found[1]?.text).to.match(/^OPAppointmentdetail of doctor 900 of center 1 on .*18.* 2027/);
  });

  it('says nothing where callers get no results', async () => {
    expect(await findings({ RESULTS: 'none' })).to.deep.equal([]);
  });
});
