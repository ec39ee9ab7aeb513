import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Contract, Operation } from '../../contract/contract.ts';
import { FAULT_ANSWERS } from '../../transports/faults.ts';
import type { Move } from '../../vocabulary/appointments.ts';
import { ERROR_CODES, type ErrorCode, SetUpError } from '../../vocabulary/errors.ts';
import { isRefusal, type RefusalName, resultCodeName } from '../../vocabulary/result-codes.ts';
import { type CopiedRequest, headerOf } from './request-tap.ts';

/** The header with the key without which the trial instance answers nothing. */
export const KEY_HEADER = 'x-rehearsal-key';
export const TRIAL_HOST = '127.0.0.1';

/** Its only message: what the rehearsal needs to know of it, or a sentence on why it does not start. */
export type TrialStart = TrialFacts | { readonly failure: string };

export interface TrialFacts {
  readonly port: number;
  readonly key: string;
  readonly contract: Contract;
  /** The moves by their number in parameter `type`. */
  readonly moves: readonly Move[];
}

/** Requests that may wait for the trial instance. */
const MOST_WAITING_REQUESTS = 2000;
const LONGEST_MS = 10_000;

/**
 * Waits until the trial instance listens, which `child`, a fork of trial-process.ts, runs: neither the work nor a crash of the service can
 * delay what passes to the old one. `onGone` is called if it ends before it is closed. Throws SetUpError with the reason why it does not
 * start.
 */
export async function openTrial(child: ChildProcess, onGone: () => void) {
  const gone = once(child, 'exit');
  const unready = gone.then(() => [{ failure: 'The trial instance ended before it was ready.' }]);
  const [facts]: TrialStart[] = await Promise.race([once(child, 'message'), unready]);
  if (facts === undefined || 'failure' in facts) throw new SetUpError(facts?.failure ?? '');
  let isGone = false;
  let isClosing = false;
  gone.then(() => {
    isGone = true;
    if (!isClosing) onGone();
  });

  const { port, key } = facts;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const readVerdict = createReadVerdict(facts.contract);
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function tryNow(request: CopiedRequest): Promise<Verdict | undefined> {
    const options = { ...httpOptions(request), host: TRIAL_HOST, port, agent };
    options.headers.push(KEY_HEADER, key);
    const answer = await send(options, request.body);
    waiting--;
    return isGone ? undefined : readVerdict(answer);
  }

  return {
    facts,
    /** Undefined if it was not tried, because too many requests are waiting or the trial instance is gone. Never rejects. */
    try: (request: CopiedRequest): Promise<Verdict | undefined> => {
      if (isGone || isClosing || waiting >= MOST_WAITING_REQUESTS) return Promise.resolve(undefined);
      waiting++;
      // One after another, in the order in which they were sent: a booking must exist before its cancellation.
      const verdict = last.then(() => tryNow(request));
      last = verdict;
      return verdict;
    },
    /** Waits for the requests that it was passed. */
    close: async () => {
      await last;
      isClosing = true;
      agent.destroy();
      if (child.connected) child.disconnect();
      await gone;
    },
  };
}

/** Codes for names, values and targets that HTTP cannot represent, and that the service would refuse as well. */
const REFUSED_BY_HTTP = /^ERR_(?:INVALID|UNESCAPED)_/;

