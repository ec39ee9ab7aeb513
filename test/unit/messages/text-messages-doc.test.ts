import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect } from 'chai';
import { checkHttpTemplate } from '../../../src/messages/gateways/http-template.ts';
import { PLACEHOLDER_NAMES } from '../../../src/messages/gateways/placeholders.ts';
import { EXAMPLE_GATEWAYS } from './example-gateways.ts';

const doc = readFileSync(new URL('../../../docs/operators/text-messages.md', import.meta.url), 'utf8');

describe('docs/operators/text-messages.md', () => {
  it('shows a valid template', () => {
    const [, example = ''] = /```json\n([\s\S]*?)```/.exec(doc) ?? [];
    expect(() => checkHttpTemplate(JSON.parse(example), 'the example')).to.not.throw();
  });

  it('lists every placeholder and every template that comes with the service', () => {
    for (const name of PLACEHOLDER_NAMES) expect(doc).to.contain(`\`{${name}}\``);
    for (const file of EXAMPLE_GATEWAYS) expect(doc).to.contain(`\`http:examples/gateways/${basename(file)}\``);
  });
});
