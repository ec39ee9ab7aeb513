import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { CONSTRUCTED, NO_CALLERS_TEXT } from '../../scripts/checks/no-callers-text.ts';
import { LONG_TESTS } from '../../scripts/ci/long-tests.ts';
import { COMMANDS } from '../../src/commands/tpws.ts';
import { root } from './source-files.ts';

/** Folders of what is written here, and files beside them. */
const FOLDERS = ['.ci', 'deploy', 'docs', 'examples', 'scripts', 'src', 'test', 'wsdl'];
const FILES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'demo.env', 'package.json', 'Dockerfile'];
/** What an older version was called, and what it did. */
const HISTORY = /^docs\/developers\/decisions\/|\.(?:png|ico|wsdl|gz)$/;

const texts = [
  ...FILES,
  ...FOLDERS.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(fileURLToPath(root), join(parentPath, name)).replaceAll('\\', '/')),
  ),
].filter((path) => !HISTORY.test(path));

/** Each line that a pattern finds, as `path:line word`. */
const found = (pattern: RegExp, isRight: (word: string) => boolean, paths = texts): readonly string[] =>
  paths.flatMap((path) =>
    readFileSync(new URL(path, root), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        [...line.matchAll(pattern)]
          .filter(([, word = '']) => !isRight(word))
          .map(([, word]) => `${path}:${index + 1} ${word}`),
      ),
  );

const exists = (path: string): boolean => existsSync(new URL(path, root));
/** The folder above the first pattern or example in a path, or the path. */
const beforePatterns = (path: string): string => path.replace(/[^/]*[*$<].*/, '');

describe('What texts, units and scripts name', () => {
  it('are commands of tpws, behind its name', () => {
    const named = /\btpws(?:\.\w+)?(?: |', ?')([a-z][a-z-]+)/g;
    expect(found(named, (word) => word === 'help' || Object.hasOwn(COMMANDS, word))).to.deep.equal([]);
  });

  it('are files and folders that exist, between backticks', () => {
    const named = /`((?:deploy|docs|examples|scripts|src|test|tools|wsdl)\/[^` ]*)`/g;
    expect(found(named, (path) => exists(beforePatterns(path)))).to.deep.equal([]);
  });

  it('are files that exist, in the lists of long tests and of regular expressions', () => {
    const listed = [
      ...LONG_TESTS.flatMap(({ files }) => files),
      ...NO_CALLERS_TEXT.map(({ path }) => path),
      ...Object.keys(CONSTRUCTED),
    ];
    expect(listed.filter((path) => !exists(beforePatterns(path)))).to.deep.equal([]);
  });
});
