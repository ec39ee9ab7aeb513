import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import soap from 'soap';
import type { SoapVersion } from '../../../src/transports/soap/soap-versions.ts';
import { parseXmlTree } from '../../cases/xml-tree.ts';
import { type RawAnswer, rawExchange } from '../../support/http/raw-exchange.ts';
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
} from '../../support/http/soap-request.ts';
import { type RunningService, startService } from '../../support/process/start-service.ts';

const PATH = '/TPWebServices.asmx';

describe('Traps of the soap library', () => {
  let service: RunningService;

  beforeEach(async () => {
    service = await startService();
  });

  const send = (request: Buffer | string): Promise<RawAnswer> => rawExchange(service.port, request);
  const call = (version: SoapVersion, body: string, headers: Readonly<Record<string, string | undefined>> = {}) =>
    send(soapRequest(version, body, headers));
  const get = (target: string): Promise<RawAnswer> => send(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
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

  it('A body that a parser leaves empty is answered and does not hang.', async () => {
    for (const body of ['', '{}', '""']) {
      const answer = await send(postRequest(PATH, { 'Content-Type': SOAP_11.contentType }, body));
      expect(answer.status, body).to.equal(400);
      expect(faultCode(answer), body).to.equal('soap:Client');
    }
    const json = await send(postRequest(PATH, { 'Content-Type': 'application/json' }, '{}'));
    expect(json.status).to.equal(415);
  });

  it('Each version is answered in its own envelope, whatever came before.', async () => {
    for (const version of [SOAP_12, SOAP_11, SOAP_12, SOAP_11]) {
      for (const [body, status] of [
        [GET_DOCTOR, 200],
        [operationElement('GetDoctor', ''), version === SOAP_11 ? 500 : 400],
      ] as const) {
        const answer = await call(version, body);
        expect(answer.status).to.equal(status);
        expect(answer.headers['content-type']).to.equal(version.contentType);
        expect(parseXmlTree(text(answer)).name).to.equal(`{${version.envelopeNamespace}}Envelope`);
      }
    }
  });

  it('All four ports answer on their common path, with the same record.', async () => {
    const fields = async (answer: Promise<RawAnswer>): Promise<string> =>
      /<ResultCode>.*<\/Doctors>/s.exec(text(await answer))?.[0] ?? '';
    const soap11 = await fields(call(SOAP_11, GET_DOCTOR));
    expect(soap11).to.include('Dr. Anita Urs');
    expect(await fields(call(SOAP_12, GET_DOCTOR))).to.equal(soap11);
    expect(await fields(get(`${PATH}/GetDoctor?centerid=2`))).to.equal(soap11);
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect(await fields(send(postRequest(`${PATH}/GetDoctor`, form, 'centerid=2')))).to.equal(soap11);
  });

  it("The answer's Content-Type depends on the version and not on the request.", async () => {
    for (const version of [SOAP_11, SOAP_12]) {
      const type = `${version.mediaType}; charset=US-ASCII; x=y`;
      const answer = await call(version, GET_DOCTOR, { 'Content-Type': type });
      expect(answer.headers['content-type']).to.equal(version.contentType);
    }
  });

  it('An element in the Body that is not an operation gets a fault in XML, without a stack trace.', async () => {
    for (const version of [SOAP_11, SOAP_12]) {
      for (const body of ['<Nothing/>', operationElement('GetNurse', '')]) {
        const answer = await call(version, body);
        expect(faultCode(answer)).to.match(/^soap:(Client|Sender)$/);
        expect(answer.headers['content-type']).to.equal(version.contentType);
        expect(text(answer)).to.not.match(/\bat .*:\d+:\d+|node_modules|\.ts\b|\.js\b/);
      }
    }
  });

  it('A fault during parsing has the code of its version and no header of its own.', async () => {
    for (const [version, code] of [
      [SOAP_11, 'soap:Client'],
      [SOAP_12, 'soap:Sender'],
    ] as const) {
      const answer = await call(version, '<GetDoctor>');
      expect(faultCode(answer)).to.equal(code);
      expect(text(answer)).to.not.match(/Header|Security|mustUnderstand/);
    }
  });

  it('An error that is thrown inside becomes a fault without details, in the right version, and never a 200.', async () => {
    const broken = await startService();
    await broken.store.close();
    try {
      for (const [version, code] of [
        [SOAP_11, 'soap:Server'],
        [SOAP_12, 'soap:Receiver'],
      ] as const) {
        const answer = await rawExchange(broken.port, soapRequest(version, GET_DOCTOR));
        expect(answer.status).to.be.oneOf([500, 503]);
        expect(faultCode(answer)).to.equal(code);
        expect(parseXmlTree(text(answer)).name).to.equal(`{${version.envelopeNamespace}}Envelope`);
        expect(text(answer)).to.not.match(/database|connection|sqlite|kysely|driver|open\b/i);
      }
    } finally {
      await broken.close().catch(() => {});
    }
  });

  it('An unknown SOAPAction gets a fault that names it.', async () => {
    const answer = await call(SOAP_11, GET_DOCTOR, { SOAPAction: '"urn:nothing"' });
    expect(answer.status).to.equal(500);
    expect(faultCode(answer)).to.equal('soap:Client');
    expect(text(answer)).to.include('urn:nothing');
    expect(text(answer)).to.not.include('undefined');
  });

  it('A SOAPAction of another operation does not run that operation.', async () => {
    const asBooking = await call(SOAP_11, GET_DOCTOR, { SOAPAction: '"http://tempuri.org/Fetch_Details"' });
    expect(asBooking.status).to.equal(500);
    const asReading = await call(SOAP_11, fetchDetails(), { SOAPAction: '"http://tempuri.org/GetDoctor"' });
    expect(asReading.status).to.equal(500);
    expect(await names()).to.deep.equal([]);
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

  it('12abc, zz and 30 February are faults, and a date keeps its day.', async () => {
    for (const field of [{ DoctorID: '12abc' }, { DoctorID: 'zz' }, { app_date: '2026-02-30T00:00:00' }]) {
      const answer = await call(SOAP_11, fetchDetails(field));
      expect(text(answer)).to.include('<Code>InvalidValue</Code>');
    }
    const booked = await call(SOAP_11, fetchDetails());
    expect(text(booked)).to.include('<app_time>2026-11-23T10:15:00</app_time>');
  });

  it('Attributes, CDATA and white space do not change a text, and a repeated element is refused.', async () => {
    const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:x="http://www.w3.org/2001/XMLSchema"';
    const typed = fetchDetails({ app_time: '2026-11-23T09:00:00', RegistrationNumber: 'A' }).replace(
      '<Name>Ravi Kumar',
      `<Name ${xsi} xsi:type="x:string">Ravi`,
    );
    const quoted = fetchDetails({
      app_time: '2026-11-23T09:15:00',
      RegistrationNumber: 'B',
      Name: '<![CDATA[<?xml version="1.0"?><a/>]]>',
    });
    const spaced = fetchDetails({ app_time: '2026-11-23T09:30:00', RegistrationNumber: 'C', Name: ' \n Ravi ' });
    for (const body of [typed, quoted, spaced]) expect((await call(SOAP_11, body)).status, body).to.equal(200);
    expect(await names()).to.deep.equal(['Ravi', '&lt;?xml version="1.0"?&gt;&lt;a/&gt;', ' \n Ravi ']);
    const doubled = await call(SOAP_11, fetchDetails({ Name: 'Ravi</Name><Name>Sita' }));
    expect(text(doubled)).to.include('<Code>DuplicateParameter</Code>');
  });

  it('A date is written as its text, and absent fields are left out.', async () => {
    const booked = text(await call(SOAP_11, fetchDetails()));
    expect(booked).to.include('<app_date>2026-11-23T00:00:00</app_date>');
    const day = text(await call(SOAP_11, LIST_DAY));
    expect(day).to.not.match(/nil|xsi|<title|<Age|<area/);
    const list = text(await call(SOAP_12, GET_DOCTOR));
    expect(list).to.not.match(/nil|xsi|<OPDays/);
  });

  it('Elements named like members of every object are unknown parameters.', async () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']) {
      const answer = await call(SOAP_11, operationElement('GetDoctor', `<centerid>2</centerid><${name}>x</${name}>`));
      expect(answer.status, name).to.equal(500);
      expect(text(answer), name).to.include('<Code>UnexpectedElement</Code>');
      const operation = await call(SOAP_12, operationElement(name, ''));
      expect(text(operation), name).to.include('<Code>UnknownOperation</Code>');
    }
    expect(({} as Record<string, unknown>).x).to.equal(undefined);
  });

  it('A body is decoded with its own charset.', async () => {
    const latin = Buffer.from(envelope(SOAP_11, fetchDetails({ Name: 'Renée' })), 'latin1');
    const answer = await send(postRequest(PATH, { 'Content-Type': 'text/xml; charset=iso-8859-1' }, latin));
    expect(answer.status).to.equal(200);
    const wide = Buffer.from(
      `\ufeff${envelope(SOAP_11, fetchDetails({ Name: 'सीता', RegistrationNumber: 'W', app_time: '2026-11-23T10:30:00' }))}`,
      'utf16le',
    );
    expect((await send(postRequest(PATH, { 'Content-Type': 'text/xml' }, wide))).status).to.equal(200);
    expect(await names()).to.deep.equal(['Renée', 'सीता']);
  });

  it('A byte order mark without a message is answered: the library would read the body, which is gone, for ever.', async () => {
    for (const mark of ['efbbbf', 'fffe', 'feff']) {
      const answer = await send(postRequest(PATH, { 'Content-Type': 'text/xml' }, Buffer.from(mark, 'hex')));
      expect(text(answer), mark).to.include('The body is empty');
    }
  });

  it('Every answer has a Content-Length and is not chunked.', async () => {
    for (const version of [SOAP_11, SOAP_12]) {
      for (const body of [GET_DOCTOR, operationElement('GetDoctor', ''), '<broken']) {
        const answer = await call(version, body);
        expect(answer.headers).to.not.have.property('transfer-encoding');
        expect(answer.headers['content-length']).to.equal(String(answer.body.length));
      }
    }
  });

  it("The WSDL is served as text/xml with the deployment's address, and only on request.", async () => {
    const wsdl = await get(`${PATH}?wsdl`);
    expect(wsdl.headers['content-type']).to.equal('text/xml; charset=utf-8');
    expect(text(wsdl)).to.include('location="http://localhost/TPWebServices.asmx"');
    const other = await get(`${PATH}?wsdlfoo`);
    expect(text(other)).to.not.include('definitions');
  });

  it('GET on the bare path is a page, and PUT and TRACE are not allowed.', async () => {
    const page = await get(PATH);
    expect(page.headers['content-type']).to.equal('text/html; charset=utf-8');
    expect(page.body.length).to.be.greaterThan(0);
    for (const method of ['PUT', 'TRACE']) {
      const answer = await send(`${method} ${PATH} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      expect(answer.status).to.equal(405);
      expect(answer.headers.allow).to.equal('GET, HEAD, POST');
    }
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
