import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { type Contract, TRANSPORT_TITLES, TRANSPORTS, type Transport } from '../contract/contract.ts';
import { readContract } from '../contract/read-contract.ts';
import { withNamespace } from '../contract/rewrite-wsdl.ts';
import { attributeOf, ownWsdl, parseWsdl } from '../contract/wsdl-document.ts';
import { readNamedFile } from '../settings/named-file.ts';
import { refusalStatus } from '../transports/faults.ts';
import { sampleEnvelope } from '../transports/pages/samples.ts';
import { SOAP_11, SOAP_12 } from '../transports/soap/soap-versions.ts';
import { SetUpError } from '../vocabulary/errors.ts';
import { ResultCode } from '../vocabulary/result-codes.ts';
import { visibleText } from '../vocabulary/text.ts';
import { type CommandHost, ReportedFailure, UsageError } from './command-host.ts';
import { type Json, jsonOption, type Report, reportTo } from './report.ts';

/** The beginning of the numbers of patients and stays that a run makes up. */
const SMOKE_MARK = 'SMOKE-';

/**
 * A valid number that belongs to nobody and is not a mobile number. India's numbering plan reserves none for examples. Source: Ofcom,
 * telephone numbers for use in TV and radio drama programmes, London: 020 7946 0000 to 0999.
 */
export const NOBODYS_PHONE = '+442079460000';

/** Bookings are tried from this many days ahead backwards, because days far ahead have more free slots. */
const FIRST_DAYS_AHEAD = 21;
const MOST_TRIES = 120;
const LONGEST_ANSWER_MS = 10_000;

/** The HTTP status of refusals that a different time, day or doctor may avoid: a conflict with what is there. */
const CONFLICT = 409;

interface Flags extends Json {
  readonly transports: readonly Transport[];
  readonly sendSms?: string;
  readonly headers?: string;
}

type Texts = Readonly<Record<string, string>>;

interface Answer {
  readonly body: string;
  /** Undefined if there is none in the answer. */
  readonly resultCode?: number;
  /** The answer as a person needs it if it is not the expected one. */
  readonly summary: string;
}

/** Calls an operation, with the contract's examples for the other parameters. Never rejects. */
type Call = (operation: string, values: Texts) => Promise<Answer>;

/** `smoke URL [center]`: calls every operation over every transport of a running service. Fails if any call did. */
export const smokeCommand = (command: Command, host: CommandHost, wsdl = ownWsdl()): unknown =>
  command
    .description(
      `Calls every operation of a running service over every transport: books a free slot of a doctor and cancels it. For each transport a cancelled appointment and a feedback record remain, whose RegistrationNumber and ipno begin with ${SMOKE_MARK}.`,
    )
    .argument('<url>', 'where the service is, such as http://127.0.0.1:8080')
    .argument('[center]', 'centerid whose doctors are booked', '1')
    .option('--send-sms <number>', 'send this phone a text message for each transport; otherwise no phone is reached')
    .addOption(
      new Option('--transports <names...>', 'only these, for a client that may not use all transports')
        .choices(TRANSPORTS)
        .default(TRANSPORTS, 'all'),
    )
    .option('--headers <file>', 'HTTP headers to send, one a line, such as X-API-Key or Authorization')
    .addOption(jsonOption())
    .action(async (url: string, centerid: string, { transports, headers: file, ...flags }: Flags) => {
      let [calls, failures] = [0, 0];
      const write = reportTo(host, flags);
      const show: Report = (text, records) => write(visibleText(text), records);
      const endpoint = endpointOf(url);
      const headers = file === undefined ? {} : readHeaders(resolve(host.folder, file));
      const { contract, cancelType } = await contractAt(`${endpoint}?wsdl`, headers, wsdl);
      for (const transport of transports) {
        const tried = new Set<string>();
        const report = (operation: string, isExpected: boolean, summary: string) => {
          calls++;
          tried.add(operation);
          if (!isExpected) failures++;
          const line = `${isExpected ? 'ok    ' : 'FAILED'}  ${TRANSPORT_TITLES[transport].padEnd(9)}  ${operation}`;
          show(isExpected ? line : `${line}: ${summary}`, [{ transport, operation, ok: isExpected, summary }]);
        };
        const call = callsOver(transport, contract, endpoint, headers);
        const run = { ...flags, cancelType, centerid, transport, now: host.clock(), show };
        await tryOperations(call, report, run);
        for (const { name, safe } of contract.operations) {
          if (tried.has(name)) continue;
          if (safe) {
            // A hospital need not have what the examples name, so a refusal is an answer, too.
            const { resultCode, summary } = await call(name, { centerid });
            report(name, resultCode !== undefined, summary);
          } else {
            show(`${name} is not called, because it may change something.`);
          }
        }
      }
      show(`${calls - failures} of ${calls} calls were answered as expected.`);
      if (failures > 0) throw new ReportedFailure();
    });

