import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root } from '../../house/source-files.ts';
import { perSuite } from '../../support/prepared.ts';
import { startService } from '../../support/process/start-service.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { promtool } from './promtool.ts';

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: Readonly<Record<'h' | 'w' | 'x' | 'y', number>>;
  readonly targets: readonly { readonly expr: string }[];
}

const { panels } = JSON.parse(readFileSync(new URL('deploy/prometheus/grafana-dashboard.json', root), 'utf8')) as {
  readonly panels: readonly Panel[];
};
const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

/** Only a service with TLS has the first. The others are of the Node process, which `serve` measures, not the test's service. */
const ELSEWHERE = /^(?:tpws_certificate_end_seconds|nodejs_\w+|tpws_connections\w*|tpws_log_lines_dropped)$/;

describe('The dashboard for Grafana', () => {
  const folder = perSuite(temporaryFolder);

  it('has panels of different numbers, in two columns, each with a query', () => {
    expect(new Set(panels.map(({ id }) => id)).size).to.equal(panels.length);
    const places = panels.map(({ gridPos: { x, y } }) => `${x} ${y}`);
    expect(new Set(places).size).to.equal(panels.length);
    for (const { title, targets, gridPos } of panels) {
      expect(targets, title).not.to.deep.equal([]);
      expect(gridPos.x + gridPos.w, title).to.be.at.most(24);
    }
  });

  it('has queries that Prometheus can read', () => {
    const rules = queries.map((expr, index) => ({ record: `query_${index}`, expr }));
    const file = join(folder.path, 'queries.yaml');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    const { status, said } = promtool('check', 'rules', file);
    expect(status, said).to.equal(0);
  });

  it('asks only for metrics that the service has, or the documentation names', async () => {
    const service = await startService();
    const documented = readFileSync(new URL('docs/operators/operating.md', root), 'utf8');
    const known = new Set([
      ...[...(await service.metrics.registry.metrics()).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name),
      ...[...documented.matchAll(/`(tpws_\w+)/g)].map(([, name = '']) => name).filter((name) => ELSEWHERE.test(name)),
      'nodejs_eventloop_lag_p99_seconds',
    ]);
    for (const expr of queries) {
      for (const [name] of expr.matchAll(/\b(?:tpws|nodejs)_\w+/g)) {
        expect(known, expr).to.include(name.replace(/_bucket$/, ''));
      }
    }
    await service.close();
  });
});
