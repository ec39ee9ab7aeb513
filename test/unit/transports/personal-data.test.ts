import { expect } from 'chai';
import type { Operation } from '../../../src/contract/contract.ts';
import { rawExchange } from '../../support/http/raw-exchange.ts';
import {
  envelope,
  operationElement,
  postRequest,
  SOAP_11,
  SOAP_12,
  soapRequest,
} from '../../support/http/soap-request.ts';
import { type RunningService, startService } from '../../support/process/start-service.ts';
import { ownContract } from '../../wire/contract/own-wsdl.ts';

const PATH = '/TPWebServices.asmx';
const CANARY = /canary|98450\W*77777|77777/i;

/** A value of the parameter's type that books, lists or stores something, with a canary wherever text is allowed. */
const VALID: Readonly<Record<string, string>> = {
  DoctorID: '102',
  doctorid: '102',
  contactnumber: '9845077777',
  Mobileno: '9845077777',
  moblieno: '9845077777',
  Sex: 'F',
  Age: '34',
  email: 'canary@canary.example',
  tempid: '0',
  type: '2',
  SMSmode: '1',
};

/** By type, for parameters that need no particular value; also for those that are still to come. */
const BY_TYPE: Readonly<Record<string, string>> = { int: '1', dateTime: '2026-11-23T10:15:00' };

const sampleOf = (name: string, type: string): string => VALID[name] ?? BY_TYPE[type] ?? `Canary ${name}`;

type Fields = readonly (readonly [name: string, value: string])[];

/** A valid set of fields, and one set per parameter in which only that parameter is a canary. */
function variants({ parameters }: Operation): Fields[] {
  const valid: Fields = parameters.map(({ name, type }) => [name, sampleOf(name, type)]);
  const spoiled = parameters.map(({ name }) =>
    valid.map(([field, value]) => [field, field === name ? `canary-${name}` : value] as const),
  );
  return [valid, valid, ...spoiled, valid.slice(1), [...valid, ['canaryfield', 'canary']], [...valid, ...valid]];
}

const element = ({ name }: Operation, fields: Fields): string =>
  operationElement(name, fields.map(([field, value]) => `<${field}>${value}</${field}>`).join(''));

