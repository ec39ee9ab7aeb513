import { expect } from 'chai';
import type { Operation } from '../../../../src/contract/contract.ts';
import { actionOfHeader, requireAction } from '../../../../src/transports/soap/soap-exchange.ts';
import { ServiceError } from '../../../../src/vocabulary/errors.ts';
import { ownContract } from '../../../wire/contract/own-wsdl.ts';

const getDoctor = ownContract.operations.find(({ name }) => name === 'GetDoctor') as Operation;

function errorOf(action: string): ServiceError {
  try {
    requireAction(action, getDoctor, ownContract.namespace);
  } catch (error) {
    expect(error).to.be.instanceOf(ServiceError);
    return error as ServiceError;
  }
  throw new Error(`accepted: ${action}`);
}

// What is accepted and refused on the wire is in test/wire/cases/soap-action.
describe('A SOAP action', () => {
  for (const action of ['http://tempuri.org/GetDoctor ', '__proto__', 'x'.repeat(5000)]) {
    it(`that is ${JSON.stringify(action.slice(0, 30))} is refused in a short sentence, which names the expected one`, () => {
      const { code, message } = errorOf(action);
      expect(code).to.equal('ActionMismatch');
      expect(message).to.include('expected "http://tempuri.org/GetDoctor"').and.have.length.below(200);
    });
  }

  it('is what the header has between its quotes, if it has two', () => {
    const headers = [undefined, '', '""', '"urn:a"', 'urn:a', ' "urn:a" ', '"'];
    expect(headers.map(actionOfHeader)).to.deep.equal([undefined, '', '', 'urn:a', 'urn:a', 'urn:a', '"']);
  });
});
