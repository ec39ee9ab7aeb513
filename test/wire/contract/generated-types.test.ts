import { expect } from 'chai';
import { generatedTypes } from '../../../scripts/generate/types.ts';
import type { ResultRecord } from '../../../src/contract/contract.ts';
import type * as generated from '../../../src/contract/generated-types.ts';
import { SMALL_CONTRACT } from './small-contract.ts';

// Checked by the compiler: every result can be passed to code that writes a ResultRecord.
type Results = Awaited<ReturnType<generated.Implementations<unknown>[keyof generated.Implementations<unknown>]>>;
const asRecord = (result: Results): ResultRecord => result;

describe('generated types', () => {
  it('describe records that are result records', () => {
    expect(asRecord({ ResultCode: 0, Doctors: { Doctor: [] } })).to.deep.equal({
      ResultCode: 0,
      Doctors: { Doctor: [] },
    });
  });

  it('describe an operation without parameters', () => {
    expect(generatedTypes(SMALL_CONTRACT)).to.include('export type PingInput = Readonly<Record<string, never>>;\n');
  });
});