function requestsOf(operation: Operation, fields: Fields): Buffer[] {
  const form = new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString();
  const target = `${PATH}/${operation.name}`;
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return [
    soapRequest(SOAP_11, element(operation, fields)),
    soapRequest(SOAP_12, element(operation, fields)),
    Buffer.from(`GET ${target}?${form} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
    postRequest(target, type, form),
    Buffer.from(`GET ${target}?${form} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n`),
  ];
}

/** Requests that are rejected on every other path, with canaries everywhere. */
function strayRequests(): Buffer[] {
  const get = (target: string, headers = '') =>
    Buffer.from(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`);
  const xml = { 'Content-Type': SOAP_11.contentType };
  const body = operationElement('Fetch_Details', '<Name>canary</Name>');
  return [
    get('/?canary=1'),
    get(`${PATH}?canary`),
    get(`${PATH}?wsdl&canary=canary`),
    get(`${PATH}?op=canary`),
    get(`${PATH}/canary?Name=canary`),
    get(`${PATH}/%canary?Name=canary`),
    get(`${PATH}/GetDoctor/canary?Name=canary`),
    get('/canary?Name=canary'),
    get(`${PATH}?wsdl`, 'X-Canary: canary\r\n'),
    Buffer.from(`GET ${PATH}?wsdl HTTP/1.1\r\nHost: canary.example\r\n\r\n`),
    Buffer.from(`GET ${PATH}/GetDoctor?canary=\u0939 HTTP/1.1\r\nHost: localhost\r\n\r\n`),
    Buffer.from(`PUT ${PATH}/GetDoctor?canary HTTP/1.1\r\nHost: localhost\r\n\r\n`),
    Buffer.from(`CANARY ${PATH} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
    postRequest('/canary', xml, body),
    postRequest(PATH, { 'Content-Type': 'canary/canary' }, body),
    postRequest(PATH, { 'Content-Type': 'text/xml; charset=canary' }, body),
    postRequest(PATH, { ...xml, 'Content-Encoding': 'canary' }, body),
    postRequest(PATH, { ...xml, SOAPAction: '"canary"' }, soapRequest(SOAP_11, body)),
    soapRequest(SOAP_11, body, { SOAPAction: '"canary"' }),
    soapRequest(SOAP_11, '<canary/>'),
    soapRequest(SOAP_11, operationElement('canary', '')),
    soapRequest(SOAP_12, operationElement('GetDoctor', '<canary>canary</canary>')),
    soapRequest(SOAP_11, '<Name>canary</canary>'),
    soapRequest(SOAP_11, '<!DOCTYPE canary>'),
    postRequest(PATH, xml, 'canary'),
    postRequest(PATH, xml, '<canary xmlns="urn:canary"/>'),
    postRequest(PATH, xml, '<Envelope xmlns="urn:canary"/>'),
    postRequest(PATH, xml, envelope(SOAP_11, body, '<c:canary xmlns:c="urn:canary" soap:mustUnderstand="1"/>')),
    postRequest(PATH, xml, envelope(SOAP_11, `<canary>${'canary'.repeat(20_000)}</canary>`)),
    postRequest(`${PATH}/Fetch_Details`, { 'Content-Type': 'canary/canary' }, 'Name=canary'),
    postRequest(`${PATH}/Fetch_Details`, { 'Content-Type': 'application/x-www-form-urlencoded' }, 'Name=canary%zz'),
  ];
}

describe('Personal data in the log and the audit', () => {
  let service: RunningService;

  beforeEach(async () => {
    service = await startService({ environment: { LOG_LEVEL: 'debug' } });
  });

  afterEach(() => service.close().catch(() => {}));

  const sendAll = async (requests: readonly Buffer[]): Promise<number[]> => {
    const statuses: number[] = [];
    for (const request of requests) statuses.push((await rawExchange(service.port, request)).status);
    return statuses;
  };

  const expectNoCanary = (): void => {
    expect(service.logLines.length).to.be.greaterThan(0);
    expect(service.logLines.filter((line) => CANARY.test(line))).to.deep.equal([]);
  };

  /** An audited operation has at least two rows: the first call, and its repetition; or the booking, and the list that shows it. */
  const expectNoCanaryInAudit = async ({ safe, name }: Operation): Promise<void> => {
    const rows = await service.store.read(({ audit }) => audit.page({}));
    expect(rows.length).to.be.within(safe && name !== 'OPAppointmentdetail' ? 0 : 2, 999);
    expect(rows.filter((row) => CANARY.test(JSON.stringify(row)))).to.deep.equal([]);
  };

  /** For what can be read afterwards. */
  const book = async (): Promise<void> => {
    const booking = ownContract.operations.filter(({ name }) => name === 'Fetch_Details');
    await sendAll(booking.flatMap((one) => requestsOf(one, variants(one)[0] ?? []).slice(0, 1)));
  };

  for (const operation of ownContract.operations) {
    it(`No parameter of ${operation.name} appears in them, whatever the answer is.`, async () => {
      if (operation.safe) await book();
      const requests = variants(operation).flatMap((fields) => requestsOf(operation, fields));
      const statuses = await sendAll(requests);
      expect(new Set(statuses)).to.have.property('size').above(1);
      expect(service.logLines.length).to.be.at.least(requests.length);
      expectNoCanary();
      await expectNoCanaryInAudit(operation);
    });

    it(`No parameter of ${operation.name} appears in the log when the store is broken.`, async () => {
      await service.store.close();
      const [valid] = variants(operation);
      const statuses = await sendAll(requestsOf(operation, valid ?? []));
      expect(statuses.filter((status) => status < 500)).to.deep.equal([]);
      expectNoCanary();
    });
  }

  it('Nothing from a request that is rejected elsewhere appears in the log.', async () => {
    const statuses = await sendAll(strayRequests());
    expect(statuses.filter((status) => status >= 500)).to.not.include(501);
    expectNoCanary();
  });
});
