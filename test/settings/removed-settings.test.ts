import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { readConfig, removed, SETTING_GROUPS } from '../../src/settings/config.ts';

const CHANGELOG = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
const names = SETTING_GROUPS.flatMap(({ settings }) => Object.keys(settings));
const section = /### Removed\n([\s\S]*?)(?=\n###? )/.exec(CHANGELOG)?.[1] ?? '';
const listed = [...section.matchAll(/^- ([^:]+):/gm)].flatMap(([, subject = '']) =>
  [...subject.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name = '']) => name),
);

describe('Removed settings', () => {
  it('are reported with a replacement, include all that the changelog names, and do not stop the start', () => {
    expect(listed).to.include('MAX_BODY_BYTES');
    const environment = Object.fromEntries(listed.map((name) => [name, '1']));
    expect(() => readConfig(environment)).not.to.throw();
    expect(removed(environment).map(({ name }) => name)).to.deep.equal(listed);
    for (const { instead } of removed(environment)) expect(instead).to.match(/^removed; /);
  });

  it('are not reported if they are not set, and are no longer settings', () => {
    expect(removed({ MAX_BODY_BYTES: ' ', PATH: '/bin' })).to.deep.equal([]);
    expect(listed.filter((name) => names.includes(name))).to.deep.equal([]);
  });
});