/** Never rejects: if a request cannot be sent, that is a failure of this service, or a refusal. */
const send = (options: object, body: Buffer) =>
  new Promise<{ readonly status: number; readonly body: string }>((resolve, reject) => {
    const outgoing = httpRequest({ ...options, signal: AbortSignal.timeout(LONGEST_MS) }, (incoming) => {
      text(incoming).then((answer) => resolve({ status: incoming.statusCode ?? 0, body: answer }), reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  }).catch(({ code = '' }: NodeJS.ErrnoException) => ({ status: REFUSED_BY_HTTP.test(code) ? 400 : 500, body: '' }));

/** Headers that belong to the connection over which they were received, and those that are generated again. */
const NOT_COPIED: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'expect',
  'content-length',
  // Node refuses to send it without chunks.
  'trailer',
  'x-forwarded-for',
  KEY_HEADER,
]);

function httpOptions(request: CopiedRequest) {
  const { method, target, body, address } = request;
  // A refusal over the forms contains its code and parameter only as JSON. The same requests are refused.
  const isForm = /\.asmx\/\w/i.test(target);
  const headers = request.headers.filter((_, index) => {
    const name = request.headers[index - (index % 2)]?.toLowerCase() ?? '';
    return !NOT_COPIED.has(name) && !(isForm && name === 'accept');
  });
  const from = [headerOf(request, 'x-forwarded-for'), address].filter((hop) => hop !== undefined).join(', ');
  if (from !== '') headers.push('X-Forwarded-For', from);
  // HTTP/1.0 needs none, but the copy is sent as HTTP/1.1.
  if (headerOf(request, 'host') === undefined) headers.push('Host', TRIAL_HOST);
  if (isForm) headers.push('Accept', 'application/json');
  if (body.length > 0 || method === 'POST') headers.push('Content-Length', String(body.length));
  return { method, path: target, headers };
}

/** Why the service would not do what a request asks for. */
export type RefusalCode = Exclude<ErrorCode, 'Refused'> | RefusalName;

export interface Verdict {
  /** Undefined if it executed the request. */
  readonly code: RefusalCode | undefined;
  /** The contract's name of the offending parameter. */
  readonly parameter: string | undefined;
}

/** What a plain answer indicates by its status, if neither an envelope nor JSON was requested: of several codes, the last or Malformed. */
const BY_STATUS = new Map(
  Object.entries(FAULT_ANSWERS)
    .filter(([code, { status }]) => code !== 'Refused' && status !== 400)
    .map(([code, { status }]) => [status, code as RefusalCode]),
);

/** Reads the code and the parameter from an answer, and nothing else, because its sentence may contain what the caller sent. */
export function createReadVerdict({ operations }: Pick<Contract, 'operations'>) {
  const parameters = new Set(
    operations.flatMap((operation: Operation) => operation.parameters.map(({ name }) => name)),
  );
  return ({ status, body }: Awaited<ReturnType<typeof send>>): Verdict => {
    const resultCode = Number(fieldOf(body, 'ResultCode'));
    const refusal = isRefusal(resultCode) ? resultCodeName(resultCode) : undefined;
    const fault = fieldOf(body, 'Code') ?? fieldOf(body, 'code') ?? HEADER_FAULT.exec(body)?.[1];
    const named = fieldOf(body, 'Parameter') ?? fieldOf(body, 'parameter') ?? leadingParameter(body);
    const code = refusal ?? (fault !== undefined && fault in ERROR_CODES ? fault : codeOfStatus(status));
    const parameter = named !== undefined && parameters.has(named) ? named : undefined;
    return { code: code as RefusalCode | undefined, parameter: code === undefined ? undefined : parameter };
  };
}

const fieldOf = (body: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>|"${name}":(?:"([^"]*)"|(\\d+))`)
    .exec(body)
    ?.slice(1)
    .find((text) => text !== undefined);

/** A fault that is about a header or the envelope has no detail: SOAP 1.1, 4.4. */
const HEADER_FAULT = /<(?:faultcode|soap:Value)>\w+:(MustUnderstand|VersionMismatch)</;

/** A refusal over the forms names the parameter only at the beginning of its sentence. */
const leadingParameter = (body: string): string | undefined => /"ResultText":"Parameter (\w+):/.exec(body)?.[1];

const codeOfStatus = (status: number): RefusalCode | undefined =>
  status < 400 ? undefined : (BY_STATUS.get(status) ?? (status < 500 ? 'Malformed' : 'Internal'));
