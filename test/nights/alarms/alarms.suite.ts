import { expect } from 'chai';
import { perSuite } from '../../support/prepared.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { ALARM_CASES } from './alarm-cases.ts';
import { alarmTest, promtool, runAlarmTests } from './promtool.ts';
import { alarmNames, RULES_FILE } from './rules-file.ts';

describe('The alarms for Prometheus, in promtool', () => {
  const folder = perSuite(temporaryFolder);

  it('are rules that Prometheus can read', () => {
    const { status, said } = promtool('check', 'rules', RULES_FILE);
    expect(status, said).to.equal(0);
    expect(said).to.include(`SUCCESS: ${alarmNames().length} rules found`);
  });

  it('are all tested here', () => expect(Object.keys(ALARM_CASES)).to.have.members(alarmNames()));

  for (const [alarm, { at, rings, isSilent, interval }] of Object.entries(ALARM_CASES)) {
    it(`${alarm} fires when it must, and not when it must not`, () => {
      const { status, said } = runAlarmTests(folder.path, [
        ...rings.map((series) => alarmTest(alarm, at, series, true, interval)),
        ...isSilent.map((series) => alarmTest(alarm, at, series, false, interval)),
      ]);
      expect(status, said).to.equal(0);
    });
  }

  it('would fail this test if one did not fire', () => {
    const [[alarm, { at, isSilent, interval }] = expect.fail()] = Object.entries(ALARM_CASES);
    expect(
      runAlarmTests(
        folder.path,
        isSilent.map((series) => alarmTest(alarm, at, series, true, interval)),
      ).status,
    ).to.equal(1);
  });
});
