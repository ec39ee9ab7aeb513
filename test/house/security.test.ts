import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { root } from './source-files.ts';

const text = readFileSync(new URL('SECURITY.md', root), 'utf8');

/** What has to be defended, by words of its row. Source: the house's list of attacks. */
const ATTACKS: readonly RegExp[] = [
  /compressed bodies/,
  /bodies without end, or longer/,
  /deep nesting.*colliding names/,
  /document types, external entities, entities that grow/,
  /another action than the body's/,
  /names that every object of JavaScript has/,
  /arrays, references and foreign types/,
  /an address to answer to/,
  /SQL, markup, control characters/,
  /slow requests, idle connections/,
  /a host name that is made up/,
  /a page of another site that books/,
  /a page of another site that reads/,
  /DNS rebinding/,
  /framing, guessing of types, caches/,
  /methods that nobody expects/,
  /markup in what a page shows again/,
  /strangers, and clients beyond what they may/,
  /another center's patients/,
  /guessing passwords/,
  /sending a message again/,
  /an address that a caller makes up/,
  /listening on the network/,
  /a flood of requests/,
  /a flood of refusals/,
  /personal data in logs/,
  /changing the audit trail/,
  /two bookings of one slot/,
  /a package with a known hole/,
  /secrets and people's data in the repository/,
];

const lines = text.split('\n');
const begin = lines.indexOf('| Attack | Defence | Test |');
const rows = lines.slice(begin + 2, lines.indexOf('', begin)).map((line) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim()),
);
const named = new Set(
  rows.flatMap(([, , tests = '']) => [...tests.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path)),
);

describe('SECURITY.md', () => {
  it('has a row for every attack', () => {
    expect(begin).to.be.above(0);
    expect(ATTACKS.filter((attack) => !rows.some(([title = '']) => attack.test(title))).map(String)).to.deep.equal([]);
  });

  it('names a defence and a test in every row', () => {
    for (const row of rows) {
      expect(row, row.join()).to.have.length(3);
      expect(row[1], row[0]).to.not.equal('');
      expect(row[2], row[0]).to.match(/^`test\/[^`]+\.ts`(?:, `test\/[^`]+\.ts`)*$/);
    }
  });

  it('names tests that are there', () => {
    expect([...named].filter((path) => !existsSync(new URL(path, root)))).to.deep.equal([]);
  });

  it('names every file of attacks', () => {
    const files = readdirSync(new URL('test/faults/', root)).filter((name) => /^attacks-by-.*\.ts$/.test(name));
    expect(files).to.have.length.above(0);
    expect(files.filter((name) => !named.has(`test/faults/${name}`))).to.deep.equal([]);
  });

  it('names settings and commands that are there', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
    const settings = readFileSync(new URL('docs/settings.md', root), 'utf8');
    const commands = [...text.matchAll(/`npm run ([\w:-]+)`/g)].map(([, name = '']) => name);
    expect(commands.filter((name) => scripts[name] === undefined)).to.deep.equal([]);
    const variables = [...text.matchAll(/`([A-Z]+_[A-Z_]+)(?:=\w+)?`/g)].map(([, name = '']) => name);
    expect(variables).to.have.length.above(3);
    expect(variables.filter((name) => !settings.includes(`\`${name}\``))).to.deep.equal([]);
  });

  it('leads only to files that are there', () => {
    const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => path);
    expect(links).to.have.length.above(2);
    expect(links.filter((path) => !existsSync(new URL(path, root)))).to.deep.equal([]);
  });
});
