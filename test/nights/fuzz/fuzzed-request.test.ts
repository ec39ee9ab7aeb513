import { expect } from 'chai';
import { fuzzedRequest } from '../../../scripts/fuzz/fuzzed-request.ts';
import { FORM_MUTATIONS, HTTP_MUTATIONS } from '../../../scripts/fuzz/mutate-http.ts';
import { XML_MUTATIONS } from '../../../scripts/fuzz/mutate-xml.ts';
import { readContract } from '../../../src/contract/read-contract.ts';
import { ownWsdl } from '../../wire/contract/own-wsdl.ts';

const DAYS = ['2027-01-18', '2027-01-19'];

describe('fuzzedRequest', () => {
  const contract = readContract(ownWsdl);
  const some = Array.from({ length: 3000 }, (_, number) => fuzzedRequest(contract, 1, number, DAYS));

  it('makes the same bytes from the same seed and number', () => {
    for (let number = 0; number < 200; number++) {
      const again = fuzzedRequest(contract, 1, number, DAYS);
      expect(again.bytes.equals(some[number]?.bytes ?? Buffer.alloc(0))).to.equal(true);
    }
  });

  it('makes different bytes from another seed', () => {
    expect(fuzzedRequest(contract, 2, 0, DAYS).bytes.equals(some[0]?.bytes ?? Buffer.alloc(0))).to.equal(false);
  });

  it('uses every transport, every operation and every mutation', () => {
    const text = some.map(({ bytes }) => bytes.toString('latin1')).join('\n');
    for (const { name } of contract.operations) expect(text).to.include(`/${name}`);
    expect(new Set(some.map(({ transport }) => transport)).size).to.equal(4);
    const used = new Set(some.flatMap(({ mutations }) => mutations));
    const all = [XML_MUTATIONS, HTTP_MUTATIONS, FORM_MUTATIONS].flatMap((mutations) => Object.keys(mutations));
    expect(all.filter((name) => !used.has(name))).to.deep.equal([]);
  });

  it('leaves one in ten as a correct client sends it', () => {
    expect(some.filter(({ mutations }) => mutations.length === 0).length).to.be.within(200, 600);
  });
});
