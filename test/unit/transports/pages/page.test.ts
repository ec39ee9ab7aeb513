import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { escapeHtml, html } from '../../../../src/transports/pages/html.ts';
import { page } from '../../../../src/transports/pages/page.ts';
import { servicePage } from '../../../../src/transports/pages/service-page.ts';
import { ERROR_CODES } from '../../../../src/vocabulary/errors.ts';
import { ResultCode } from '../../../../src/vocabulary/result-codes.ts';
import { ownContract } from '../../../wire/contract/own-wsdl.ts';
import { ENDPOINT, MARKUP, markedUp, ownPages, pageSettings, pagesOf, withoutForm } from './own-pages.ts';

const policyOf = ({ headers }: { headers: Readonly<Record<string, string>> }) =>
  headers['Content-Security-Policy'] ?? '';
const inline = (text: string, element: 'style' | 'script') => [
  ...text.matchAll(new RegExp(`<${element}[^>]*>([\\s\\S]*?)</${element}>`, 'g')),
];

describe('Pages', () => {
  it('Every special character of HTML is escaped.', () => {
    expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).to.equal(
      '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;',
    );
  });

  it('A template escapes the text that is put into it, but not HTML.', () => {
    const inner = html`<b>${'<'}</b>`;
    expect(html`<i title="${'"'}">${inner}${undefined}${[inner, '&', 1]}</i>`.text).to.equal(
      '<i title="&quot;"><b>&lt;</b><b>&lt;</b>\n&amp;\n1</i>',
    );
  });

  it('The title is escaped.', () => {
    const { html: text } = page({ title: MARKUP, body: html``, hasForm: false });
    expect(text).to.include(`<title>${escapeHtml(MARKUP)}</title>`);
  });

  for (const [name, made] of ownPages()) {
    it(`${name}: the policy allows only the styles and scripts of the page, by their hashes.`, () => {
      const policy = policyOf(made);
      for (const element of made.html.includes('<form') ? (['style', 'script'] as const) : (['style'] as const)) {
        const texts = inline(made.html, element).map(([, text = '']) => text);
        const hashes = texts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
        expect(texts).to.have.length.above(0);
        expect(policy)
          .to.match(new RegExp(`(^|; )${element}-src `))
          .and.include(`${element}-src ${hashes.join(' ')};`);
      }
      expect(policy).to.include("default-src 'none'").and.include("frame-ancestors 'none'");
      expect(policy).to.include("base-uri 'none'").and.include('form-action');
      expect(policy).to.not.match(/unsafe|\*|http/);
    });

    it(`${name}: it contains nothing that the policy forbids: inline styles, handlers, anything loaded.`, () => {
      expect(made.html.replace(/<script type="module">.*?<\/script>/s, '')).to.not.match(
        /<link(?! rel="alternate")|<img|<iframe|\sstyle=|\son\w+=|@import|url\(|<script[^>]*src/i,
      );
      expect(made.html.match(/<style>/g)).to.have.length(1);
    });

    it(`${name}: tools that are given the address of the page find the discovery document near its beginning.`, () => {
      const { pathname } = new URL(ENDPOINT);
      const [head = ''] = made.html.split('<style>');
      expect(head).to.include(`<link rel="alternate" type="text/xml" href="${pathname}?disco">`);
    });

    it(`${name}: every id is unique, and every reference to an id resolves.`, () => {
      const ids = [...made.html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
      expect(new Set(ids).size).to.equal(ids.length);
      const referred = [...made.html.matchAll(/\s(?:for|aria-describedby)="([^"]*)"|\shref="#([^"]*)"/g)];
      expect(ids).to.include.members(referred.flatMap(([, name, anchor]) => (anchor ?? name ?? '').split(' ')));
    });
  }

  it('Markup in names and texts of the contract never appears unescaped.', () => {
    for (const settings of [pageSettings, withoutForm]) {
      for (const [, made] of pagesOf(markedUp(), settings)) {
        const text = made.html.replace(/<script type="module">[\s\S]*?<\/script>/g, '');
        expect(text).to.include('&lt;script&gt;');
        expect(text).to.not.include('<script');
        expect(text).to.not.include(`"'>`);
      }
    }
  });

  it('Markup in the address never appears unescaped.', () => {
    for (const [, made] of ownPages({ ...pageSettings, endpoint: `http://a/"'%3E<script>alert(1)</script>` })) {
      expect(made.html).to.not.include('<script>alert');
    }
  });

  it('The policy of a page without a form lets it neither connect nor submit.', () => {
    for (const [, made] of ownPages(withoutForm)) {
      expect(made.html).to.not.match(/<form|<input|fetch\(/);
      expect(policyOf(made)).to.include("form-action 'none'").and.not.include('connect-src');
    }
  });

  it('Only a page with a form may connect, and only to its own server.', () => {
    for (const [name, made] of ownPages()) {
      if (name === 'service page') expect(policyOf(made)).to.not.include('connect-src');
      else expect(policyOf(made)).to.include("connect-src 'self'").and.include("form-action 'self'");
    }
  });

  it('The service page quotes the address in the commands that import the contract.', () => {
    const { html: text } = servicePage(ownContract, pageSettings);
    const address = `"${ENDPOINT}?wsdl"`;
    for (const tool of ['dotnet-svcutil', 'wsdl.exe', 'wsimport -keep -extension']) {
      expect(text).to.include(`\n${tool} ${address}`);
    }
    expect(text.match(/\?wsdl(?!")/g)).to.equal(null);
  });

  it('The service page lists every ResultCode and every error, and the operation pages link to them.', () => {
    const { html: text } = servicePage(ownContract, pageSettings);
    const headed = (id: string) => text.slice(text.indexOf(`<h2 id="${id}">`)).split('</table>')[0] ?? '';
    for (const [name, code] of Object.entries(ResultCode)) {
      expect(headed('resultcodes')).to.include(`<th scope="row">${code} ${name}</th>`);
    }
    for (const code of Object.keys(ERROR_CODES)) expect(headed('errors')).to.include(`<th scope="row">${code}</th>`);
  });

  it('The service page says how this service answers refusals.', () => {
    const rowOf = (refusals: 'fault' | 'result') =>
      /<tr><th scope="row">14 SlotTaken<\/th>[\s\S]*?<\/tr>/.exec(
        servicePage(ownContract, { ...pageSettings, refusals }).html,
      )?.[0];
    expect(rowOf('fault')).to.match(/>409<\/td>\s*<td[^>]*>fault</);
    expect(rowOf('result')).to.match(/>200<\/td>\s*<td[^>]*>result</);
  });
});
