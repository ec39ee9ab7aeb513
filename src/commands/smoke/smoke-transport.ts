import type { Contract, Transport } from '../../contract/contract.ts';
import { formatWallDay } from '../../rules/wall-minute.ts';
import { MINUTES_PER_DAY } from '../../vocabulary/appointments.ts';
import { ResultCode } from '../../vocabulary/result-codes.ts';
import { type Answer, exchangeOf, fieldOf, flawOf, isSoap, send, type Values } from './exchange.ts';
import type { LogIn } from './log-in.ts';

/** What is tried, and how. */
export interface SmokePlan {
  readonly contract: Contract;
  /** URL of the service, with its path. */
  readonly endpoint: string;
  readonly center: string;
  readonly logIn: LogIn;
  /** A phone that should receive a text message. Without one, the run sends a message that every service refuses. */
  readonly sendSms: string | undefined;
  /** The number of `type` that cancels. */
  readonly cancelType: string;
  /** Seconds since the epoch: distinguishes the patients of one run from those of others. */
  readonly run: number;
}

export interface SmokeResult {
  /** By operation: `ok`, or what is wrong. */
  readonly outcomes: ReadonlyMap<string, string>;
  /** What the run leaves behind although it should not, in sentences. */
  readonly left: readonly string[];
  /** AppointmentID of a booking that is cancelled; undefined if there is none. */
  readonly cancelled: string | undefined;
  readonly feedbackId: string | undefined;
}

/** The beginning of the names of patients and stays that a run has made up. */
export const SMOKE_MARK = 'SMOKE-';

/**
 * A valid number that belongs to nobody and is not a mobile number. India's numbering plan reserves none for examples. Source: Ofcom,
 * telephone numbers for use in TV and radio drama programmes, London: 020 7946 0000 to 0999.
 */
export const NOBODYS_PHONE = '+442079460000';

/** How many days ahead to look for a slot, and how many calls this may take. */
const DAYS = 21;
const MOST_TRIES = 120;

/** Refusals that a different time, day or doctor may avoid. */
const TRY_ANOTHER: ReadonlySet<string> = new Set(
  [ResultCode.DoctorNotAvailable, ResultCode.SlotTaken, ResultCode.PatientOverlap].map(String),
);

/** How a refusal lists the slots that it proposes. */
const PROPOSED = /nearest free slots? (?:is|are) (\d\d:\d\d)(?: and (\d\d:\d\d))?/;

