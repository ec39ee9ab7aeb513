import { expect } from 'chai';
import type { Operation } from '../../../src/contract/contract.ts';
import { actionOfHeader, checkAction } from '../../../src/transports/soap/soap-exchange.ts';
import { ServiceError } from '../../../src/vocabulary/errors.ts';
import { ownContract } from '../../contract/own-wsdl.ts';

const check = (action: string | undefined, operation: Operation) =>
  checkAction(action, operation, ownContract.namespace);
const getDoctor = ownContract.operations.find(({ name }) => name === 'GetDoctor') as Operation;

function errorOf(action: string): ServiceError {
  try {
    check(action, getDoctor);
  } catch (error) {
    expect(error).to.be.instanceOf(ServiceError);
    return error as ServiceError;
  }
  throw new Error(`accepted: ${action}`);
}

describe('A SOAP action', () => {
  for (const action of [undefined, '', 'http://tempuri.org/GetDoctor', 'http://tempuri.org//GetDoctor']) {
    it(`${action === undefined ? 'No action' : JSON.stringify(action)} is accepted with a body of GetDoctor.`, () => {
      expect(() => check(action, getDoctor)).to.not.throw();
    });
  }

  it('The action of another operation is refused, and both are named.', () => {
    const error = errorOf('http://tempuri.org/Fetch_Details');
    expect(error.code).to.equal('ActionMismatch');
    expect(error.message).to.include('Fetch_Details').and.include('GetDoctor');
  });

  for (const action of [
    'GetDoctor',
    'http://tempuri.org/getdoctor',
    'http://tempuri.org/GetDoctor ',
    'http://example.org/GetDoctor',
    '__proto__',
  ]) {
    it(`The action ${JSON.stringify(action)} is refused, and the expected one is named.`, () => {
      const error = errorOf(action);
      expect(error.code).to.equal('ActionMismatch');
      expect(error.message).to.include('expected "http://tempuri.org/GetDoctor"');
    });
  }

  it('A long action is truncated in the message.', () => {
    expect(errorOf('x'.repeat(5000)).message.length).to.be.lessThan(200);
  });

  for (const [header, action] of [
    [undefined, undefined],
    ['', ''],
    ['""', ''],
    ['"urn:a"', 'urn:a'],
    ['urn:a', 'urn:a'],
    [' "urn:a" ', 'urn:a'],
    ['"', '"'],
  ] as const) {
    it(`The header ${JSON.stringify(header)} means ${JSON.stringify(action)}.`, () => {
      expect(actionOfHeader(header)).to.equal(action);
    });
  }
});
