import { expect } from 'chai';
import { readContract } from '../../../src/contract/read-contract.ts';
import { withNamespace } from '../../../src/contract/rewrite-wsdl.ts';
import { validateAll } from '../cases/validate-all.ts';
import { ownContract, ownWsdl } from './own-wsdl.ts';
import { sampleRecord, sampleRequest, sampleResponse } from './sample-message.ts';
import { schemaOf } from './schema-of.ts';

const { operations } = ownContract;

describe('messages of the WSDL', () => {
  // One run of xmllint validates all of them, because each run compiles xmllint again.
  const documents = new Map<string, string>();
  let errors: readonly string[];
  before(async () => {
    errors = await validateAll(schemaOf(ownWsdl), documents);
  });

  /** Adds a document to those that are validated; returns a function that gives its errors. */
  const validated = (document: string): (() => readonly string[]) => {
    const name = `${documents.size}.xml`;
    documents.set(name, document);
    return () => errors.filter((error) => error.startsWith(`${name}: `));
  };
  const accepts = (title: string, ...valid: readonly string[]) => {
    const errorsOf = valid.map(validated);
    it(title, () => {
      for (const found of errorsOf) expect(found()).to.deep.equal([]);
    });
  };
  const refuses = (what: string, valid: string, broken: string) => {
    const errorsOf = validated(broken);
    it(`refuses ${what}`, () => {
      expect(broken).to.not.equal(valid);
      expect(errorsOf()).to.not.deep.equal([]);
    });
  };

  for (const operation of operations) {
    const { name, responseName, resultType } = operation;
    accepts(
      `${name}: a request with all parameters, and one with only the required ones, are valid`,
      sampleRequest(ownContract, operation, true),
      sampleRequest(ownContract, operation, false),
    );
    accepts(
      `${name}: a response with all fields, and one with only the required ones, are valid`,
      sampleResponse(ownContract, operation, true),
      sampleResponse(ownContract, operation, false),
    );
    accepts(
      `${name}: the empty response of the old service is valid`,
      `<${responseName} xmlns="${ownContract.namespace}" />`,
    );
    accepts(`${name}: the result record is valid as a root element`, sampleRecord(ownContract, resultType, true));
  }

  accepts(
    'accepts a fault detail with all fields, and one with only the required ones',
    sampleRecord(ownContract, ownContract.fault, true),
    sampleRecord(ownContract, ownContract.fault, false),
  );

  const request = operations.map((operation) => sampleRequest(ownContract, operation, true))[0] ?? '';
  for (const [what, from, to] of [
    ['an int that is not a number', '<centerid>42<', '<centerid>4 2<'],
    ['an int that is out of range', '<centerid>42<', '<centerid>2147483648<'],
    ['a dateTime that is not one', '2026-11-20T10:30:00', '20-Nov-2026'],
    ['a missing int', '<centerid>42</centerid>', ''],
    ['a parameter that the contract does not have', '<centerid>', '<extra/><centerid>'],
    ['a parameter that is given twice', '<centerid>', '<centerid>1</centerid><centerid>'],
    ['an element in a string', 'Asha', '<b>Asha</b>'],
  ] as const) {
    refuses(`a request with ${what}`, request, request.replace(from, to));
  }

  const responses = operations.map((operation) => sampleResponse(ownContract, operation, true));
  const changed = responses.find((response) => response.includes('<Changed>true<')) ?? '';
  refuses('a boolean that is not one', changed, changed.replace('<Changed>true<', '<Changed>yes<'));

  for (const type of ownContract.types) {
    const required = type.fields.find((field) => field.required)?.name;
    if (required === undefined) continue;
    const owner = operations.find(({ resultType }) => JSON.stringify(resultType).includes(`"name":"${type.name}"`));
    const whole = owner ? sampleResponse(ownContract, owner, true) : sampleRecord(ownContract, type, true);
    const broken = whole.replace(new RegExp(`<${required}>[^<]*</${required}>`), '');
    refuses(`${type.name} without a required field`, whole, broken);
  }

  it("are in the deployment's namespace once the WSDL is rewritten", async () => {
    const rewritten = withNamespace(ownWsdl, 'urn:hospital');
    const contract = readContract(rewritten);
    const valid = contract.operations.map((operation) => sampleResponse(contract, operation, true));
    const schema = schemaOf(rewritten);
    const named = (messages: readonly string[]) => new Map(messages.map((message, n) => [`${n}.xml`, message]));
    expect(await validateAll(schema, named(valid))).to.deep.equal([]);
    const found = await validateAll(schema, named(responses));
    for (const name of named(responses).keys()) {
      expect(found.some((error) => error.startsWith(`${name}: `))).to.equal(true);
    }
  });
});
