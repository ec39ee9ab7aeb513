import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { operationsDoc } from '../../scripts/generate-operations-doc.ts';
import { firstDifference } from '../../scripts/write-generated.ts';
import { ownContract } from '../contract/own-wsdl.ts';
import { root } from './source-files.ts';

describe('docs/operations.md', () => {
  it('shows the current WSDL, codes and status changes, as written by npm run generate:operations-doc', () => {
    const file = readFileSync(new URL('docs/operations.md', root), 'utf8');
    expect(firstDifference(operationsDoc(ownContract, file), file)).to.equal(undefined);
  });
});
