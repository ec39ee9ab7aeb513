import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Series } from './alarm-cases.ts';
import { RULES_FILE } from './rules-file.ts';

export const promtool = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
};

/** One promtool test: whether an alarm fires at that moment, given the series. */
export const alarmTest = (alarm: string, at: string, series: Series, rings: boolean, interval = '1m') => ({
  interval,
  input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
  promql_expr_test: [
    {
      expr: `count(count by (alertname) (ALERTS{alertname="${alarm}",alertstate="firing"}))`,
      eval_time: at,
      exp_samples: rings ? [{ labels: '{}', value: 1 }] : [],
    },
  ],
});

/** `folder` is for the file of the tests. */
export function runAlarmTests(
  folder: string,
  tests: readonly ReturnType<typeof alarmTest>[],
): ReturnType<typeof promtool> {
  const file = join(folder, 'tests.yaml');
  // JSON is YAML as well.
  writeFileSync(file, JSON.stringify({ rule_files: [RULES_FILE], evaluation_interval: tests[0]?.interval, tests }));
  return promtool('test', 'rules', file);
}
