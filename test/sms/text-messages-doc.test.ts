import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { PLACEHOLDER_NAMES } from '../../src/sms/http/placeholders.ts';
import { HTTP_PRESETS } from '../../src/sms/http/presets.ts';
import { checkHttpTemplate } from '../../src/sms/http/template-schema.ts';

const doc = readFileSync(new URL('../../docs/text-messages.md', import.meta.url), 'utf8');

describe('docs/text-messages.md', () => {
  it('shows a template that is right', () => {
    const [, example = ''] = /```json\n([\s\S]*?)```/.exec(doc) ?? [];
    expect(() => checkHttpTemplate(JSON.parse(example), 'the example')).to.not.throw();
  });

  it('lists every placeholder and every preset', () => {
    for (const name of PLACEHOLDER_NAMES) expect(doc).to.contain(`\`{${name}}\``);
    for (const name of HTTP_PRESETS.keys()) expect(doc).to.contain(`\`http:${name}\``);
  });
});
