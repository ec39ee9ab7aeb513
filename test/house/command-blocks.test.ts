import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { shellBlocks } from '../support/guide-sections.ts';
import { perTest } from '../support/prepared.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';
import { documents, root } from './source-files.ts';

/**
 * What a shell reads before a block: with no program on its path, it calls this function for each. It writes down the line and the call, and fails
 * if that is the one that shall fail.
 */
const STUBS = `
command_not_found_handle() {
  echo "\${BASH_LINENO[-1]} $*" >> "$CALLS"
  [ "\${BASH_LINENO[-1]} $*" != "$FAILS" ]
}
cd() { command_not_found_handle cd "$@"; }
`;

const SCRIPT = 'deploy/compose/create-database.sh';

const RECIPES = documents
  .filter((path) => path.startsWith('docs/operators/'))
  .flatMap((path) => shellBlocks(readFileSync(new URL(path, root), 'utf8')).map((block) => ({ path, ...block })));

describe('The commands of a recipe', () => {
  const folder = perTest(temporaryFolder);

  /** Runs a block in which this call fails, and no program does anything; returns the calls with their lines. */
  function run(block: string, fails: string) {
    const [calls, stubs] = [join(folder.path, 'calls'), join(folder.path, 'stubs')];
    writeFileSync(calls, '');
    const env = { PATH: '/nonexistent', BASH_ENV: stubs, CALLS: calls, FAILS: fails, POSTGRES_USER: 'postgres' };
    // Bash does not read BASH_ENV if its input is a socket.
    const { status } = spawnSync('/bin/bash', ['-c', block], { cwd: folder.path, env, stdio: 'ignore' });
    return { status, calls: readFileSync(calls, 'utf8').split('\n').slice(0, -1) };
  }

  const lineOf = (call: string): number => Number.parseInt(call, 10);

  beforeEach(() => {
    mkdirSync(join(folder.path, 'data'));
    writeFileSync(join(folder.path, 'stubs'), STUBS);
    symlinkSync(fileURLToPath(new URL('deploy', root)), join(folder.path, 'deploy'));
  });

  const script = { path: SCRIPT, line: 1, code: readFileSync(new URL(SCRIPT, root), 'utf8') };
  for (const { path, line, code } of [...RECIPES, script]) {
    it(`stop at the first one that fails: ${path}:${line}`, () => {
      const whole = run(code, '');
      expect(whole.status).to.equal(0);
      expect(whole.calls).not.to.deep.equal([]);
      for (const call of whole.calls) {
        const { status, calls } = run(code, call);
        expect(status, `${call} fails`).not.to.equal(0);
        // What a pipe connects starts together.
        const after = calls.filter((other) => lineOf(other) > lineOf(call));
        expect(after, `${call} fails`).to.deep.equal([]);
      }
    });
  }
});

describe('The first block of a document with tpws', () => {
  const blocksOf = (path: string) => [...readFileSync(new URL(path, root), 'utf8').matchAll(/^```\w*\n(.*?)^```$/gms)];
  const isCommand = /\btpws (?=[a-z])/g;

  for (const path of documents) {
    const first = blocksOf(path).find(([block]) => block.match(isCommand));
    if (first === undefined) continue;
    it(`shows how it is run, in a clone or as installed: ${path}`, () => {
      for (const { index } of first[0].matchAll(isCommand)) {
        expect(first[0].slice(0, index)).to.match(/(?:npx|sudo) $/);
      }
    });
  }
});
