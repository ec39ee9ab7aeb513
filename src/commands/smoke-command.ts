import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { type Contract, TRANSPORT_TITLES, TRANSPORTS, type Transport } from '../contract/contract.ts';
import { readContract } from '../contract/read-contract.ts';
import { sampleEnvelope } from '../transports/pages/samples.ts';
import { SOAP_11, SOAP_12 } from '../transports/soap/soap-versions.ts';
import { MOVES } from '../vocabulary/appointments.ts';
import { SetUpError } from '../vocabulary/errors.ts';
import { ResultCode } from '../vocabulary/result-codes.ts';
import { visibleText } from '../vocabulary/text.ts';
import { type CommandHost, ExitCode, newCommand, runCommand, UsageError } from './command-host.ts';

/** The beginning of the numbers of patients and stays that a run makes up. */
const SMOKE_MARK = 'SMOKE-';

/**
 * A valid number that belongs to nobody and is not a mobile number. India's numbering plan reserves none for examples. Source: Ofcom,
 * telephone numbers for use in TV and radio drama programmes, London: 020 7946 0000 to 0999.
 */
export const NOBODYS_PHONE = '+442079460000';

const CANCEL = String(MOVES.find(({ name }) => name === 'Cancel')?.type);
/** Bookings are tried from this many days ahead backwards, because days far ahead have more free slots. */
const FIRST_DAYS_AHEAD = 21;
const MOST_TRIES = 120;
const LONGEST_ANSWER_MS = 10_000;

/** Refusals that a different time, day or doctor may avoid. */
const TRY_ANOTHER: ReadonlySet<string> = new Set(
  [ResultCode.DoctorNotAvailable, ResultCode.SlotTaken, ResultCode.PatientOverlap].map(String),
);

interface Flags {
  readonly transports: readonly Transport[];
  readonly sendSms?: string;
  readonly cancelType: string;
  readonly headers?: string;
}

type Texts = Readonly<Record<string, string>>;

/** What is called, and as whom. */
interface Target {
  readonly contract: Contract;
  /** URL of the service, with its path. */
  readonly endpoint: string;
  readonly headers: Texts;
}

/** What one call came to. */
interface Outcome {
  readonly body: string;
  /** What is wrong with the answer; undefined if it is as expected. */
  readonly flaw: string | undefined;
}

/** `smoke URL [center]`: calls every operation over every transport of a running service. Resolves with the exit code: 1 if any call failed. */
export async function smokeCommand(args: readonly string[], host: CommandHost): Promise<number> {
  let [calls, failures] = [0, 0];
  const command = newCommand('smoke', host)
    .description(
      `Calls every operation of a running service over every transport: books a free slot of a doctor and cancels it. For each transport a cancelled appointment and a feedback record remain, whose RegistrationNumber and ipno begin with ${SMOKE_MARK}.`,
    )
    .argument('<url>', 'where the service is, such as http://127.0.0.1:8080')
    .argument('[center]', 'centerid whose doctors are booked', '1')
    .option('--send-sms <number>', 'send this phone a text message for each transport; otherwise no phone is reached')
    .option(
      '--cancel-type <number>',
      'the number of `type` that cancels, if APPOINTMENT_TYPES uses another one',
      CANCEL,
    )
    .addOption(
      new Option('--transports <names...>', 'only these, for a client that may not use all transports')
        .choices(TRANSPORTS)
        .default(TRANSPORTS),
    )
    .option('--headers <file>', 'HTTP headers to send, one a line, such as X-API-Key or Authorization')
    .action(async (url: string, center: string, flags: Flags) => {
      const endpoint = endpointOf(url);
      const headers = flags.headers === undefined ? {} : readHeaders(resolve(host.folder, flags.headers));
      const target = { endpoint, headers, contract: await contractAt(`${endpoint}?wsdl`, headers) };
      const show = (text: string) => host.output.write(`${visibleText(text)}\n`);
      for (const transport of flags.transports) {
        const title = TRANSPORT_TITLES[transport].padEnd(9);
        const report = (operation: string, flaw: string | undefined) => {
          calls++;
          if (flaw !== undefined) failures++;
          show(flaw === undefined ? `ok      ${title}  ${operation}` : `FAILED  ${title}  ${operation}: ${flaw}`);
        };
        await tryTransport(target, transport, center, { ...flags, now: host.clock(), report, show });
      }
      show(`${calls - failures} of ${calls} calls were answered as expected.`);
    });
  const code = await runCommand(command, args, host);
  return failures > 0 ? ExitCode.Failed : code;
}

