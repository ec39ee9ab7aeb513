import { expect } from 'chai';
import fc from 'fast-check';
import { readContract } from '../../../src/contract/read-contract.ts';
import {
  STATED_DEFAULTS,
  withAddress,
  withNamespace,
  withoutNotes,
  withSettings,
} from '../../../src/contract/rewrite-wsdl.ts';
import { parseWsdl, type XmlNode } from '../../../src/contract/wsdl-document.ts';
import { MOVES } from '../../../src/vocabulary/appointments.ts';
import { ownContract, ownWsdl } from './own-wsdl.ts';
import { schemaOf } from './schema-of.ts';

describe('withNamespace', () => {
  for (const [namespace, action] of [
    ['urn:hospital', 'urn:hospital/GetDoctor'],
    ['https://h.example/ws', 'https://h.example/ws/GetDoctor'],
    ['https://h.example/ws/', 'https://h.example/ws/GetDoctor'],
    ['https://h.example/ws?a=1&b="2"', 'https://h.example/ws?a=1&b="2"/GetDoctor'],
  ] as const) {
    it(`turns a contract of ${namespace} into one with the soapAction ${action}`, () => {
      const contract = readContract(withNamespace(ownWsdl, namespace));
      expect(contract.namespace).to.equal(namespace);
      expect(contract.operations.find(({ name }) => name === 'GetDoctor')?.soapAction).to.equal(action);
    });
  }

  it('leaves no trace of the former namespace', () => {
    expect(withNamespace(ownWsdl, 'urn:hospital')).to.not.include('tempuri');
  });

  it('rewrites a SOAP 1.1 and a SOAP 1.2 soapAction for each operation', () => {
    const actions = withNamespace(ownWsdl, 'urn:hospital').match(/soapAction="urn:hospital\/\w+"/g);
    expect(actions).to.have.length(2 * ownContract.operations.length);
  });

  it('keeps all other text, so that the reverse change returns the original file', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), (namespace) => {
        expect(withNamespace(withNamespace(ownWsdl, namespace), 'http://tempuri.org/')).to.equal(ownWsdl);
      }),
    );
  });

  it('treats a replacement pattern as plain text', () => {
    expect(readContract(withNamespace(ownWsdl, "urn:$&-$1-$'")).namespace).to.equal("urn:$&-$1-$'");
  });
});

describe('withAddress', () => {
  it('sets the address of all four ports', () => {
    const url = 'https://hospital.example:8443/ws/TPWebServices.asmx?a=1&b=<2>';
    expect(addressesOf(withAddress(ownWsdl, url))).to.deep.equal([url, url, url, url]);
  });

  it('keeps the locations of the GET and POST operations', () => {
    expect(withAddress(ownWsdl, 'https://h.example/x')).to.include('<http:operation location="/GetDoctor" />');
  });

  it('keeps all other text, so that the reverse change returns the original file', () => {
    const there = withAddress(ownWsdl, 'https://h.example/x');
    expect(there).to.not.equal(ownWsdl);
    expect(withAddress(there, 'http://localhost:8080/TPWebServices.asmx')).to.equal(ownWsdl);
  });
});

describe('withoutNotes', () => {
  const served = withoutNotes(ownWsdl);

  it('leaves out comments and annotations for the service', () => {
    expect(served).to.not.match(/<!--|appinfo|<tp:|tpwebservices:contract|<s:annotation>\s*<\/s:annotation>/);
  });

  // pysimplesoap, savon and others take the first child for the type. Axis 1.4 unwraps no type that begins with an annotation.
  it('begins every element with its type', () => {
    for (const { name, attributes, children } of parseWsdl(schemaOf(served)).children) {
      const [first] = children;
      if (name === 'element' && first !== undefined) {
        expect([first.name, first.children[0]?.name], attributes.name).to.deep.equal(['complexType', 'sequence']);
      }
    }
  });

  it('keeps everything else, such as the documentation that tools show', () => {
    const withoutAppinfo = (node: XmlNode): XmlNode => ({
      ...node,
      children: node.children
        .filter(({ name }) => name !== 'appinfo')
        .map(withoutAppinfo)
        .filter(({ name, children }) => name !== 'annotation' || children.length > 0),
    });
    expect(parseWsdl(served)).to.deep.equal(withoutAppinfo(parseWsdl(ownWsdl)));
  });
});

describe('The WSDL as it is served', () => {
  it('is below 64 KiB, which is all that some readers take, with long settings, too', () => {
    const url = `https://${'h'.repeat(100)}.example/`;
    const moves = [...MOVES, ...MOVES].map((move, index) => ({ ...move, type: 1_000_000 + index }));
    const settings = { ...STATED_DEFAULTS, moves, refusals: 'result', confirmBookings: false } as const;
    const served = withAddress(withoutNotes(withSettings(withNamespace(ownWsdl, url), settings)), url);
    expect(served).to.include('1000013 ').and.include(url);
    expect(Buffer.byteLength(served)).to.be.below(65_536);
  });
});

function addressesOf(wsdl: string): (string | undefined)[] {
  const find = (node: XmlNode): (string | undefined)[] =>
    node.name === 'address' ? [node.attributes.location] : node.children.flatMap(find);
  return find(parseWsdl(wsdl));
}
