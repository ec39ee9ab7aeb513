import { expect } from 'chai';
import { readContract } from '../../src/contract/read-contract.ts';
import { withNamespace } from '../../src/contract/rewrite-wsdl.ts';
import { ownContract, ownWsdl } from './own-wsdl.ts';
import { sampleRecord, sampleRequest, sampleResponse } from './sample-message.ts';
import { validateAgainstTypes } from './validate-message.ts';

const validate = (payload: string) => validateAgainstTypes(ownWsdl, payload);

describe('messages of the WSDL', () => {
  for (const operation of ownContract.operations) {
    const { name, responseName, resultType } = operation;

    it(`${name}: a request with all parameters, and one with the required ones only, are valid`, async () => {
      expect(await validate(sampleRequest(ownContract, operation, true))).to.deep.equal([]);
      expect(await validate(sampleRequest(ownContract, operation, false))).to.deep.equal([]);
    });

    it(`${name}: a response with all fields, and one with the required ones only, are valid`, async () => {
      expect(await validate(sampleResponse(ownContract, operation, true))).to.deep.equal([]);
      expect(await validate(sampleResponse(ownContract, operation, false))).to.deep.equal([]);
    });

    it(`${name}: the empty response of the service's predecessor is valid`, async () => {
      expect(await validate(`<${responseName} xmlns="${ownContract.namespace}" />`)).to.deep.equal([]);
    });

    it(`${name}: the result record is valid as a root element`, async () => {
      expect(await validate(sampleRecord(ownContract, resultType, true))).to.deep.equal([]);
    });
  }

  it('accepts a fault detail with all fields and one with the required ones only', async () => {
    expect(await validate(sampleRecord(ownContract, ownContract.fault, true))).to.deep.equal([]);
    expect(await validate(sampleRecord(ownContract, ownContract.fault, false))).to.deep.equal([]);
  });

  for (const [what, from, to] of [
    ['an int that is none', '<centerid>42<', '<centerid>4 2<'],
    ['an int that is out of range', '<centerid>42<', '<centerid>2147483648<'],
    ['a dateTime that is none', '2026-11-20T10:30:00', '20-Nov-2026'],
    ['a missing int', '<centerid>42</centerid>', ''],
    ['a parameter that is not there', '<centerid>', '<extra/><centerid>'],
    ['a parameter that is given twice', '<centerid>', '<centerid>1</centerid><centerid>'],
    ['an element in a string', 'Asha', '<b>Asha</b>'],
  ] as const) {
    it(`refuses a request with ${what}`, async () => {
      const [operation] = ownContract.operations;
      if (!operation) throw new Error('There is no operation.');
      const request = sampleRequest(ownContract, operation, true);
      expect(request).to.include(from);
      expect(await validate(request.replace(from, to))).to.not.deep.equal([]);
    });
  }

  it('refuses a boolean that is none', async () => {
    const operation = ownContract.operations.find(({ name }) => name === 'Appointment_Status_Updates');
    if (!operation) throw new Error('There is no such operation.');
    const response = sampleResponse(ownContract, operation, true);
    expect(await validate(response.replace('<Changed>true<', '<Changed>yes<'))).to.not.deep.equal([]);
  });

  for (const type of ownContract.types.filter(({ fields }) => fields.some(({ required }) => required))) {
    it(`refuses a ${type.name} without a required field`, async () => {
      const owner = ownContract.operations.find(({ resultType }) =>
        JSON.stringify(resultType).includes(`"name":"${type.name}"`),
      );
      const whole = owner ? sampleResponse(ownContract, owner, true) : sampleRecord(ownContract, type, true);
      const required = type.fields.find((field) => field.required)?.name;
      const broken = whole.replace(new RegExp(`<${required}>[^<]*</${required}>`), '');
      expect(broken).to.not.equal(whole);
      expect(await validate(broken)).to.not.deep.equal([]);
    });
  }

  it('are of the deployment’s namespace once the WSDL is rewritten', async () => {
    const rewritten = withNamespace(ownWsdl, 'urn:hospital');
    const contract = readContract(rewritten);
    for (const operation of contract.operations) {
      expect(await validateAgainstTypes(rewritten, sampleResponse(contract, operation, true))).to.deep.equal([]);
      expect(await validateAgainstTypes(rewritten, sampleResponse(ownContract, operation, true))).to.not.deep.equal([]);
    }
  });
});
