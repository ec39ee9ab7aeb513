import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { perSuite } from '../support/prepared.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';
import { ALARM_CASES, type Series } from './alarm-cases.ts';
import { alarmNames, RULES_FILE } from './rules-file.ts';

const promtool = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
};

describe('The alarms for Prometheus, in promtool', () => {
  const folder = perSuite(temporaryFolder);

  /** One promtool test: whether the alarm fires at that moment, given the series. */
  const testOf = (alarm: string, at: string, series: Series, rings: boolean) => ({
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: `count(count by (alertname) (ALERTS{alertname="${alarm}",alertstate="firing"}))`,
        eval_time: at,
        exp_samples: rings ? [{ labels: '{}', value: 1 }] : [],
      },
    ],
  });

  function run(tests: readonly object[]): { status: number | null; said: string } {
    const file = join(folder.path, 'tests.yaml');
    // JSON is YAML as well.
    writeFileSync(file, JSON.stringify({ rule_files: [RULES_FILE], evaluation_interval: '1m', tests }));
    return promtool('test', 'rules', file);
  }

  it('are rules that Prometheus can read', () => {
    const { status, said } = promtool('check', 'rules', RULES_FILE);
    expect(status, said).to.equal(0);
    expect(said).to.include(`SUCCESS: ${alarmNames().length} rules found`);
  });

  it('are all tested here', () => expect(Object.keys(ALARM_CASES)).to.have.members(alarmNames()));

  for (const [alarm, { at, rings, isSilent }] of Object.entries(ALARM_CASES)) {
    it(`${alarm} fires when it must, and not when it must not`, () => {
      const { status, said } = run([
        ...rings.map((series) => testOf(alarm, at, series, true)),
        ...isSilent.map((series) => testOf(alarm, at, series, false)),
      ]);
      expect(status, said).to.equal(0);
    });
  }

  it('would fail this test if one did not fire', () => {
    const [[alarm, { at, isSilent }] = expect.fail()] = Object.entries(ALARM_CASES);
    expect(run(isSilent.map((series) => testOf(alarm, at, series, true))).status).to.equal(1);
  });
});
