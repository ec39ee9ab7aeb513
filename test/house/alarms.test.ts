import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { alarmNames, rulesText } from '../alarms/rules-file.ts';
import { anchorsIn } from './anchors-in.ts';
import { root } from './source-files.ts';

describe('The alarms for Prometheus', () => {
  it('each have an urgency, a description, an action and a link to the runbook', () => {
    const runbook = anchorsIn(readFileSync(new URL('docs/runbook.md', root), 'utf8'));
    const alarms = rulesText().split('- alert: ').slice(1);
    for (const [index, name] of alarmNames().entries()) {
      const text = alarms[index] ?? '';
      expect(text, name).to.match(/^ {10}severity: (?:critical|warning)$/m);
      expect(text, name).to.match(/^ {10}summary: ".{20,}"$/m);
      expect(text, name).to.match(/^ {10}description: ".{20,}"$/m);
      const [, anchor] = /^ {10}runbook_url: file:\/\/\/opt\/tpwebservices\/docs\/runbook\.md#(\w+)$/m.exec(text) ?? [];
      expect(anchor, name).to.equal(name.toLowerCase());
      expect(runbook, name).to.include(anchor);
    }
  });

  it('are those that docs/operating.md lists', () => {
    const operating = readFileSync(new URL('docs/operating.md', root), 'utf8');
    expect(operating.match(/`TPWebServices\w+`/g)).to.deep.equal(alarmNames().map((name) => `\`${name}\``));
  });
});
