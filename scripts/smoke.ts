// npm run smoke -- URL [center]: calls every operation over every transport of a running service, and prints what came of each.
// It books appointments and cancels them, and leaves a feedback and a text message a transport: run it against a trial service.
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { parseArgs } from 'node:util';
import type { Contract, Operation } from '../src/contract/contract.ts';
import { readContract } from '../src/contract/read-contract.ts';
import { SOAP_11, SOAP_12 } from '../src/transports/soap/soap-versions.ts';
import { TRANSPORT_TITLES, TRANSPORTS, type Transport } from '../src/vocabulary/transport.ts';
import { escapeAttribute, escapeText } from '../src/xml/escape.ts';

const CANCEL = '6';
/** ResultCodes that another time may cure: not available, taken, the patient is elsewhere. */
const TRY_ANOTHER_TIME = ['13', '14', '17'];
const MOST_TRIES = 40;

interface Exchange {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Values = Readonly<Record<string, string>>;

function send({ method, url, headers, body }: Exchange): Promise<Answer> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const length = method === 'POST' ? { 'Content-Length': Buffer.byteLength(body) } : {};
    const outgoing = request(url, { method, headers: { ...headers, ...length }, timeout: 10_000 }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: text });
      });
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer within 10 s')));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** A call as its transport writes it. Source: the WSDL's bindings. */
function exchangeOf(
  contract: Contract,
  endpoint: string,
  transport: Transport,
  { name, soapAction, parameters }: Operation,
  values: Values,
): Exchange {
  const given = parameters.map((parameter) => [parameter.name, values[parameter.name] ?? ''] as const);
  if (transport === 'httpGet' || transport === 'httpPost') {
    const form = new URLSearchParams(Object.fromEntries(given)).toString();
    const url = `${endpoint}/${name}`;
    return transport === 'httpGet'
      ? { method: 'GET', url: `${url}?${form}`, headers: {}, body: '' }
      : { method: 'POST', url, headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: form };
  }
  const version = transport === 'soap11' ? SOAP_11 : SOAP_12;
  const children = given.map(([key, value]) => `<${key}>${escapeText(value)}</${key}>`).join('');
  const body = `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="${version.envelopeNamespace}"><soap:Body><${name} xmlns="${escapeAttribute(contract.namespace)}">${children}</${name}></soap:Body></soap:Envelope>`;
  const action: Values = transport === 'soap11' ? { SOAPAction: `"${soapAction}"` } : {};
  return { method: 'POST', url: endpoint, headers: { 'Content-Type': version.contentType, ...action }, body };
}

/** What is wrong with the form of an answer, or undefined. What it says is looked at elsewhere. */
function flawOf(
  contract: Contract,
  transport: Transport,
  { responseName, resultType }: Operation,
  { status, headers, body }: Answer,
): string | undefined {
  if (status !== 200) return `status ${status}: ${body.slice(0, 300)}`;
  const contentType = transport === 'soap12' ? SOAP_12.contentType : SOAP_11.contentType;
  if (headers['content-type'] !== contentType) return `Content-Type ${headers['content-type']}`;
  if (headers['content-length'] !== String(Buffer.byteLength(body)))
    return `Content-Length ${headers['content-length']}`;
  const isSoap = transport === 'soap11' || transport === 'soap12';
  const element = `<${isSoap ? responseName : resultType.name} xmlns="${escapeAttribute(contract.namespace)}">`;
  if (!body.includes(element)) return `no ${element}`;
  if (isSoap && !body.includes(`"${(transport === 'soap11' ? SOAP_11 : SOAP_12).envelopeNamespace}"`))
    return 'another envelope';
  return undefined;
}

