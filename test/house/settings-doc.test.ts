import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { settingsDoc } from '../../scripts/generate-settings-doc.ts';
import { firstDifference } from '../../scripts/write-generated.ts';
import { root } from './source-files.ts';

describe('docs/settings.md', () => {
  it('is up to date with npm run generate:settings-doc', () => {
    const file = readFileSync(new URL('docs/settings.md', root), 'utf8');
    expect(firstDifference(settingsDoc(), file)).to.equal(undefined);
  });
});
