import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { SETTING_GROUPS } from '../../src/settings/config.ts';
import { FAULT_ANSWERS, refusalStatus } from '../../src/transports/faults.ts';
import { MOVES } from '../../src/vocabulary/appointment-status.ts';
import { ERROR_CODES, type ErrorCode } from '../../src/vocabulary/errors.ts';
import { RESULT_CODE_MEANINGS, ResultCode, type ResultCodeName } from '../../src/vocabulary/result-codes.ts';
import { ownContract } from '../contract/own-wsdl.ts';
import { type RunningService, startService } from '../support/process/start-service.ts';
import { root, sourceFiles } from './source-files.ts';

const readme = readFileSync(new URL('README.md', root), 'utf8');

/** Rows of the table whose head begins with these cells, as cells. */
function tableOf(...head: readonly string[]): string[][] {
  const lines = readme.split('\n');
  const begin = lines.findIndex((line) => line.startsWith(`| ${head.join(' | ')} |`));
  if (begin === -1) throw new Error(`README.md has no table ${head.join(', ')}`);
  const rest = lines.slice(begin + 2);
  return rest
    .slice(
      0,
      rest.findIndex((line) => !line.startsWith('|')),
    )
    .map(cellsOf);
}

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

describe('The README', () => {
  it('names only settings that are there', () => {
    const known = SETTING_GROUPS.flatMap(({ settings }) => Object.keys(settings));
    const named = tableOf('Variable', 'What it decides').flatMap(([cell = '']) => cell.match(/[A-Z_]+/g) ?? []);
    expect(named).to.have.length.above(0);
    expect(known).to.include.members(named);
  });

  it('lists every ResultCode with its status on the forms and its meaning, and no other', () => {
    const codes = Object.entries(ResultCode).map(([name, code]) => [
      String(code),
      name,
      String(code < 10 ? 200 : refusalStatus(code)),
      RESULT_CODE_MEANINGS[name as ResultCodeName],
    ]);
    expect(tableOf('ResultCode', 'Name', 'Forms')).to.deep.equal(codes);
  });

  it('lists every error code with its sentence and answers, and no other', () => {
    const codes = Object.entries(ERROR_CODES).map(([code, sentence]) => {
      const { soap11, soap12, status } = FAULT_ANSWERS[code as ErrorCode];
      return [
        code,
        sentence,
        `${soap11.status} ${soap11.faultCode}`,
        `${soap12.status} ${soap12.faultCode}`,
        String(status),
      ];
    });
    expect(tableOf('Code')).to.deep.equal(codes);
  });

  it('lists every move with the statuses that it leads to and from', () => {
    const moves = MOVES.map(({ type, name, status, allowedFrom }) => [
      String(type),
      name,
      String(status),
      allowedFrom.join(', '),
    ]);
    expect(tableOf('type', 'Move')).to.deep.equal(moves);
  });

  it('lists every operation', () => {
    const named = tableOf('Operation').map(([name]) => name);
    expect(named).to.have.members(ownContract.operations.map(({ name }) => name));
  });

  it('names only commands that package.json has', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
    const named = [...readme.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
    expect(named).to.include('smoke');
    expect(named.filter((name) => scripts[name] === undefined)).to.deep.equal([]);
  });

  it('draws only files that are there', () => {
    const drawn = [...readme.matchAll(/^ {2}([\w./-]+) {2,}\S/gm)].map(([, path = '']) => `src/${path}`);
    expect(drawn).to.have.length.above(0);
    expect(drawn.filter((path) => !existsSync(new URL(path, root)))).to.deep.equal([]);
  });
});

describe('The documents', () => {
  const documents = readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => path.replaceAll('\\', '/'));

  it('name only source files that are there', () => {
    const known = sourceFiles().map(({ path }) => `/${path}`);
    const wrong = documents.flatMap((path) => {
      // Where the program lies once it is installed.
      const text = readFileSync(new URL(`docs/${path}`, root), 'utf8').replaceAll('/opt/tpwebservices/', '');
      const named = text.match(/(?<![\w*/>])[\w/-]+\.ts\b/g) ?? [];
      return named
        .filter((name) => !known.some((file) => file.endsWith(`/${name}`)) && !existsSync(new URL(name, root)))
        .map((name) => `docs/${path}: ${name}`);
    });
    expect(wrong).to.deep.equal([]);
  });

  it('number the decisions without a gap', () => {
    const numbers = documents
      .filter((path) => path.startsWith('decisions/'))
      .map((path) => Number(path.slice(10, 14)))
      .sort((a, b) => a - b);
    expect(numbers.length).to.be.above(0);
    expect(numbers).to.deep.equal(numbers.map((_, index) => index + 1));
  });
});

/** The README's curl lines, each with the block of its answer. */
const examples = [...readme.matchAll(/```sh\n(curl [^\n]+)\n```\s+```\w+\n([\s\S]*?)\n```/g)].map(
  ([, command = '', answer = '']) => ({ command, answer }),
);

/** Words of a command line: quotes as in a shell, without anything inside them that means something to it. */
const wordsOf = (command: string): string[] =>
  [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

/** Does what curl does with a URL, `-H` and `-d`. */
async function run(command: string, baseUrl: string): Promise<string> {
  const [, url = '', ...options] = wordsOf(command);
  const headers: Record<string, string> = {};
  let body: string | undefined;
  for (let i = 0; i < options.length; i += 2) {
    const value = options[i + 1] ?? '';
    if (options[i] === '-d') body = value;
    else if (options[i] === '-H')
      headers[value.slice(0, value.indexOf(':'))] = value.slice(value.indexOf(':') + 1).trim();
    else throw new Error(`an option that this test doesn't know: ${options[i]}`);
  }
  if (body !== undefined) headers['Content-Type'] ??= 'application/x-www-form-urlencoded';
  const response = await fetch(url.replace('http://localhost:8080', baseUrl), {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    ...(body === undefined ? {} : { body }),
  });
  return response.text();
}

describe("The README's examples", () => {
  let service: RunningService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it('show every transport', () => {
    const commands = examples.map(({ command }) => command).join('\n');
    expect(commands).to.include('text/xml').and.include('application/soap+xml').and.include('?').and.include('-d ');
    expect(examples).to.have.length.at.least(4);
  });

  for (const { command, answer } of examples) {
    it(`are answered as shown: ${command.slice(0, 100)}`, async () => {
      const pattern = answer
        .split('…')
        .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        .join('[\\s\\S]*');
      expect(await run(command, service.baseUrl)).to.match(new RegExp(`^${pattern}$`));
    });
  }
});
