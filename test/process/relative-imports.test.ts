import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { root } from '../house/source-files.ts';

/** Loads modules with the hook in place, and prints what the hook was asked, where it agreed with Node, and how often it asked Node. */
const COMPARE = `
  import { registerHooks } from 'node:module';
  import { resolveRelativeImports } from './src/process/relative-imports.js';
  const resolve = resolveRelativeImports();
  const told = { asked: 0, withoutNode: 0, differences: [] };
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const nodes = nextResolve(specifier, context);
      let askedNode = false;
      const { url, format } = resolve(specifier, context, () => {
        askedNode = true;
        return nodes;
      });
      told.asked++;
      if (!askedNode) told.withoutNode++;
      if (url !== nodes.url || format !== nodes.format) told.differences.push([specifier, url, format, nodes]);
      return nodes;
    },
  });
  await Promise.all(process.argv.slice(1).map((path) => import(path)));
  console.log(JSON.stringify(told));
`;

const compared = (...modules: readonly string[]) =>
  JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', COMPARE, ...modules], {
      cwd: fileURLToPath(root),
      env: { PATH: process.env.PATH ?? '' },
      encoding: 'utf8',
    }),
  ) as { asked: number; withoutNode: number; differences: unknown[] };

describe('resolveRelativeImports', () => {
  it('finds the same file and format as Node for every import of the service', () => {
    const { differences, withoutNode } = compared(
      './src/process/serve.ts',
      './src/store/postgres/open-postgres-store.ts',
    );
    expect(differences).to.deep.equal([]);
    expect(withoutNode).to.be.above(500);
  });
});
