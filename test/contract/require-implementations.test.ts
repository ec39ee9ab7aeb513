import { expect } from 'chai';
import { requireImplementations } from '../../src/contract/require-implementations.ts';
import { ownContract } from './own-wsdl.ts';

const complete = (): Record<string, unknown> =>
  Object.fromEntries(ownContract.operations.map(({ name }) => [name, async () => ({})]));

describe('requireImplementations', () => {
  it('accepts one function for each operation', () => {
    expect(() => requireImplementations(ownContract, complete())).to.not.throw();
  });

  it('names every operation without an implementation', () => {
    const { GetDoctor: _getDoctor, Sent_SMS: _sentSms, ...rest } = complete();
    expect(() => requireImplementations(ownContract, rest)).to.throw(
      'Operation Sent_SMS of the WSDL has no implementation. Operation GetDoctor of the WSDL has no implementation.',
    );
  });

  it('names every implementation without an operation', () => {
    expect(() => requireImplementations(ownContract, { ...complete(), getDoctor: () => undefined })).to.throw(
      'Implementation getDoctor belongs to no operation of the WSDL.',
    );
  });

  it('does not take what is no function for an implementation', () => {
    expect(() => requireImplementations(ownContract, { ...complete(), GetDoctor: {} })).to.throw(
      'Operation GetDoctor of the WSDL',
    );
  });
});
