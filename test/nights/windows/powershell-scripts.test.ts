import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import type * as TreeSitter from '@vscode/tree-sitter-wasm';
import type { Node, Tree } from '@vscode/tree-sitter-wasm';
import { expect } from 'chai';
import { parseStringPromise } from 'xml2js';
import { readConfig } from '../../../src/settings/config.ts';
import { root } from '../../house/source-files.ts';

// Its types describe a module, but it is not one.
const load = createRequire(import.meta.url);
const { Language, Parser }: typeof TreeSitter = load('@vscode/tree-sitter-wasm');

const FOLDER = new URL('deploy/windows/', root);
/** Variables that PowerShell sets. */
const AUTOMATIC = /^\$(?:_|args|env:\w+|errorActionPreference|false|lastExitCode|null|psScriptRoot|true)$/i;

interface Script {
  readonly name: string;
  readonly text: string;
  readonly tree: Tree;
}

/** All nodes of a script's syntax tree. */
function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const child of node.children) if (child !== null) yield* nodesOf(child);
}

const parametersOf = ({ tree }: Script): string[] =>
  tree.rootNode.descendantsOfType('script_parameter').map((node) => variableOf(node).toLowerCase());

const variableOf = (node: Node | null): string => node?.descendantsOfType('variable')[0]?.text ?? '';

// PowerShell is not in any package registry that the tests use. This is VS Code's grammar.
describe('The PowerShell scripts for Windows Server', () => {
  const scripts: Script[] = [];
  let parse: (text: string) => Tree;
  before(async () => {
    await Parser.init();
    const grammar = load.resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter-powershell.wasm');
    const parser = new Parser().setLanguage(await Language.load(grammar));
    parse = (text) => {
      const tree = parser.parse(text);
      if (tree === null) throw new Error('The parser gave up.');
      return tree;
    };
    for (const file of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ps1'),
    )) {
      const text = readFileSync(new URL(file.replaceAll('\\', '/'), FOLDER), 'utf8');
      scripts.push({ name: basename(file), text, tree: parse(text) });
    }
    expect(scripts).to.have.length.above(0);
  });

  const complaints = (of: (script: Script) => string[]): string[] =>
    scripts.flatMap((script) => of(script).map((text) => `${script.name}: ${text}`));

  const syntaxErrors = (tree: Tree): string[] =>
    [...nodesOf(tree.rootNode)]
      .filter((node) => node.isError || node.isMissing)
      .map(({ startPosition, text }) => `line ${startPosition.row + 1}: ${text}`);

  it('have no syntax errors', () => {
    expect(syntaxErrors(parse('if ($a { 1 }'))).to.have.length.above(0);
    expect(complaints(({ tree }) => syntaxErrors(tree))).to.deep.equal([]);
  });

  it('read only variables that they set', () => {
    const unknown = ({ tree }: Script) => {
      const { rootNode } = tree;
      const set = [
        ...rootNode
          .descendantsOfType(['script_parameter', 'left_assignment_expression', 'foreach_statement'])
          .map(variableOf),
      ].map((name) => name.toLowerCase());
      const read = rootNode
        .descendantsOfType('variable')
        .map((node) => (node?.text ?? '').replace(/^@/, '$').toLowerCase());
      return [...new Set(read)].filter((name) => !set.includes(name) && !AUTOMATIC.test(name));
    };
    expect(complaints(unknown)).to.deep.equal([]);
  });

  it('name only files that exist in the project', () => {
    const missing = ({ text }: Script) =>
      [...text.matchAll(/\$Program\\([\w.\\]+\.\w+)|\$PSScriptRoot\\([\w.\\]+)/g)]
        .map(([, fromRoot, beside]) => (fromRoot ?? `deploy\\windows\\${beside}`).replaceAll('\\', '/'))
        .filter((path) => !existsSync(new URL(path, root)));
    expect(complaints(missing)).to.deep.equal([]);
  });

  it('are called with parameters that they accept', () => {
    const guide = readFileSync(new URL('docs/operators/windows.md', root), 'utf8');
    const calls = [guide, ...scripts.map(({ text }) => text)].flatMap((text) => [
      ...text.matchAll(/(\w+\.ps1)[`"]*((?: +(?:[\w.:\\$"`]+|-\w+))*)/g),
    ]);
    const unknown = calls.flatMap(([, name = '', given = '']) => {
      const script = scripts.find((candidate) => candidate.name === name);
      if (script === undefined) return [name];
      const taken = parametersOf(script);
      return [...given.matchAll(/ -(\w+)/g)]
        .filter(([, parameter = '']) => !taken.includes(`$${parameter.toLowerCase()}`))
        .map(([parameter]) => `${name}${parameter}`);
    });
    expect(calls.filter(([, , given = '']) => given.includes(' -'))).to.have.length.above(2);
    expect(unknown).to.deep.equal([]);
  });
});

describe('The Windows service', () => {
  it('is described in well-formed XML, with settings that the service accepts', async () => {
    const { service } = await parseStringPromise(readFileSync(new URL('tpwebservices.xml', FOLDER), 'utf8'));
    const settings = service.env.map(({ $ }: { $: { name: string; value: string } }) => [$.name, $.value]);
    const config = readConfig(Object.fromEntries(settings));
    expect(config.database).to.include({ kind: 'sqlite' });
  });

  it('is installed only into a folder that no other user could prepare', () => {
    const text = readFileSync(new URL('install.ps1', FOLDER), 'utf8');
    const places = [/GetOwner/, /ReparsePoint/, /'\/inheritance:r'/, /WriteAllText/, /Copy-Item/].map((found) =>
      text.search(found),
    );
    expect(places).not.to.include(-1);
    expect(places).to.deep.equal(places.toSorted((a, b) => a - b));
  });

  it('can write the folder of its compiled code, which no command of an administrator uses', async () => {
    const read = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');
    const { service } = await parseStringPromise(read('tpwebservices.xml'));
    const cache = service.env.find(({ $ }: { $: { name: string } }) => $.name === 'NODE_COMPILE_CACHE').$.value;
    expect(cache).to.equal(`${service.workingdirectory[0]}\\cache`);
    expect(read('install.ps1')).to.match(
      /foreach \(\$folder in [^)]*'cache'[^)]*\) \{\r?\n *Invoke-Checked 'icacls\.exe'/,
    );
    expect(read('bin/tpws.ps1')).to.include('/service/env[@name != "NODE_COMPILE_CACHE"]');
  });
});
