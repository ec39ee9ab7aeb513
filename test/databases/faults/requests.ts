import { FULL_BOOKING_PARAMETERS } from '../../support/http/booking-parameters.ts';
import { envelope as soapEnvelope } from '../../support/http/soap-request.ts';

/** Header lines in order. */
export type Headers = readonly (readonly [name: string, value: string])[];

export const PATH = '/TPWebServices.asmx';
export const NAMESPACE = 'http://tempuri.org/';

export type SoapVersionName = '1.1' | '1.2';

export const ENVELOPES: Readonly<Record<SoapVersionName, string>> = {
  '1.1': 'http://schemas.xmlsoap.org/soap/envelope/',
  '1.2': 'http://www.w3.org/2003/05/soap-envelope',
};
export const CONTENT_TYPES: Readonly<Record<SoapVersionName, string>> = {
  '1.1': 'text/xml; charset=utf-8',
  '1.2': 'application/soap+xml; charset=utf-8',
};

/** A day that can be booked: always in the future, never a Sunday. */
export function bookableDay(weeksAhead = 4): string {
  const now = new Date();
  const tuesday = Math.floor(now.getTime() / 86_400_000) + ((12 - now.getUTCDay()) % 7) - 3 + 7 * weeksAhead;
  return new Date(tuesday * 86_400_000).toISOString().slice(0, 10);
}

const day = bookableDay();
/** What .NET sends for a date that was not set. */
const UNSET = '0001-01-01T00:00:00';

/** Values that the operation accepts with the demo data, by parameter, in the contract's order. */
const GOOD: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Fetch_Details: {
    ...FULL_BOOKING_PARAMETERS,
    DoctorID: '102',
    RegistrationNumber: '',
    app_date: `${day}T00:00:00`,
    app_time: `${day}T10:00:00`,
    centerid: '1',
  },
  Appointment_Status_Updates: { AppointmentID: '1', type: '2', appdate: UNSET, apptime: UNSET, centerid: '1' },
  FB_Push_Details: {
    ipno: 'IP-1',
    roomno: '12',
    moblieno: '9845012345',
    dept: 'Cardiology',
    needsimprovementcommit: 'The food',
  },
  OPAppointmentdetail: { doctorid: '102', appdate: `${day}T00:00:00`, centerid: '1' },
  Appointment_Status: { AppointmentID: '1', centerid: '1' },
  Sent_SMS: { Mobileno: '9845012345', Message: 'Your appointment is booked.', tempid: '0', SMSmode: '1' },
  GetDoctor: { centerid: '1' },
};

export type Values = Readonly<Record<string, string>>;

/** An operation's parameters, some of them replaced. */
export const bodyOf = (operation: string, replaced: Values = {}): Values => ({ ...GOOD[operation], ...replaced });

/** Unlike the service's own, it leaves what XML forbids as it is. */
const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;');

/** The operation's element, with its values escaped. */
export const operationElement = (operation: string, values: Values): string =>
  `<${operation} xmlns="${NAMESPACE}">${Object.entries(values)
    .map(([name, value]) => `<${name}>${escapeText(value)}</${name}>`)
    .join('')}</${operation}>`;

export const envelope = (version: SoapVersionName, inBody: string, header = '', attributes = ''): string =>
  soapEnvelope({ envelopeNamespace: ENVELOPES[version] }, inBody, header, attributes);

/** A complete request with Content-Length. */
export function request(method: string, path: string, headers: Headers, body: string | Buffer = ''): Buffer {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
  const lines = [['Host', 'localhost'], ...headers, ...(bytes.length > 0 ? [['Content-Length', bytes.length]] : [])];
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n`, 'latin1'), bytes]);
}

export const soapRequest = (version: SoapVersionName, xml: string | Buffer, headers: Headers = []): Buffer =>
  request('POST', PATH, [['Content-Type', CONTENT_TYPES[version]], ...headers], xml);

export const encodeForm = (values: Values): string =>
  Object.entries(values)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');

export const FORM_TYPE: Headers[number] = ['Content-Type', 'application/x-www-form-urlencoded'];

export function formRequest(method: 'GET' | 'POST', operation: string, values: Values): Buffer {
  const form = encodeForm(values);
  return method === 'GET'
    ? request('GET', `${PATH}/${operation}?${form}`, [])
    : request('POST', `${PATH}/${operation}`, [FORM_TYPE], form);
}
