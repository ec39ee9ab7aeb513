import { expect } from 'chai';
import { discoDocument } from '../../../src/transports/pages/disco.ts';
import { linesOf, parseXmlTree } from '../../cases/xml-tree.ts';
import { ownContract } from '../../contract/own-wsdl.ts';

describe('The discovery document', () => {
  it('It names the WSDL and both SOAP ports.', () => {
    const expected = parseXmlTree(`<discovery xmlns="http://schemas.xmlsoap.org/disco/">
      <contractRef ref="http://a/s.asmx?wsdl" docRef="http://a/s.asmx" xmlns="http://schemas.xmlsoap.org/disco/scl/"/>
      <soap address="http://a/s.asmx" binding="t:TPWebServicesSoap" xmlns:t="http://tempuri.org/" xmlns="http://schemas.xmlsoap.org/disco/soap/"/>
      <soap address="http://a/s.asmx" binding="t:TPWebServicesSoap12" xmlns:t="http://tempuri.org/" xmlns="http://schemas.xmlsoap.org/disco/soap/"/>
    </discovery>`);
    expect(linesOf(parseXmlTree(discoDocument(ownContract, 'http://a/s.asmx')))).to.equal(linesOf(expected));
  });

  it('Markup in the address and in the namespace is escaped.', () => {
    const tree = parseXmlTree(discoDocument({ ...ownContract, namespace: 'urn:a&"<b' }, 'http://a/"><x y="&'));
    expect(tree.children.map(({ name }) => name.replace(/^\{.*\}/, ''))).to.deep.equal(['contractRef', 'soap', 'soap']);
    expect(tree.children[1]?.attributes).to.deep.include(['{}address', 'http://a/"><x y="&']);
    expect(tree.children[1]?.attributes).to.deep.include(['{}binding', '{urn:a&"<b}TPWebServicesSoap']);
  });
});
