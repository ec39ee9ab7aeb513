import { expect } from 'chai';
import { TRANSPORTS } from '../../../../src/contract/contract.ts';
import { createDocuments, discoDocument } from '../../../../src/transports/pages/metadata.ts';
import { TEST_NOW } from '../../../support/process/start-service.ts';
import { linesOf, parseXmlTree } from '../../../wire/cases/xml-tree.ts';
import { ownContract, ownWsdl } from '../../../wire/contract/own-wsdl.ts';
import { ENDPOINT } from './own-pages.ts';

const WEEK = 7 * 86_400_000;

function documentsAt(clock: { now: number }) {
  const documentOf = createDocuments({
    contract: ownContract,
    wsdl: ownWsdl,
    gate: { asksWhoCalls: false },
    clock: () => clock.now,
    timeZone: 'Asia/Kolkata',
    refusals: 'fault',
    results: 'record',
    transports: TRANSPORTS,
    formDateOrder: undefined,
  });
  return (endpoint: string, operation?: string) =>
    documentOf(endpoint.slice(0, -ownContract.path.length), { operation }).bytes;
}

describe('The cached pages', () => {
  it("A page is rendered once a week, with that week's examples.", () => {
    const clock = { now: TEST_NOW };
    const pageOf = documentsAt(clock);
    const first = pageOf(ENDPOINT, 'Fetch_Details');
    expect(first.toString()).to.include('value="2026-11-23"');
    clock.now += 3_600_000;
    expect(pageOf(ENDPOINT, 'Fetch_Details')).to.equal(first);
    clock.now += WEEK;
    expect(pageOf(ENDPOINT, 'Fetch_Details').toString()).to.include('value="2026-11-30"');
  });

  it('Each address has its own pages, however many addresses there are.', () => {
    const pageOf = documentsAt({ now: TEST_NOW });
    for (let port = 1; port <= 300; port++) {
      expect(pageOf(`http://localhost:${port}/TPWebServices.asmx`).toString()).to.include(`http://localhost:${port}/`);
    }
  });

  it('Behind a proxy that adds a path prefix, links and the form use the prefix.', () => {
    const pageOf = documentsAt({ now: TEST_NOW });
    const endpoint = 'https://his.example.org/his/TPWebServices.asmx';
    expect(pageOf(endpoint, 'GetDoctor').toString())
      .to.include('action="/his/TPWebServices.asmx/GetDoctor"')
      .and.include('href="/his/TPWebServices.asmx"');
    expect(pageOf(endpoint).toString()).to.include('href="/his/openapi.json"');
  });
});

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
