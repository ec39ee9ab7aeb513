import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { root } from './source-files.ts';

const text = readFileSync(new URL('SECURITY.md', root), 'utf8');

const defenses = text.slice(text.indexOf('## Attacks and defenses'), text.indexOf('## What is not defended'));
const points = defenses
  .split(/^- /m)
  .slice(1)
  .map((point) => (point.split(/\n\n/)[0] ?? '').replaceAll(/\s+/g, ' ').trim());
const named = new Set(points.flatMap((point) => point.match(/(?<=`)test\/[^`]+/g) ?? []));

const testFiles = readdirSync(new URL('test/', root), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path: `test/${path}`, text: readFileSync(new URL(`test/${path}`, root), 'utf8') }));

/** Mocha runs files that end in `.test.ts`, a folder's run.ts its `.suite.ts`; any other file runs if one of them names it. */
const runs = (path: string): boolean =>
  testFiles.some((file) => file.path === path) &&
  (path.endsWith('.test.ts') ||
    (path.endsWith('.suite.ts') && testFiles.some((file) => file.path === path.replace(/[^/]+$/, 'run.ts'))) ||
    testFiles.some((file) => file.path !== path && file.text.includes(path.split('/').at(-1) ?? path)));

describe('SECURITY.md', () => {
  it('names a test at the end of every point', () => {
    const withoutTest = points.filter((point) => !/\. `test\/[^`]+\.ts`(?:, `test\/[^`]+\.ts`)*$/.test(point));
    expect(withoutTest).to.deep.equal([]);
  });

  it('names only tests that are run', () => {
    expect(named.size).to.be.above(20);
    expect([...named].filter((path) => !runs(path))).to.deep.equal([]);
  });

  it('has a point for every file of attacks', () => {
    const files = readdirSync(new URL('test/databases/faults/', root)).filter((name) =>
      /^attacks-by-.*\.ts$/.test(name),
    );
    expect(files).to.have.length.above(0);
    expect(files.filter((name) => !named.has(`test/databases/faults/${name}`))).to.deep.equal([]);
  });

  it('names only settings and commands that exist', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
    const settings = readFileSync(new URL('docs/operators/settings.md', root), 'utf8');
    const commands = [...text.matchAll(/`npm run ([\w:-]+)`/g)].map(([, name = '']) => name);
    expect(commands.filter((name) => scripts[name] === undefined)).to.deep.equal([]);
    const variables = [...text.matchAll(/`([A-Z]+_[A-Z_]+)(?:=\w+)?`/g)].map(([, name = '']) => name);
    expect(variables).to.have.length.above(3);
    expect(variables.filter((name) => !settings.includes(`\`${name}\``))).to.deep.equal([]);
  });
});