const fieldOf = (body: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(body)?.[1];

/** Calls the seven operations over one transport; the outcome of each is `ok` or what is wrong. */
async function callAll(
  contract: Contract,
  endpoint: string,
  transport: Transport,
  center: string,
  run: number,
): Promise<Map<string, string>> {
  const outcomes = new Map<string, string>();
  const call = async (name: string, values: Values): Promise<Answer> => {
    const operation = contract.operations.find((known) => known.name === name);
    if (operation === undefined) throw new Error(`the WSDL has no operation ${name}`);
    const answer = await send(exchangeOf(contract, endpoint, transport, operation, values));
    const flaw = flawOf(contract, transport, operation, answer);
    const resultCode = fieldOf(answer.body, 'ResultCode');
    outcomes.set(
      name,
      flaw ?? (resultCode === '0' ? 'ok' : `ResultCode ${resultCode}: ${fieldOf(answer.body, 'ResultText')}`),
    );
    return answer;
  };

  const doctors = await call('GetDoctor', { centerid: center });
  const DoctorID = fieldOf(doctors.body, 'DoctorID') ?? '0';
  const unique = `SMOKE-${run}-${transport}`;
  let booked: Answer | undefined;
  let app_date = '';
  let app_time = '';
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const at = startAfter(run, TRANSPORTS.indexOf(transport) + tries * TRANSPORTS.length);
    [app_date, app_time] = [`${at.day}T00:00:00`, `${at.day}T${at.time}:00`];
    booked = await call('Fetch_Details', {
      DoctorID,
      RegistrationNumber: unique,
      app_date,
      app_time,
      title: 'Mr.',
      Name: 'Smoke & <Test> ஆஷா',
      Sex: 'M',
      Age: '34',
      area: 'Indiranagar',
      contactnumber: '9845012345',
      email: 'smoke@example.org',
      centerid: center,
    });
    if (!TRY_ANOTHER_TIME.includes(fieldOf(booked.body, 'ResultCode') ?? '')) break;
  }
  const AppointmentID = fieldOf(booked?.body ?? '', 'AppointmentID') ?? '0';
  await call('Appointment_Status', { AppointmentID, centerid: center });
  const day = await call('OPAppointmentdetail', { doctorid: DoctorID, appdate: app_date, centerid: center });
  if (!day.body.includes(`<AppointmentID>${AppointmentID}</AppointmentID>`))
    outcomes.set('OPAppointmentdetail', 'the booking is not in it');
  await call('Appointment_Status_Updates', {
    AppointmentID,
    type: CANCEL,
    appdate: app_date,
    apptime: app_time,
    centerid: center,
  });
  await call('FB_Push_Details', {
    ipno: unique,
    roomno: '12',
    moblieno: '9845012345',
    dept: 'Cardiology',
    needsimprovementcommit: 'Smoke test.',
  });
  await call('Sent_SMS', { Mobileno: '9845012345', Message: `Smoke test ${unique}.`, tempid: '0', SMSmode: '0' });
  return outcomes;
}

/** A quarter of an hour in a morning, days ahead: another one for each `step`, and for each second that a run begins in. */
function startAfter(run: number, step: number): { readonly day: string; readonly time: string } {
  const index = (run + step) % (90 * 16);
  const day = new Date((Math.floor(run / 86_400) + 3 + Math.floor(index / 16)) * 86_400_000).toISOString().slice(0, 10);
  const minutes = 9 * 60 + (index % 16) * 15;
  return { day, time: `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}` };
}

const { positionals } = parseArgs({ allowPositionals: true });
const [url = 'http://127.0.0.1:8080', center = '1'] = positionals;
const base = url.replace(/\/+$/, '');
const wsdlUrl = base.endsWith('.asmx') ? base : `${base}/TPWebServices.asmx`;
const contract = readContract((await send({ method: 'GET', url: `${wsdlUrl}?wsdl`, headers: {}, body: '' })).body);
const run = Math.floor(Date.now() / 1000);

const columns = new Map<Transport, Map<string, string>>();
for (const transport of TRANSPORTS) columns.set(transport, await callAll(contract, wsdlUrl, transport, center, run));

const width = Math.max(...contract.operations.map(({ name }) => name.length));
console.log(`${''.padEnd(width)}  ${TRANSPORTS.map((t) => TRANSPORT_TITLES[t].padEnd(9)).join('  ')}`);
const failures: string[] = [];
for (const { name } of contract.operations) {
  const cells = TRANSPORTS.map((transport) => {
    const outcome = columns.get(transport)?.get(name) ?? 'not called';
    if (outcome !== 'ok') failures.push(`${name} over ${TRANSPORT_TITLES[transport]}: ${outcome}`);
    return (outcome === 'ok' ? 'ok' : 'FAILED').padEnd(9);
  });
  console.log(`${name.padEnd(width)}  ${cells.join('  ').trimEnd()}`);
}
for (const failure of failures) console.log(failure);
const total = contract.operations.length * TRANSPORTS.length;
console.log(`${total - failures.length} of ${total} calls answered as they should be.`);
process.exitCode = failures.length === 0 ? 0 : 1;
