import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Contract, Operation } from '../../../src/contract/contract.ts';
import { operationPage } from '../../../src/transports/pages/operation-page.ts';
import { escapeHtml, PAGE_HEADERS, page } from '../../../src/transports/pages/page.ts';
import { servicePage } from '../../../src/transports/pages/service-page.ts';
import { ownContract } from '../../contract/own-wsdl.ts';

const ENDPOINT = 'http://localhost:8080/TPWebServices.asmx';
const MARKUP = '"\'><script>alert(1)</script>&';

/** The contract with markup wherever a name or a text of it can reach a page. */
function markedUp(): { contract: Contract; operation: Operation } {
  const [first] = ownContract.operations;
  if (first === undefined) throw new Error('no operation');
  const operation: Operation = {
    ...first,
    name: `Op${MARKUP}`,
    documentation: `Doc${MARKUP}`,
    parameters: first.parameters.map((parameter) => ({
      ...parameter,
      name: `${parameter.name}${MARKUP}`,
      documentation: `Par${MARKUP}`,
    })),
  };
  const contract = {
    ...ownContract,
    documentation: `Svc${MARKUP}`,
    serviceName: `S${MARKUP}`,
    operations: [operation],
  };
  return { contract, operation };
}

describe('Pages', () => {
  it('Every character that means something in HTML is escaped.', () => {
    expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).to.equal(
      '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;',
    );
  });

  it('The policy allows the one style that is in the page, by its hash, and no script.', () => {
    const style = /<style>([\s\S]*?)<\/style>/.exec(page('t', ''))?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    const policy = PAGE_HEADERS['Content-Security-Policy'] ?? '';
    expect(style).to.not.equal('');
    expect(policy).to.include(`style-src 'sha256-${hash}'`);
    expect(policy).to.include("default-src 'none'").and.include("frame-ancestors 'none'");
    expect(policy).to.include("base-uri 'none'").and.include("form-action 'self'");
    expect(policy).to.not.match(/unsafe|script-src|\*/);
  });

  it('The title is escaped.', () => {
    expect(page(MARKUP, '')).to.include(`<title>${escapeHtml(MARKUP)}</title>`);
  });

  it('No page needs what the policy forbids: scripts, inline styles or anything loaded.', () => {
    for (const html of [
      servicePage(ownContract, ENDPOINT),
      ...ownContract.operations.map((operation) => operationPage(ownContract, operation, ENDPOINT)),
    ]) {
      expect(html).to.not.match(/<script|<link|<img|<iframe|\sstyle=|\son\w+=|@import|url\(/i);
      expect(html.match(/<style>/g)).to.have.length(1);
    }
  });

  it('Markup in names and texts of the contract never appears raw.', () => {
    const { contract, operation } = markedUp();
    for (const html of [servicePage(contract, ENDPOINT), operationPage(contract, operation, ENDPOINT)]) {
      expect(html).to.include('&lt;script&gt;');
      expect(html).to.not.include('<script');
      expect(html).to.not.include(`"'>`);
    }
  });

  it('Markup in the address never appears raw.', () => {
    expect(servicePage(ownContract, `http://a/${MARKUP}`)).to.not.include('<script');
  });

  it('The service page links to the page of every operation.', () => {
    const html = servicePage(ownContract, ENDPOINT);
    for (const { name } of ownContract.operations) expect(html).to.include(`<a href="?op=${name}">`);
  });

  for (const operation of ownContract.operations) {
    it(`The page of ${operation.name} has a labelled input for every parameter, and tells of each.`, () => {
      const html = operationPage(ownContract, operation, ENDPOINT);
      expect(html).to.include(`<form method="post" action="/TPWebServices.asmx/${operation.name}">`);
      expect(html.match(/<label>.*?<input name="/g)).to.have.length(operation.parameters.length);
      for (const { name, documentation } of operation.parameters) {
        expect(html).to.include(`<input name="${name}"`);
        expect(html).to.include(escapeHtml(documentation));
      }
    });
  }
});
