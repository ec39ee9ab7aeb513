import { expect } from 'chai';
import type { Client } from '../../../src/access/client.ts';
import { returnsUnaskedCenter, scopeRefusalOf } from '../../../src/calls/call.ts';
import type { Operation, Transport } from '../../../src/contract/contract.ts';
import { readParameterValue } from '../../../src/contract/parameter-values.ts';
import { ServiceError } from '../../../src/vocabulary/errors.ts';
import { Refusal } from '../../../src/vocabulary/result-codes.ts';
import { openHospital } from '../../support/database/hospital.ts';
import { perSuite } from '../../support/prepared.ts';
import { ownContract } from '../../wire/contract/own-wsdl.ts';

const FORBIDDEN_TO_ALL: Client = { name: 'nothing', operations: new Set() };
const CENTER_1: Client = { name: 'center 1', centers: new Set([1]) };

/** A call with the operation's examples, with these values replaced. */
function callOf(
  { parameters, ...operation }: Operation,
  client: Client,
  values: Readonly<Record<string, string>> = {},
) {
  const input = Object.create(null);
  for (const parameter of parameters) {
    input[parameter.name] = readParameterValue(parameter, values[parameter.name] ?? parameter.example, 'form');
  }
  const transport: Transport = 'httpPost';
  return {
    operation: { ...operation, parameters },
    input,
    client,
    transport,
    network: '192.0.2.1',
    address: '10.0.0.7',
    correlationId: 'test',
  };
}

describe('The scope of a client', () => {
  const hospital = perSuite(() => openHospital());

  for (const operation of ownContract.operations) {
    const hasCenter = operation.parameters.some(({ name }) => name === 'centerid');

    it(`denies ${operation.name} to clients without that operation or transport`, () => {
      const refusals = [FORBIDDEN_TO_ALL, { name: 'soap', transports: new Set<Transport>(['soap11']) }].map((client) =>
        scopeRefusalOf(callOf(operation, client)),
      );
      for (const refusal of refusals) expect(refusal).to.be.instanceOf(ServiceError).with.property('code', 'Forbidden');
      expect(refusals.map((refusal) => refusal?.message)).to.deep.equal([
        `This client may not call ${operation.name}.`,
        'This client may not call over HTTP POST.',
      ]);
    });

    it(`allows ${operation.name} to clients without restrictions`, () => {
      expect(scopeRefusalOf(callOf(operation, { name: 'all' }))).to.equal(undefined);
      expect(scopeRefusalOf(callOf(operation, { name: 'it', operations: new Set([operation.name]) }))).to.equal(
        undefined,
      );
    });

    if (!hasCenter) {
      it(`does not restrict ${operation.name} by center: it has none`, () => {
        expect(scopeRefusalOf(callOf(operation, { name: 'none', centers: new Set([99]) }))).to.equal(undefined);
      });
      continue;
    }

    it(`answers ${operation.name} for another center exactly as for a center that does not exist`, async () => {
      const refusal = scopeRefusalOf(callOf(operation, CENTER_1, { centerid: '999' }));
      expect(refusal).to.be.instanceOf(Refusal);
      const examples = operation.parameters.map(({ name, example }) => [name, name === 'centerid' ? '999' : example]);
      const { record, parameter } = await hospital.call(operation.name, Object.fromEntries(examples));
      expect({ ResultCode: (refusal as Refusal).resultCode, ResultText: refusal?.message }).to.deep.equal(record);
      expect(refusal?.parameter).to.equal(parameter);
    });
  }

  it('forbids an operation that would show the records of all centers', () => {
    const [first] = ownContract.operations;
    const findCenters = { ...first, name: 'Find_Centers', parameters: [] } as Operation;
    const call = callOf(findCenters, CENTER_1);
    expect(returnsUnaskedCenter(findCenters)).to.equal(true);
    const listDoctors = ownContract.operations.find(({ name }) => name === 'GetDoctor') ?? expect.fail();
    expect(returnsUnaskedCenter({ ...listDoctors, parameters: [] }), 'a center inside a list').to.equal(true);
    expect(scopeRefusalOf(call)).to.have.property('code', 'Forbidden');
    expect(scopeRefusalOf(callOf(findCenters, { name: 'it', operations: new Set(['Find_Centers']) }))).to.equal(
      undefined,
    );
  });
});
