import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { alarmNames, rulesText } from '../nights/alarms/rules-file.ts';
import { anchorsIn } from './anchors-in.ts';
import { root } from './source-files.ts';

const operating = readFileSync(new URL('docs/operators/operating.md', root), 'utf8');

describe('The alarms for Prometheus', () => {
  it('each have an urgency, a description, an action and a link to the runbook', () => {
    const anchors = anchorsIn(operating);
    const alarms = rulesText().split('- alert: ').slice(1);
    for (const [index, name] of alarmNames().entries()) {
      const text = alarms[index] ?? '';
      expect(text, name).to.match(/^ {10}severity: (?:critical|warning)$/m);
      expect(text, name).to.match(/^ {10}summary: ".{20,}"$/m);
      expect(text, name).to.match(/^ {10}description: ".{20,}"$/m);
      const [, anchor] =
        /^ {10}runbook_url: file:\/\/\/opt\/tpwebservices\/docs\/operators\/operating\.md#(\w+)$/m.exec(text) ?? [];
      expect(anchor, name).to.equal(name.toLowerCase());
      expect(anchors, name).to.include(anchor);
    }
  });

  it('are those of the runbook, with their urgency', () => {
    const described = [...operating.matchAll(/^### (TPWebServices\w+)\n\n\*\*(\w+)\*\*: /gm)].map(
      ([, name, urgency = '']) => [name, urgency.toLowerCase()],
    );
    const rules = [...rulesText().matchAll(/- alert: (\w+)[\s\S]*?severity: (\w+)/g)].map(([, ...rule]) => rule);
    expect(described).to.deep.equal(rules);
  });
});
