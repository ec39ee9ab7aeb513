import type { Transport } from '../../contract/contract.ts';
import type { Move } from '../../vocabulary/appointments.ts';
import { REFUSALS, type RefusalName, ResultCode } from '../../vocabulary/result-codes.ts';
import { formatInstant } from '../../vocabulary/time-zone.ts';
import type { Observation } from './observe-request.ts';
import type { OldAnswer } from './relay.ts';
import type { RefusalCode, Verdict } from './trial.ts';

/** Maximum number of different values that are listed. Any further ones are only counted. */
const MOST_VALUES = 500;
/** Maximum number of callers, and of doctors, that are listed with a value. */
const MOST_DETAILS = 50;

/** When a request was sent, by which caller, and about whom. */
interface Seen {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly caller: number | undefined;
  readonly doctor: string | undefined;
}

/** Counts the requests that had some value. Values are compared as JSON. */
class Counter<Value extends object> {
  readonly #lines = new Map<string, ReturnType<typeof newLine<Value>>>();
  /** Requests with values for which there was no room left. */
  unlisted = 0;

  add(value: Value, seen: Seen, isMarked = false): void {
    const key = JSON.stringify(value);
    if (!this.#lines.has(key) && this.#lines.size >= MOST_VALUES) {
      this.unlisted++;
      return;
    }
    const line = this.#lines.getOrInsertComputed(key, () => newLine(value, seen));
    line.calls++;
    if (isMarked) line.marked++;
    line.first = Math.min(line.first, seen.at);
    line.last = Math.max(line.last, seen.at);
    const { caller, doctor } = seen;
    if (caller !== undefined && line.callers.size < MOST_DETAILS) line.callers.add(caller);
    if (doctor !== undefined && line.doctors.size < MOST_DETAILS) line.doctors.add(doctor);
  }