function endpointOf(url: string): string {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new UsageError(`${url} is not a URL; expected one such as http://127.0.0.1:8080.`);
  }
  return /\.asmx$/i.test(url) ? url : new URL('TPWebServices.asmx', url.endsWith('/') ? url : `${url}/`).href;
}

/** From a file, because other users of the machine can see command lines. */
function readHeaders(file: string): Texts {
  const lines = readNamedFile(`--headers ${file}`, file).split('\n');
  const headers = lines.filter((line) => line.includes(':')).map((line) => line.split(/:(.*)/s, 2));
  return Object.fromEntries(headers.map((parts) => parts.map((part) => part.trim())));
}

/** The contract in the namespace of the service at that address, whose own WSDL has no examples, and the `type` that cancels there; 0 if none. */
async function contractAt(url: string, headers: Texts, wsdl: string) {
  try {
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(LONGEST_ANSWER_MS) });
    if (answer.status !== 200) throw new Error(`status ${answer.status}`);
    const served = await answer.text();
    const contract = readContract(withNamespace(wsdl, attributeOf(parseWsdl(served), 'targetNamespace')));
    const missing = contract.types.find(({ name }) => !served.includes(`<s:complexType name="${name}"`));
    if (missing !== undefined) throw new Error(`the type ${missing.name} is not in it`);
    const [, cancelType = '0'] = /(-?\b\d+)\s+Cancel[,.]/.exec(served) ?? [];
    return { contract, cancelType };
  } catch (error) {
    throw new SetUpError(`${url} does not return a WSDL of this service: ${reasonOf(error)}.`);
  }
}

