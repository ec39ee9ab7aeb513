import { SOAP_11, SOAP_12, type SoapVersion } from '../../../src/transports/soap/soap-versions.ts';

export { SOAP_11, SOAP_12 };

/** The bytes of a POST with its Content-Length; a header that is undefined is left out. */
export function postRequest(
  path: string,
  headers: Readonly<Record<string, string | undefined>>,
  body: string | Buffer,
): Buffer {
  const bytes = Buffer.from(body as string);
  const lines = Object.entries({ Host: 'localhost', ...headers, 'Content-Length': String(bytes.length) })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), bytes]);
}

/** An envelope around the contents of its Body and its Header; `attributes` are added to its start tag. */
export function envelope(
  { envelopeNamespace }: Pick<SoapVersion, 'envelopeNamespace'>,
  body: string,
  header = '',
  attributes = '',
): string {
  const blocks = header === '' ? '' : `<soap:Header>${header}</soap:Header>`;
  return `<soap:Envelope xmlns:soap="${envelopeNamespace}" ${attributes}>${blocks}<soap:Body>${body}</soap:Body></soap:Envelope>`;
}

/** The bytes of a SOAP call, given the contents of its Body. */
export const soapRequest = (
  version: SoapVersion,
  body: string,
  headers: Readonly<Record<string, string | undefined>> = {},
): Buffer =>
  postRequest('/TPWebServices.asmx', { 'Content-Type': version.contentType, ...headers }, envelope(version, body));

/** An operation's element, given its parameters' markup. */
export const operationElement = (name: string, parameters: string): string =>
  `<${name} xmlns="http://tempuri.org/">${parameters}</${name}>`;

/** Lists the doctors of center 2. */
export const GET_DOCTOR = operationElement('GetDoctor', '<centerid>2</centerid>');

/** Books doctor 101 at 10:15 on Monday 23 November 2026; the patient's fields may be replaced by markup. */
export function fetchDetails(fields: Readonly<Record<string, string>> = {}): string {
  const all = {
    DoctorID: '101',
    RegistrationNumber: 'MRN-1',
    app_date: '2026-11-23T00:00:00',
    app_time: '2026-11-23T10:15:00',
    Name: 'Ravi Kumar',
    contactnumber: '9845012345',
    centerid: '1',
    ...fields,
  };
  const parameters = Object.entries(all).map(([name, value]) => `<${name}>${value}</${name}>`);
  return operationElement('Fetch_Details', parameters.join(''));
}

/** Lists the appointments of doctor 101 on that day. */
export const LIST_DAY = operationElement(
  'OPAppointmentdetail',
  '<doctorid>101</doctorid><appdate>2026-11-23T00:00:00</appdate><centerid>1</centerid>',
);
