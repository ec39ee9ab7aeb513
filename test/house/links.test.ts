import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { anchorsIn } from './anchors-in.ts';
import { documents, root } from './source-files.ts';

describe('The links in the documents', () => {
  for (const document of [...documents, 'test/wire/cases/README.md']) {
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