/** What fetch says is only that it failed; the cause says why. */
function reasonOf(error: unknown): string {
  const { message, code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  return message || String(code);
}

function callsOver(transport: Transport, contract: Contract, endpoint: string, headers: Texts): Call {
  return async (name, values) => {
    const operation = contract.operations.find((known) => known.name === name);
    if (operation === undefined) return { body: '', summary: 'the WSDL has no such operation' };
    // What may be left out is: a filter's example need not be in this hospital.
    const parameters = operation.parameters.map((each) => ({
      ...each,
      example: values[each.name] ?? (each.mayBeOmitted ? '' : each.example),
    }));
    const form = new URLSearchParams(parameters.map((each) => [each.name, each.example]));
    const soapVersion = [SOAP_11, SOAP_12].find((version) => version.name === transport);
    const own = soapVersion && { 'Content-Type': soapVersion.contentType, SOAPAction: `"${operation.soapAction}"` };
    const envelope = soapVersion && sampleEnvelope(soapVersion, { ...operation, parameters }, contract.namespace);
    const request = { headers: { ...headers, ...own }, signal: AbortSignal.timeout(LONGEST_ANSWER_MS) };
    try {
      const answer =
        transport === 'httpGet'
          ? await fetch(`${endpoint}/${name}?${form}`, request)
          : await fetch(envelope ? endpoint : `${endpoint}/${name}`, {
              ...request,
              method: 'POST',
              body: envelope ?? form,
            });
      const body = await answer.text();
      const code = fieldOf(body, 'ResultCode');
      if (code === undefined) return { body, summary: `status ${answer.status}: ${body.slice(0, 300)}` };
      const text = fieldOf(body, 'ResultText') ?? fieldOf(body, 'Message');
      return { body, resultCode: Number(code), summary: `ResultCode ${code}: ${text}` };
    } catch (error) {
      return { body: '', summary: reasonOf(error) };
    }
  };
}

/** The text of the first element with that name. */
const fieldOf = (body: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(body)?.[1];

interface Run extends Pick<Flags, 'sendSms'> {
  readonly cancelType: string;
  readonly centerid: string;
  readonly transport: Transport;
  /** Milliseconds since the epoch: distinguishes the patients of one run from those of others. */
  readonly now: number;
  readonly show: Report;
}

/** Calls the operations over one transport, and cancels the appointment that it booked. */
async function tryOperations(
  call: Call,
  report: (operation: string, isExpected: boolean, summary: string) => void,
  { centerid, transport, sendSms, cancelType, now, show }: Run,
): Promise<void> {
  const reported = async (name: string, values: Texts, expected: number = ResultCode.OK): Promise<Answer> => {
    const answer = await call(name, values);
    report(name, answer.resultCode === expected, answer.summary);
    return answer;
  };
  const unique = `${SMOKE_MARK}${Math.floor(now / 1000)}-${transport}`;
  const doctors = await reported('GetDoctor', { centerid });
  let booking: Answer = { body: '', summary: `center ${centerid} has no doctors` };
  let [DoctorID, day, time] = ['', '', ''];
  for ([DoctorID, day, time] of slotsOf(doctors.body, now)) {
    const slot = { DoctorID, centerid, app_date: `${day}T00:00:00`, app_time: `${day}T${time}:00` };
    const patient = { RegistrationNumber: unique, Name: 'Smoke & <Test> ஆஷா', contactnumber: NOBODYS_PHONE };
    booking = await call('Fetch_Details', { ...slot, ...patient });
    if (refusalStatus(booking.resultCode ?? ResultCode.OK) !== CONFLICT) break;
  }
  report('Fetch_Details', booking.resultCode === ResultCode.OK, booking.summary);
  const AppointmentID = fieldOf(booking.body, 'AppointmentID');
  if (AppointmentID !== undefined) {
    const [appdate, apptime] = [`${day}T00:00:00`, `${day}T${time}:00`];
    await reported('Appointment_Status', { AppointmentID, centerid });
    const list = await call('OPAppointmentdetail', { doctorid: DoctorID, appdate, centerid });
    const isListed = list.body.includes(`<AppointmentID>${AppointmentID}</AppointmentID>`);
    report('OPAppointmentdetail', isListed, `the booking is not in it; ${list.summary}`);
    const move = { AppointmentID, type: cancelType, appdate, apptime, centerid };
    const { resultCode } = await reported('Appointment_Status_Updates', move);
    const name = `Appointment ${AppointmentID} of doctor ${DoctorID} on ${day} at ${time}`;
    const cancelled = resultCode === ResultCode.OK;
    show(cancelled ? `${name} remains, cancelled.` : `${name} was not cancelled; cancel it by hand.`, [
      { transport, centerid, AppointmentID, cancelled },
    ]);
  }
  const feedback = await reported('FB_Push_Details', { ipno: unique, moblieno: NOBODYS_PHONE });
  const FeedbackID = fieldOf(feedback.body, 'FeedbackID');
  show(`Feedback ${FeedbackID ?? '(none)'} remains.`, [{ transport, FeedbackID }]);
  // Unless a phone is named, a number that every service refuses, so that no phone is reached.
  const message = { Mobileno: sendSms ?? '0', Message: `Smoke test ${unique}.`, tempid: '0', SMSmode: '0' };
  await reported('Sent_SMS', message, sendSms === undefined ? ResultCode.InvalidMobile : ResultCode.OK);
}

/**
 * Doctors, days and times: the starts of the hours that GetDoctor lists, on any day. Which hours apply on a day and what is free is for the
 * service to say.
 */
function* slotsOf(doctors: string, now: number): Generator<[doctor: string, day: string, time: string]> {
  const starts = doctors
    .split('<Doctor>')
    .slice(1)
    .flatMap((doctor) =>
      [...(fieldOf(doctor, 'OPTimings') ?? '12:00-13:00').matchAll(/(\d\d:\d\d)-/g)].map(
        ([, time = '']) => [fieldOf(doctor, 'DoctorID') ?? '', time] as const,
      ),
    );
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO('UTC').toPlainDate();
  let tries = 0;
  for (let ahead = FIRST_DAYS_AHEAD; ahead >= 2; ahead--) {
    const day = today.add({ days: ahead }).toString();
    for (const [doctor, time] of starts) if (tries++ < MOST_TRIES) yield [doctor, day, time];
  }
}
