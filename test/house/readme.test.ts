import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ciSteps } from '../../scripts/ci/steps.ts';
import { type RunningService, startService } from '../support/process/start-service.ts';
import { ownContract } from '../wire/contract/own-wsdl.ts';
import { documents, root, sourceFiles } from './source-files.ts';

const readme = readFileSync(new URL('README.md', root), 'utf8');
const contributing = readFileSync(new URL('CONTRIBUTING.md', root), 'utf8');

const operations = [...readme.matchAll(/^\| (\w+) \| [a-z]/gm)].map(([, name = '']) => name);

const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

/** The names of the commands in a text, as in package.json. */
const commandsIn = (text: string): readonly string[] =>
  [...text.matchAll(/npm (?:run ([\w:-]+)|(start|test)\b)/g)].map(([, run, own]) => run ?? own ?? '');

describe('The README', () => {
  it('lists every operation', () => {
    expect(operations).to.have.members(ownContract.operations.map(({ name }) => name));
  });

  it('is short enough to read in five minutes', () => {
    expect(readme.split('\n').length - operations.length).to.be.at.most(143);
  });

  it('names only commands that exist in package.json', () => {
    const named = commandsIn(readme);
    expect(named).to.include('ci');
    expect(named.filter((name) => scripts[name] === undefined)).to.deep.equal([]);
  });
});

describe('The guide for contributors', () => {
  it('lists every command of package.json, and no other', () => {
    expect([...new Set(commandsIn(contributing))]).to.have.members(Object.keys(scripts));
  });

  it('shows only files that exist', () => {
    const drawn = [...contributing.matchAll(/^ {2}([\w./-]+) {2,}\S/gm)].map(([, path = '']) => `src/${path}`);
    expect(drawn).to.have.length.above(0);
    expect(drawn.filter((path) => !existsSync(new URL(path, root)))).to.deep.equal([]);
  });
});

describe('The documents', () => {
  it('name only steps of CI that exist', () => {
    const steps = ciSteps(() => 0, '').map(({ name }) => name);
    const text = documents.map((path) => readFileSync(new URL(path, root), 'utf8')).join('\n');
    const named = [...text.matchAll(/npm run ci -- ([a-z][a-z-]+)/g)].map(([, name = '']) => name);
    expect(steps).to.include.members(named);
    expect(named).to.include('interop');
  });

  it('name only source files that exist', () => {
    const known = sourceFiles().map(({ path }) => `/${path}`);
    const wrong = documents.flatMap((path) => {
      // The path of the program once it is installed.
      const text = readFileSync(new URL(path, root), 'utf8').replaceAll('/opt/tpwebservices/', '');
      const named = text.match(/(?<![\w*/>.-])[\w/-][\w/.-]*\.ts\b/g) ?? [];
      return named
        .filter((name) => !known.some((file) => file.endsWith(`/${name}`)) && !existsSync(new URL(name, root)))
        .map((name) => `${path}: ${name}`);
    });
    expect(wrong).to.deep.equal([]);
  });

  it('keep prose to 120 columns, but for tables, code, targets of links and what was released', () => {
    const wrong = documents.flatMap((path) => {
      const [text = ''] = readFileSync(new URL(path, root), 'utf8').split(/^## \[\d/m);
      const prose = text
        .replaceAll(/^( *)```[\s\S]*?\n\1```$/gm, '')
        .replaceAll(/^\|.*$/gm, '')
        .replaceAll(/\]\([^)]*\)/g, ']');
      return prose.split('\n').flatMap((line) => (line.length > 120 ? `${path}: ${line}` : []));
    });
    expect(wrong).to.deep.equal([]);
  });

  it('number the decisions without gaps', () => {
    const numbers = documents
      .flatMap((path) => /^docs\/developers\/decisions\/(\d+)/.exec(path)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
    expect(numbers.length).to.be.above(0);
    expect(numbers).to.deep.equal(numbers.map((_, index) => index + 1));
  });
});

/** The README's curl commands, each with the block of its answer. */
const examples = [...readme.matchAll(/```sh\n(curl [^`]+)\n```\s+```\w+\n([\s\S]*?)\n```/g)].map(
  ([, command = '', answer = '']) => ({ command, answer }),
);

/** The value that the README assigns to DAY. */
const DAY = '2027-01-18';

/** The words of a command: quotes, DAY and continued lines as in a shell, without other special characters. */
const wordsOf = (command: string): string[] =>
  [...command.replaceAll('\\\n', ' ').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? (double ?? plain ?? '').replace(/\$(\{DAY\}|DAY\b)/g, DAY),
  );

/** Does what curl does with a URL, `-G`, `-H` and `-d`. */
async function run(command: string, baseUrl: string): Promise<string> {
  const [, ...words] = wordsOf(command);
  const headers: Record<string, string> = {};
  const data: string[] = [];
  let url = '';
  let asQuery = false;
  while (words.length > 0) {
    const word = words.shift() ?? '';
    if (word === '-G') asQuery = true;
    else if (word === '-d') data.push(words.shift() ?? '');
    else if (word === '-H') {
      const [, name = '', value = ''] = /^([^:]+): *(.*)$/.exec(words.shift() ?? '') ?? [];
      headers[name] = value;
    } else if (word.startsWith('http')) url = word;
    else throw new Error(`a word that this test doesn't know: ${word}`);
  }
  const body = data.join('&');
  const isPost = data.length > 0 && !asQuery;
  if (isPost) headers['Content-Type'] ??= 'application/x-www-form-urlencoded';
  const address = url.replace('http://localhost:8080', baseUrl) + (asQuery ? `?${body}` : '');
  const response = await fetch(address, { headers, ...(isPost ? { method: 'POST', body } : {}) });
  return response.text();
}

/** The README breaks lines that the service does not. */
const withoutSpace = (text: string): string => text.replace(/\s/g, '');

describe("The README's examples", () => {
  let service: RunningService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it('show every transport', () => {
    const commands = examples.map(({ command }) => command).join('\n');
    expect(commands).to.include('text/xml').and.include('application/soap+xml').and.include('-G ');
    expect(commands.match(/Fetch_Details/g)).to.have.length.at.least(4);
  });

  for (const { command, answer } of examples) {
    it(`are answered as shown: ${command.slice(0, 100)}`, async () => {
      const pattern = withoutSpace(answer)
        .split('…')
        .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        .join('[\\s\\S]*');
      expect(withoutSpace(await run(command, service.baseUrl))).to.match(new RegExp(`^${pattern}$`));
    });
  }
});