function endpointOf(url: string): string {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new UsageError(`${url} is not a URL; expected one such as http://127.0.0.1:8080.`);
  }
  return /\.asmx$/i.test(url) ? url : new URL('TPWebServices.asmx', url.endsWith('/') ? url : `${url}/`).href;
}

/** From a file, because other users of the machine can see command lines. */
function readHeaders(file: string): Texts {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new SetUpError(`--headers: ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  const lines = text.split('\n').filter((line) => line.includes(':'));
  return Object.fromEntries(lines.map((line) => line.split(/:(.*)/s, 2).map((part) => part.trim())));
}

async function contractAt(url: string, headers: Texts): Promise<Contract> {
  try {
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(LONGEST_ANSWER_MS) });
    if (answer.status !== 200) throw new Error(`status ${answer.status}`);
    return readContract(await answer.text());
  } catch (error) {
    throw new SetUpError(`${url} does not return a WSDL of this service: ${reasonOf(error)}.`);
  }
}

/** What fetch says is only that it failed; the cause says why. */
function reasonOf(error: unknown): string {
  const { message, code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  return message || String(code);
}

/** Makes a call, with the contract's examples for other parameters, and checks the form of the answer. Never rejects. */
async function callOver(
  { contract, endpoint, headers }: Target,
  transport: Transport,
  name: string,
  values: Texts,
  expected: number = ResultCode.OK,
): Promise<Outcome> {
  const operation = contract.operations.find((known) => known.name === name);
  if (operation === undefined) return { body: '', flaw: 'the WSDL has no such operation' };
  const parameters = operation.parameters.map((each) => ({ ...each, example: values[each.name] ?? each.example }));
  const form = new URLSearchParams(parameters.map((each) => [each.name, each.example]));
  const signal = AbortSignal.timeout(LONGEST_ANSWER_MS);
  const version = transport === 'soap12' ? SOAP_12 : SOAP_11;
  const isSoap = transport === version.name;
  const soapHeaders = { ...headers, 'Content-Type': version.contentType, SOAPAction: `"${operation.soapAction}"` };
  const url = isSoap ? endpoint : `${endpoint}/${name}`;
  try {
    const answer = await (isSoap
      ? fetch(url, {
          method: 'POST',
          headers: soapHeaders,
          body: sampleEnvelope(version, { ...operation, parameters }, contract.namespace),
          signal,
        })
      : transport === 'httpPost'
        ? fetch(url, { method: 'POST', headers, body: form, signal })
        : fetch(`${url}?${form}`, { headers, signal }));
    const body = await answer.text();
    const code = fieldOf(body, 'ResultCode');
    if (code === undefined) return { body, flaw: `status ${answer.status}: ${body.slice(0, 300)}` };
    if (code !== String(expected)) {
      return { body, flaw: `ResultCode ${code}: ${fieldOf(body, 'ResultText') ?? fieldOf(body, 'Message')}` };
    }
    // A refusal may be sent as a fault, whose form is different.
    if (expected !== ResultCode.OK) return { body, flaw: undefined };
    const type = answer.headers.get('content-type');
    if (type !== version.contentType) return { body, flaw: `Content-Type ${type}` };
    const element = `<${isSoap ? operation.responseName : operation.resultType.name} xmlns="${contract.namespace}">`;
    return { body, flaw: body.includes(element) ? undefined : `no ${element}` };
  } catch (error) {
    return { body: '', flaw: reasonOf(error) };
  }
}

/** The text of the first element with that name. */
const fieldOf = (body: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(body)?.[1];

interface Run extends Flags {
  /** Milliseconds since the epoch: distinguishes the patients of one run from those of others. */
  readonly now: number;
  readonly report: (operation: string, flaw: string | undefined) => void;
  readonly show: (text: string) => void;
}

/** Calls the seven operations over one transport, and cancels the appointment that it booked. */
async function tryTransport(target: Target, transport: Transport, centerid: string, run: Run): Promise<void> {
  const { sendSms, cancelType, now, report, show } = run;
  const call = async (name: string, values: Texts, expected?: number): Promise<Outcome> => {
    const outcome = await callOver(target, transport, name, values, expected);
    report(name, outcome.flaw);
    return outcome;
  };
  const doctors = await call('GetDoctor', { centerid });
  const unique = `${SMOKE_MARK}${Math.floor(now / 1000)}-${transport}`;
  let booking: Outcome = { body: '', flaw: `center ${centerid} has no doctors` };
  let slot: Slot | undefined;
  for (const next of slotsOf(doctors.body, now)) {
    slot = next;
    booking = await callOver(target, transport, 'Fetch_Details', {
      DoctorID: slot.doctor,
      RegistrationNumber: unique,
      app_date: `${slot.day}T00:00:00`,
      app_time: `${slot.day}T${slot.time}:00`,
      Name: 'Smoke & <Test> ஆஷா',
      contactnumber: NOBODYS_PHONE,
      centerid,
    });
    if (!TRY_ANOTHER.has(fieldOf(booking.body, 'ResultCode') ?? '')) break;
  }
  report('Fetch_Details', booking.flaw);
  const AppointmentID = fieldOf(booking.body, 'AppointmentID');
  if (slot !== undefined && AppointmentID !== undefined) {
    const [appdate, apptime] = [`${slot.day}T00:00:00`, `${slot.day}T${slot.time}:00`];
    await call('Appointment_Status', { AppointmentID, centerid });
    const list = await callOver(target, transport, 'OPAppointmentdetail', { doctorid: slot.doctor, appdate, centerid });
    const isListed = list.body.includes(`<AppointmentID>${AppointmentID}</AppointmentID>`);
    report('OPAppointmentdetail', list.flaw ?? (isListed ? undefined : 'the booking is not in it'));
    const move = { AppointmentID, type: cancelType, appdate, apptime, centerid };
    const { flaw } = await call('Appointment_Status_Updates', move);
    const name = `Appointment ${AppointmentID} of doctor ${slot.doctor} on ${slot.day} at ${slot.time}`;
    show(flaw === undefined ? `${name} remains, cancelled.` : `${name} was not cancelled; cancel it by hand.`);
  }
  const feedback = await call('FB_Push_Details', { ipno: unique, moblieno: NOBODYS_PHONE });
  show(`Feedback ${fieldOf(feedback.body, 'FeedbackID') ?? '(none)'} remains.`);
  const message = { Message: `Smoke test ${unique}.`, tempid: '0', SMSmode: '0' };
  if (sendSms !== undefined) await call('Sent_SMS', { Mobileno: sendSms, ...message });
  // A number that every service refuses, so that no phone is reached.
  else await call('Sent_SMS', { Mobileno: '0', ...message }, ResultCode.InvalidMobile);
}

interface Slot {
  readonly doctor: string;
  readonly day: string;
  readonly time: string;
}

/** Starts of the hours that GetDoctor lists, on any day; which hours apply on a day and what is free is for the service to say. */
function* slotsOf(doctors: string, now: number): Generator<Slot> {
  const hours = doctors
    .split('<Doctor>')
    .slice(1)
    .map((doctor) => ({
      doctor: fieldOf(doctor, 'DoctorID') ?? '',
      times: [...(fieldOf(doctor, 'OPTimings') ?? '12:00-13:00').matchAll(/(\d\d:\d\d)-/g)].map(
        ([, time = '']) => time,
      ),
    }));
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO('UTC').toPlainDate();
  let tries = 0;
  for (let ahead = FIRST_DAYS_AHEAD; ahead >= 2; ahead--) {
    const day = today.add({ days: ahead }).toString();
    for (const { doctor, times } of hours) {
      for (const time of times) if (tries++ < MOST_TRIES) yield { doctor, day, time };
    }
  }
}