  /** The most frequent first. Times are written as instants. */
  list() {
    return [...this.#lines.values()]
      .sort((a, b) => b.calls - a.calls)
      .map(({ value, first, last, callers, doctors, ...counts }) => ({
        ...value,
        ...counts,
        first: formatInstant(first),
        last: formatInstant(last),
        callers: [...callers],
        doctors: [...doctors],
      }));
  }
}

const newLine = <Value>(value: Value, { at }: Seen) => ({
  value,
  calls: 0,
  /** How many of the calls were marked when they were added. */
  marked: 0,
  first: at,
  last: at,
  /** Their numbers in the list of callers. */
  callers: new Set<number>(),
  /** As `centerid/DoctorID`, or `centerid` alone. */
  doctors: new Set<string>(),
});

const ON_ERRORS: Readonly<Record<Exclude<RefusalCode, RefusalName>, string>> = {
  Malformed:
    'Find out what it is meant to send: no XML, form or HTTP, or not in the charset that its Content-Type names.',
  MissingParameter: 'The old service read 0 or 0001-01-01. Have the program send it; a form needs all, even if empty.',
  InvalidValue:
    'Have the program send the type and length in docs/callers/operations.md. For dates, see the forms below.',
  UnexpectedElement:
    'The old service ignored it. Remove it, or write name and namespace as in the WSDL; see NAMESPACE.',
  DuplicateParameter: 'The old service took one of the values, or joined them with a comma. Have the program send one.',
  UnknownOperation: 'Spell the operation as the WSDL does, including upper and lower case.',
  ActionMismatch: 'Make SOAPAction name the operation of the body, or leave it empty; see NAMESPACE.',
  MustUnderstand: 'Remove mustUnderstand, or let the clients file ask for the UsernameToken that the header has.',
  VersionMismatch: 'Have the program send a SOAP 1.1 or SOAP 1.2 envelope.',
  UnsupportedMediaType: 'Send text/xml, application/soap+xml or a form, not JSON, without Content-Encoding.',
  TooLarge: 'A body has at most 64 KiB. Have the program send less.',
  IdempotencyKeyReused: 'Have the program give each call its own Idempotency-Key.',
  Unauthorized: 'Add the program to the clients file, or give it the secret whose hash is there.',
  Forbidden: 'Allow the client this operation or center in the clients file.',
  TooManyRequests: 'Raise RATE_LIMIT, or the limit of this client in the clients file.',
  CrossSite:
    'A page of another site sends this, or a program that calls itself a browser. Add the site to CORS_ORIGINS if its pages may call, or have the program send a User-Agent of its own.',
  MethodNotAllowed: 'Have the program use GET or POST for the forms, GET for the pages and POST for SOAP.',
  NotFound: 'Only the path in the WSDL is served. Correct the address, or let the web server in front rewrite it.',
  MisdirectedRequest: 'Add the host name to ALLOWED_HOSTS, or set PUBLIC_URL to the address that callers use.',
  Unavailable: 'The trial instance could not use its database. Report this to whoever maintains this service.',
  Internal: 'The trial instance failed; its log on standard error says where. Report this to its maintainers.',
};

/** What to do about requests that this service would not answer as the old one did: a sentence or two. */
const adviceOn = (code: RefusalCode): string =>
  code in REFUSALS ? REFUSALS[code as RefusalName].advice : ON_ERRORS[code as keyof typeof ON_ERRORS];

const OFFSET = /(?:Z|[+-]99:99)$/;

/** What to do about a form in which dates are written; undefined for nothing. */
function adviceOnDate(form: string): string | undefined {
  if (OFFSET.test(form)) {
    return 'A time with Z or an offset is converted to the time zone of the center. If the program means the time at the center, have it send none (in .NET, DateTimeKind.Unspecified).';
  }
  if (/^99?[/.-]99?[/.-]99/.test(form)) {
    return 'May be read in two ways. Have the program send YYYY-MM-DD; on the forms, FORM_DATE_ORDER can say what comes first.';
  }
  return undefined;
}

/** For every program over SOAP: a User-Agent does not tell how strict the toolkit behind it is. */
const ADVICE_ON_PROXIES =
  'Try its proxy of the old WSDL with results before the move: a strict toolkit takes a result for an error, after the call was executed. It then needs RESULTS=none, or "results": "none" in the clients file. docs/callers/differences.md names toolkits that were tried.';

/** A caller that means a new time always sends one; others may send one nevertheless. */
const NEARLY_ALL = 0.95;

/**
 * What the numbers may mean; a call with a new time is marked. Requests only show whether a number is sent with a new time, so anything that
 * is neither set nor standard must be confirmed by the authors of the callers.
 */
function proposeTypes(counts: ReturnType<Counter<{ readonly type: number }>['list']>, moves: readonly Move[]) {
  const numbers = counts.map((count) => {
    const now = moves.find((move) => move.type === count.type)?.name;
    const hasStart = count.marked / count.calls >= NEARLY_ALL;
    /** Undefined if there is no evidence for a move, because a wrong guess could cancel patients' appointments. */
    const proposed = hasStart ? (now ?? 'Reschedule') : now === 'Reschedule' ? undefined : now;
    return { ...count, now, proposed };
  });
  const pairs = numbers
    .toSorted((a, b) => a.type - b.type)
    .flatMap(({ type, proposed }) => (proposed === undefined ? [] : [`${type}=${proposed}`]));
  /** For APPOINTMENT_TYPES, without the numbers for which nothing is proposed; undefined if none are left. */
  return { numbers, setting: pairs.length === 0 ? undefined : pairs.join(',') };
}

/** The results of a rehearsal, as they are written as JSON. Nothing in them identifies a patient. */
export type RehearsalReport = ReturnType<Tally['report']>;

/** Counts everything from which the report is made. Its size is limited, however long the rehearsal takes. */
export class Tally {
  readonly #counts = {
    requests: 0,
    refused: 0,
    /** Those that the old service answered with a status of 400 or above. */
    failed: 0,
    /** Those to which the old service sent nothing. */
    notAnswered: 0,
    /** Only the old service received them: the trial instance had fallen behind, or was gone. */
    notTried: 0,
    /** Connections whose bytes are not HTTP. */
    notHttp: 0,
  };
  readonly #numbers = new Map<string, number>();
  readonly #counters = {
    /** Marked if they called over SOAP. */
    callers: new Counter<{ caller: number | undefined; address: string; program: string }>(),
    addresses: new Counter<{ host: string; path: string }>(),
    failures: new Counter<{ status: number; operation: string; path: string }>(),
    calls: new Counter<{ operation: string; transport: Transport | undefined }>(),
    /** Marked if the old service executed them. */
    refusals: new Counter<{ code: RefusalCode; parameter: string | undefined; operation: string }>(),
    /** Marked if they have a date and a time. */
    types: new Counter<{ type: number }>(),
    dates: new Counter<{ parameter: string; form: string }>(),
  };

  /** There were bytes that are not HTTP on a connection. */
  addBroken(): void {
    this.#counts.notHttp++;
  }

  /** `at`: milliseconds since the epoch. `verdict` is undefined if only the old service received the request. */
  add(request: Observation, at: number, old: OldAnswer, verdict: Verdict | undefined): void {
    const { operation, transport, program, host, path, address, type, hasStart, centerId, doctorId } = request;
    const { callers, addresses, failures, calls, refusals, types, dates } = this.#counters;
    this.#counts.requests++;
    const name = JSON.stringify([address, program]);
    if (this.#numbers.size < MOST_VALUES && !this.#numbers.has(name)) this.#numbers.set(name, this.#numbers.size + 1);
    const doctor = [centerId, doctorId].filter((id) => id !== undefined).join('/');
    const seen = { at, caller: this.#numbers.get(name), doctor: doctor === '' ? undefined : doctor };
    callers.add({ caller: seen.caller, address, program }, seen, transport?.startsWith('soap'));
    addresses.add({ host, path }, seen);
    calls.add({ operation, transport }, seen);
    if (type !== undefined) types.add({ type }, seen, hasStart);
    for (const date of request.dates) dates.add(date, seen);
    if (typeof old === 'number' && old >= 400) {
      this.#counts.failed++;
      failures.add({ status: old, operation, path }, seen);
    }
    if (old === 'none') this.#counts.notAnswered++;
    else if (verdict === undefined) this.#counts.notTried++;
    else if (verdict.code !== undefined) {
      this.#counts.refused++;
      refusals.add({ ...verdict, code: verdict.code, operation }, seen, old !== undefined && old < 400);
    }
  }

  /** `from` and `to` are milliseconds since the epoch; `moves` are those of the trial instance. */
  report(from: number, to: number, moves: readonly Move[]) {
    const { requests, notAnswered, notTried, refused } = this.#counts;
    const counters = this.#counters;
    return {
      from: formatInstant(from),
      to: formatInstant(to),
      ...this.#counts,
      /** Answered as expected by this service, too. */
      done: requests - notAnswered - notTried - refused,
      callers: counters.callers.list().map((caller) => ({
        ...caller,
        advice: caller.marked > 0 ? ADVICE_ON_PROXIES : undefined,
      })),
      addresses: counters.addresses.list(),
      failures: counters.failures.list(),
      calls: counters.calls.list(),
      refusals: counters.refusals.list().map((refusal) => ({
        ...refusal,
        /** For a refusal by the hospital's rules. */
        resultCode: refusal.code in ResultCode ? ResultCode[refusal.code as keyof typeof ResultCode] : undefined,
        advice: adviceOn(refusal.code),
      })),
      types: proposeTypes(counters.types.list(), moves),
      dates: counters.dates
        .list()
        .toSorted((a, b) => (a.parameter < b.parameter ? -1 : Number(a.parameter > b.parameter)))
        .map((date) => ({ ...date, advice: adviceOnDate(date.form) })),
      /** How many requests had values beyond those that are listed, by kind. */
      unlisted: Object.fromEntries(
        Object.entries(counters).flatMap(([name, { unlisted }]) => (unlisted === 0 ? [] : [[name, unlisted]])),
      ),
    };
  }
}
