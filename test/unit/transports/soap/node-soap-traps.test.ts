import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import soap from 'soap';
import type { SoapVersion } from '../../../../src/transports/soap/soap-versions.ts';
import { type RawAnswer, rawExchange } from '../../../support/http/raw-exchange.ts';
import {
  envelope,
  fetchDetails,
  GET_DOCTOR,
  LIST_DAY,
  operationElement,
  postRequest,
  SOAP_11,
  SOAP_12,
  soapRequest,
} from '../../../support/http/soap-request.ts';
import { type RunningService, startService } from '../../../support/process/start-service.ts';
import { parseXmlTree } from '../../../wire/cases/xml-tree.ts';

const PATH = '/TPWebServices.asmx';

describe('Traps of the soap library', () => {
  let service: RunningService;

  beforeEach(async () => {
    service = await startService();
  });

  const send = (request: Buffer | string): Promise<RawAnswer> => rawExchange(service.port, request);
  const call = (version: SoapVersion, body: string, headers: Readonly<Record<string, string | undefined>> = {}) =>
    send(soapRequest(version, body, headers));
  const text = ({ body }: RawAnswer): string => body.toString('utf8');
  const faultCode = (answer: RawAnswer): string | undefined =>
    /<faultcode>(.*?)<\/faultcode>|<soap:Code><soap:Value>(.*?)<\/soap:Value>/
      .exec(text(answer))
      ?.slice(1)
      .find((code) => code !== undefined);
  const names = async (): Promise<string[]> =>
    [...text(await call(SOAP_11, LIST_DAY)).matchAll(/<Name>([^<]*)<\/Name>/g)].map(([, name]) => name ?? '');

  it('A compressed body is refused unread: broken gzip does not end the process, and a bomb does not expand.', async () => {
    const broken = await send(
      postRequest(PATH, { 'Content-Type': SOAP_11.contentType, 'Content-Encoding': 'gzip' }, 'not gzip'),
    );
    expect(broken.status).to.equal(415);
    const bomb = gzipSync(Buffer.alloc(60_000_000, 'a'));
    expect(bomb.length).to.be.lessThan(65_536);
    const before = process.memoryUsage();
    for (let turn = 0; turn < 5; turn++) {
      const answer = await send(
        postRequest(PATH, { 'Content-Type': SOAP_12.contentType, 'Content-Encoding': 'gzip' }, bomb),
      );
      expect(answer.status).to.equal(415);
    }
    const after = process.memoryUsage();
    expect(after.external - before.external + (after.heapUsed - before.heapUsed)).to.be.lessThan(50_000_000);
    expect((await call(SOAP_11, GET_DOCTOR)).status).to.equal(200);
  });

  it('Each version is answered in its own envelope, whatever came before.', async () => {
    for (const version of [SOAP_12, SOAP_11, SOAP_12, SOAP_11]) {
      for (const [body, status] of [
        [GET_DOCTOR, 200],
        [operationElement('GetDoctor', ''), 500],
      ] as const) {
        const answer = await call(version, body);
        expect(answer.status).to.equal(status);
        expect(answer.headers['content-type']).to.equal(version.contentType);
        expect(parseXmlTree(text(answer)).name).to.equal(`{${version.envelopeNamespace}}Envelope`);
      }
    }
  });

  it('Namespaces, mustUnderstand, structure and types are checked before anything runs.', async () => {
    const bodies = [
      fetchDetails().replace('http://tempuri.org/', 'http://example.org/'),
      fetchDetails({ Name: '<first>Ravi</first>' }),
      fetchDetails({ centerid: 'one' }),
      `${fetchDetails()}${fetchDetails()}`,
    ];
    for (const body of bodies) expect((await call(SOAP_11, body)).status, body).to.equal(500);
    const header = '<w:Security xmlns:w="urn:w" soap:mustUnderstand="1"/>';
    const understood = postRequest(
      PATH,
      { 'Content-Type': SOAP_11.contentType },
      envelope(SOAP_11, fetchDetails(), header),
    );
    expect(faultCode(await send(understood))).to.equal('soap:MustUnderstand');
    expect(await names()).to.deep.equal([]);
  });

  it('An element named like a member of every object changes no object.', async () => {
    await call(SOAP_11, operationElement('GetDoctor', '<centerid>2</centerid><__proto__><x>1</x></__proto__>'));
    await call(SOAP_12, operationElement('__proto__', '<x>1</x>'));
    expect(({} as Record<string, unknown>).x).to.equal(undefined);
  });

  it('Thousands of namespace declarations on thousands of elements are refused, and other messages are served.', async () => {
    const declared = (declarations: number, elements: number): string =>
      envelope(
        SOAP_11,
        `<a${Array.from({ length: declarations }, (_, at) => ` xmlns:n${at}="u"`).join('')}>${'<b/>'.repeat(elements)}</a>`,
      );
    const small = declared(600, 6000);
    expect(small.length).to.be.lessThan(65_536);
    for (const body of [small, declared(20_000, 20_000), declared(32, 6000)]) {
      const answer = await send(postRequest(PATH, { 'Content-Type': SOAP_11.contentType }, body));
      expect(answer.status).to.equal(413);
      expect(faultCode(answer)).to.equal('soap:Client');
    }
    expect((await call(SOAP_11, GET_DOCTOR)).status).to.equal(200);
  });

  it("The library's own reader and writer are never called, so that a message is read only once.", async () => {
    const { xmlToObject, objectToDocumentXML } = soap.WSDL.prototype;
    let calls = 0;
    soap.WSDL.prototype.xmlToObject = function (...parameters) {
      calls++;
      return xmlToObject.apply(this, parameters);
    };
    soap.WSDL.prototype.objectToDocumentXML = function (...parameters) {
      calls++;
      return objectToDocumentXML.apply(this, parameters);
    };
    try {
      for (const version of [SOAP_11, SOAP_12]) {
        expect((await call(version, GET_DOCTOR)).status).to.equal(200);
        expect((await call(version, '<a/>')).status).to.not.equal(200);
      }
    } finally {
      Object.assign(soap.WSDL.prototype, { xmlToObject, objectToDocumentXML });
    }
    expect(calls).to.equal(0);
  });
});
