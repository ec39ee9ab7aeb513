import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import {
  type AnswerRule,
  type CallbackDescription,
  checkHttpTemplate,
} from '../../../src/messages/gateways/http-template.ts';
import { fateOf, receiptsIn } from '../../../src/messages/gateways/provider-reports.ts';
import { leastCpuOf } from '../../support/process/cpu-time.ts';
import { EXAMPLE_GATEWAYS } from './example-gateways.ts';

const LENGTH = 64 * 1024;
/** As many texts as a call-back of that length holds, each of which begins like JSON. */
const MOST_TEXTS = 16_000;
/** A report takes less than this part of the time in which all of them are parsed one by one; a fifteenth is usual. */
const SHARE = 3;
const ATTEMPTS = 10;

/** Repeats something up to the length of a call-back. */
function filled(unit: (index: number) => string, head = '', tail = ''): string {
  let text = head;
  for (let index = 0; text.length + unit(index).length + tail.length <= LENGTH; index++) text += unit(index);
  return text + tail;
}

/** JSON inside JSON, as often as fits. */
function nested(): string {
  let text = '["[';
  for (let next = text; next.length <= LENGTH; next = JSON.stringify({ x: text })) text = next;
  return text;
}

const beside = (data: string, count: number) =>
  JSON.stringify({ data: data.repeat(40_000 / data.length), items: Array.from({ length: count }, () => ({})) });
const inside = (text: string) => JSON.stringify({ items: text, data: text });

const ATTACKS: Readonly<Record<string, string>> = {
  'an array of texts that begin like JSON': filled(() => '"[",', '[', '"["]'),
  'such texts where the events are': filled(() => '"[",', '{"items":[', '"["]}'),
  'such texts, each another one': filled((index) => `"[${index}x]",`, '{"items":[', '"["]}'),
  'texts with JSON, each another one': filled((index) => `"[${index}]",`, '{"items":[', '"["]}'),
  'a form of texts that begin like JSON': filled(() => 'a=[&'),
  'a form of many fields': filled((index) => `${index}=[&`),
  'a form with percent-encoding': filled(() => 'a=%5B&'),
  'JSON inside JSON inside JSON': nested(),
  'a text of backslashes': filled(() => '\\\\', '{"data":"[\\"[', '"}'),
  'a text that is not closed': filled(() => '\\"', '["'),
  'arrays inside arrays': '['.repeat(LENGTH / 2) + ']'.repeat(LENGTH / 2),
  'arrays that are not closed': '['.repeat(LENGTH),
  'arrays inside arrays inside a text': inside('['.repeat(LENGTH / 4) + ']'.repeat(LENGTH / 4)),
  'a thousand events beside a text that begins like JSON': beside('[', 1000),
  'a thousand events beside a text of blanks': beside(' ', 1000),
  'a thousand events beside a text with JSON': beside('[1],', 1000)
    .replace('"data":"', '"data":"[')
    .replace(',",', ']",'),
  numbers: filled(() => '1,', '[', '1]'),
  'empty arrays': filled(() => '[],', '[', '[]]'),
};

const OWN: CallbackDescription = {
  events: ['items.*.x.*', 'items.*', 'x.x.x', ''],
  messageId: 'data.id',
  reference: 'data.ref',
  code: 'data.code',
  statuses: ['data.status', 'x.x.x.x', 'a.a'].map((name) => ({ name, match: '^x$', means: 'delivered' })),
};
const OWN_ANSWERS: readonly AnswerRule[] = ['items.0', 'data.0.x', 'x.x.x.x'].map((path) => ({
  json: { [path]: ['x'] },
  means: 'submitted',
}));
const TEMPLATES = EXAMPLE_GATEWAYS.map((file) => checkHttpTemplate(JSON.parse(readFileSync(file, 'utf8')), file));

/** Parses each of them, which is what no report may cost. */
function parseOneByOne(): void {
  for (let index = 0; index < MOST_TEXTS; index++) {
    try {
      JSON.parse(`[${index}x]`);
    } catch {}
  }
}

describe("A provider's report", () => {
  for (const [name, text] of Object.entries(ATTACKS)) {
    it(`takes far less than parsing every text, in a call-back or an answer of 64 KB: ${name}`, () => {
      const most = leastCpuOf(parseOneByOne) / SHARE;
      const timeOf = (work: () => unknown) => leastCpuOf(work, ATTEMPTS);
      for (const callbacks of [OWN, ...TEMPLATES.flatMap((template) => template.callbacks ?? [])]) {
        expect(timeOf(() => receiptsIn('', text, callbacks))).to.be.below(most);
        expect(timeOf(() => receiptsIn(text, '', callbacks))).to.be.below(most);
      }
      for (const rules of [OWN_ANSWERS, ...TEMPLATES.map(({ answers }) => answers)]) {
        expect(timeOf(() => fateOf({ status: 200, body: text }, rules))).to.be.below(most);
      }
    });
  }

  const description: CallbackDescription = {
    events: ['data.*.report'],
    reference: 'head.id',
    code: 'code',
    statuses: [{ name: 'status', match: '^\\[1\\]$', means: 'delivered' }],
  };
  const event = JSON.stringify({ code: 7, status: '[1]' });
  const data = [JSON.stringify({ report: event }), { report: event }];

  it('is read where a path leads into JSON in a text, at the events and at a name, and a value stays the text that it is', () => {
    const body = JSON.stringify({ data: JSON.stringify(data), head: '{"id":1234567890123456789}' });
    const receipt = { messageId: undefined, reference: '1234567890123456789', status: 'delivered', code: '7' };
    expect(receiptsIn('', body, description)).to.deep.equal([receipt, receipt]);
    const form = new URLSearchParams(JSON.parse(body) as Record<string, string>).toString();
    expect(receiptsIn(form, '', description)).to.deep.equal([receipt, receipt]);
    expect(receiptsIn('', form, description)).to.deep.equal([receipt, receipt]);
  });

  it('is read where a path of an answer leads into JSON in a text', () => {
    const reference = { json: 'head.id' };
    const rule: AnswerRule = { json: { 'data.0.report.code': ['7'] }, means: 'submitted', reference };
    const body = JSON.stringify({ data: JSON.stringify(data), head: '{"id":-1.50e3}' });
    for (const answer of [body, JSON.stringify(body)]) {
      expect(fateOf({ status: 200, body: answer }, [rule])).to.deep.equal({
        kind: 'submitted',
        reference: '-1.50e3',
      });
    }
  });

  it('keeps its numbers as they are written, and those in its texts', () => {
    const rule = (path: string, text: string): AnswerRule => ({ json: { [path]: [text] }, means: 'refused' });
    const body = String.raw`{ "a" : [ 1.0,-0 , 1E+9 ], "b":"\"1, 2", "3":4, "c" : "\\" ,"d":5 }`;
    const rules = [rule('a.0', '1.0'), rule('a.1', '-0'), rule('a.2', '1E+9'), rule('b', '"1, 2'), rule('3', '4')];
    for (const one of [...rules, rule('c', '\\'), rule('d', '5')]) {
      expect(fateOf({ status: 200, body }, [one]), JSON.stringify(one)).to.include({ kind: 'refused' });
    }
  });
});
