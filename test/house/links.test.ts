import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { anchorsIn } from './anchors-in.ts';
import { root } from './source-files.ts';

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'test/cases/README.md',
  ...readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path.replaceAll('\\', '/')}`),
];

describe('The links in the documents', () => {
  for (const document of documents) {
    it(`resolve: ${document}`, () => {
      const at = new URL(document, root);
      const links = [...readFileSync(at, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
      const wrong = links.filter((link) => {
        if (/^[a-z]+:/.test(link)) return false;
        const target = new URL(link, at);
        const anchor = target.hash.slice(1);
        target.hash = '';
        if (!existsSync(target)) return true;
        return anchor !== '' && !anchorsIn(readFileSync(target, 'utf8')).includes(anchor);
      });
      expect(wrong).to.deep.equal([]);
    });
  }
});