/** Calls the seven operations over one transport, and cancels the appointment that it booked. */
export async function smokeTransport(plan: SmokePlan, transport: Transport): Promise<SmokeResult> {
  const { contract, endpoint, center: centerid, logIn, sendSms, cancelType, run } = plan;
  const outcomes = new Map<string, string>();
  const call = async (name: string, values: Values, expected: number = ResultCode.OK): Promise<Answer | undefined> => {
    const operation = contract.operations.find((known) => known.name === name);
    if (operation === undefined) throw new Error(`the WSDL has no operation ${name}`);
    try {
      const answer = await send(exchangeOf(contract, endpoint, transport, operation, values, logIn(isSoap(transport))));
      const code = fieldOf(answer.body, 'ResultCode');
      const isExpected = code === String(expected);
      const text = fieldOf(answer.body, 'ResultText') ?? fieldOf(answer.body, 'Message');
      // A refusal may be sent as a fault, whose form is different.
      const flaw =
        code === undefined || expected === ResultCode.OK ? flawOf(contract, transport, operation, answer) : undefined;
      outcomes.set(
        name,
        isExpected ? (flaw ?? 'ok') : code === undefined ? (flaw ?? 'no ResultCode') : `ResultCode ${code}: ${text}`,
      );
      return answer;
    } catch (error) {
      outcomes.set(name, (error as Error).message);
      return undefined;
    }
  };

  const unique = `${SMOKE_MARK}${run}-${transport}`;
  const book = async (DoctorID: string, day: string, time: string): Promise<Answer | undefined> =>
    call('Fetch_Details', {
      DoctorID,
      RegistrationNumber: unique,
      app_date: `${day}T00:00:00`,
      app_time: `${day}T${time}:00`,
      title: 'Mr.',
      Name: 'Smoke & <Test> ஆஷா',
      Sex: 'M',
      Age: '34',
      area: 'Smoke test',
      contactnumber: NOBODYS_PHONE,
      email: 'smoke@example.org',
      centerid,
    });

  const list = await call('GetDoctor', { centerid });
  const doctors = [...(list?.body ?? '').matchAll(/<DoctorID>(\d+)<\/DoctorID>/g)].map(([, id = '']) => id);
  const booked = await bookAnySlot(doctors, run, book);
  const { DoctorID = doctors[0] ?? '0', day = dayAfter(run, 2), time = '12:00', AppointmentID = '0' } = booked ?? {};
  if (doctors.length === 0) outcomes.set('Fetch_Details', `center ${centerid} has no doctors`);
  await call('Appointment_Status', { AppointmentID, centerid });
  const appointments = await call('OPAppointmentdetail', { doctorid: DoctorID, appdate: `${day}T00:00:00`, centerid });
  if (booked !== undefined && !appointments?.body.includes(`<AppointmentID>${AppointmentID}</AppointmentID>`)) {
    outcomes.set('OPAppointmentdetail', 'the booking is not in it');
  }
  await call('Appointment_Status_Updates', {
    AppointmentID,
    type: cancelType,
    appdate: `${day}T00:00:00`,
    apptime: `${day}T${time}:00`,
    centerid,
  });
  const feedback = await call('FB_Push_Details', {
    ipno: unique,
    roomno: '12',
    moblieno: NOBODYS_PHONE,
    dept: 'Smoke test',
    needsimprovementcommit: 'Smoke test.',
  });
  const message = { Message: `Smoke test ${unique}.`, tempid: '0', SMSmode: '0' };
  if (sendSms !== undefined) await call('Sent_SMS', { Mobileno: sendSms, ...message });
  else await call('Sent_SMS', { Mobileno: '0', ...message }, ResultCode.InvalidMobile);
  const isCancelled = booked === undefined || outcomes.get('Appointment_Status_Updates') === 'ok';
  return {
    outcomes,
    left: isCancelled
      ? []
      : [
          `Appointment ${AppointmentID} of doctor ${DoctorID} on ${day} at ${time} was not cancelled; cancel it by hand.`,
        ],
    cancelled: isCancelled ? booked?.AppointmentID : undefined,
    feedbackId: fieldOf(feedback?.body ?? '', 'FeedbackID'),
  };
}

interface Booked {
  readonly DoctorID: string;
  readonly day: string;
  readonly time: string;
  readonly AppointmentID: string;
}

const dayAfter = (run: number, days: number): string =>
  formatWallDay((Math.floor(run / 86_400) + days) * MINUTES_PER_DAY);

/**
 * Books the first slot that a doctor has: requests noon, then the times that the refusal proposes, which come from the doctor's real hours.
 * Undefined if nothing could be booked.
 */
async function bookAnySlot(
  doctors: readonly string[],
  run: number,
  book: (doctor: string, day: string, time: string) => Promise<Answer | undefined>,
): Promise<Booked | undefined> {
  let tries = 0;
  for (let ahead = 2; ahead < 2 + DAYS; ahead++) {
    const day = dayAfter(run, ahead);
    for (const DoctorID of doctors) {
      const times = ['12:00'];
      for (let index = 0; index < times.length && tries < MOST_TRIES; index++, tries++) {
        const time = times[index] ?? '';
        const { body = '' } = (await book(DoctorID, day, time)) ?? {};
        const AppointmentID = fieldOf(body, 'AppointmentID');
        if (AppointmentID !== undefined) return { DoctorID, day, time, AppointmentID };
        if (!TRY_ANOTHER.has(fieldOf(body, 'ResultCode') ?? '')) return undefined;
        const proposed = (PROPOSED.exec(body) ?? []).slice(1).filter((text) => text !== undefined);
        times.push(...proposed.filter((text) => !times.includes(text)));
      }
    }
  }
  return undefined;
}
