import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { chooseHttpGateway } from '../../../src/messages/gateways/http-gateway.ts';
import { writeRequest } from '../../../src/messages/gateways/http-request.ts';
import { checkHttpTemplate, type HttpTemplateInput } from '../../../src/messages/gateways/http-template.ts';
import { perSuite } from '../../support/prepared.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { EXAMPLE_GATEWAYS } from './example-gateways.ts';
import { outgoing } from './gateway-suite.ts';

const ACCOUNT = { username: 'u', password: 'p"w/é', sender: 'S&T', callbackUrl: undefined };
const ANSWERS: HttpTemplateInput['answers'] = [{ means: 'submitted' }];

function written(template: Omit<HttpTemplateInput, 'answers'>, message = outgoing({ id: 9, text: `"<'&\n{to} é` })) {
  const checked = checkHttpTemplate({ ...template, answers: ANSWERS }, 'test');
  const { url, headers, body } = writeRequest(checked, ACCOUNT, message, 0);
  return { url: url.href, headers, body: body?.toString() };
}

describe('a request template', () => {
  it('escapes values in a URL and its query', () => {
    const query = { text: '{text}', 'x?': '{callbackUrl}' };
    const { url } = written({ url: 'http://h/{password}?s={sender}', query });
    expect(url).to.equal('http://h/p%22w%2F%C3%A9?s=S%26T&text=%22%3C%27%26%0A%7Bto%7D%20%C3%A9');
  });

  it('keeps every value inside its header', () => {
    const sent = { 'X-Text': '{text}', Authorization: 'Basic {basicCredentials}' };
    expect(written({ url: 'http://h/', headers: sent }).headers).to.deep.equal({
      'X-Text': `"<'&%0A{to} %C3%A9`,
      Authorization: 'Basic dTpwIncvw6k=',
    });
  });

  it('keeps every value inside its JSON string', () => {
    const json = { a: ['{text}', { 'b?': '{callbackUrl}', c: 1, d: true }] };
    const { body } = written({ url: 'http://h/', body: { json } });
    expect(JSON.parse(body ?? '')).to.deep.equal({ a: [`"<'&\n{to} é`, { c: 1, d: true }] });
  });

  for (const [place, text] of [
    ['none', `"<'&\n{to} é`],
    ['xml', `&#34;&#60;&#39;&#38;\n{to} é`],
  ] as const) {
    it(`escapes a text body for ${place}`, () => {
      const sent = written({ url: 'http://h/', body: { text: '<{text}>', escape: place, contentType: 'a/b' } });
      expect(sent).to.deep.include({ body: `<${text}>`, headers: { 'Content-Type': 'a/b' } });
    });
  }

  for (const [what, template, mistake] of [
    ['an unknown placeholder', { url: 'http://h/{nobody}' }, /url: unknown \{nobody\}; known are to,/],
    ['one within JSON', { url: 'http://h/', body: { json: { a: ['{nobody}'] } } }, /body/],
    ['an unknown part', { url: 'http://h/', methd: 'GET' }, /\(all\): there is no field methd$/],
    ['an unknown criterion of a choice', { url: 'http://h/', query: { a: { $by: 'moon', full: 'x' } } }, /query\.a/],
    [
      'an invalid regular expression',
      { url: 'http://h/', answers: [{ body: '(', means: 'submitted' }] },
      /regular expression/,
    ],
    ['no answers', { url: 'http://h/', answers: [] }, /answers: expected at least 1$/],
    ['a number for a text', { url: 1 }, /url: expected a text$/],
    ['no address', {}, /url: expected a text$/],
    ['a text for a number', { url: 'http://h/', timeoutSeconds: '5' }, /timeoutSeconds: expected a number$/],
    ['too long a time', { url: 'http://h/', timeoutSeconds: 500 }, /timeoutSeconds: expected at most 120$/],
    ['another method', { url: 'http://h/', method: 'GO' }, /method: expected one of GET, POST, PUT$/],
    ['something else for fields', { url: 'http://h/', query: 1 }, /query: expected an object$/],
    [
      'a wrong status',
      { url: 'http://h/', answers: [{ status: ['2'], means: 'failed' }] },
      /status\.0: expected another form/,
    ],
  ] as const) {
    it(`is refused with ${what}`, () => {
      expect(() => checkHttpTemplate({ answers: ANSWERS, ...template }, 'my.json')).to.throw(mistake);
    });
  }

  it('is valid if it is supplied with the service', () => {
    for (const file of EXAMPLE_GATEWAYS) {
      expect(() => checkHttpTemplate(JSON.parse(readFileSync(file, 'utf8')), file)).to.not.throw();
    }
  });

  describe('in a file', () => {
    const folder = perSuite(temporaryFolder);
    const settings = { ...ACCOUNT, callbackSecret: undefined };
    const choose = (content: string) => {
      const template = join(folder.path, 'provider.json');
      writeFileSync(template, content);
      return () => chooseHttpGateway(template, settings).description;
    };

    it('is read', () => {
      const template = JSON.stringify({ url: 'http://127.0.0.1:9/{password}?key=secret', answers: ANSWERS });
      expect(choose(template)()).to.match(/^http:.*provider\.json at http:\/\/127\.0\.0\.1:9$/);
    });
    for (const [content, mistake] of [
      ['{', /expected JSON/],
      ['{}', /url/],
      [JSON.stringify({ url: 'ftp://h/', answers: ANSWERS }), /expected an http or https URL/],
      [JSON.stringify({ url: 'secret', answers: ANSWERS }), /^(?!.*secret).*expected an http or https URL/],
      [JSON.stringify({ url: 'http://h/', headers: { 'a b': 'x' }, answers: ANSWERS }), /header names/],
    ] as const) {
      it(`is refused as ${content}`, () => expect(choose(content)).to.throw(mistake));
    }
    it('is refused if it does not exist', () => {
      expect(() => chooseHttpGateway(join(folder.path, 'none.json'), settings)).to.throw(
        'expected a file that can be read',
      );
    });
  });
});
