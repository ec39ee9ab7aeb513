import { expect } from 'chai';
import { withoutNotes } from '../../../src/contract/rewrite-wsdl.ts';
import { oldOperations, withoutLaterParameters } from './old-wsdl.ts';
import { ownContract, ownWsdl } from './own-wsdl.ts';

describe('The old WSDL', () => {
  it('has seven operations, and our contract begins each with their parameters', () => {
    expect(oldOperations).to.have.length(7);
    for (const { name, parameters } of oldOperations) {
      const own = ownContract.operations.find((operation) => operation.name === name)?.parameters ?? [];
      const begin = own
        .slice(0, parameters.length)
        .map((parameter) => ({ name: parameter.name, type: parameter.type }));
      expect(begin, name).to.deep.equal(parameters);
    }
  });

  it('is what remains of a WSDL to which parameters were added', () => {
    for (const wsdl of [ownWsdl, withoutNotes(ownWsdl)]) {
      const later = wsdl
        .replace(
          /(<s:element name="GetDoctor">[\s\S]*?)(\n *<\/s:sequence>)/,
          '$1\n<s:element name="x" type="s:int" />$2',
        )
        .replace(
          /(<s:element name="GetDoctor">[\s\S]*?)(\n *<\/s:sequence>)/,
          '$1\n<s:element minOccurs="0" name="y" type="s:string">\n<s:annotation /></s:element>$2',
        )
        .replace(
          /(<wsdl:message name="GetDoctorHttpGetIn">[\s\S]*?)(\n *<\/)/,
          '$1\n<wsdl:part name="y" type="s:string" />$2',
        );
      expect(later.length).to.be.above(wsdl.length + 100);
      expect(withoutLaterParameters(later)).to.equal(withoutLaterParameters(wsdl));
    }
  });
});
