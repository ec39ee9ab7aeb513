// node drive.ts PROGRAM…: asks a toolkit's program for the calls of calls.ts, compares what it returns, and prints the outcomes. The
// program reads one line of JSON per call, `{"operation", "values", "logIn"}`, and prints one for each: `{"result"}`, `{"fault"}` with the
// typed detail, `{"error"}` with any other exception, or `{"lacks"}` with a reason why the toolkit cannot do it. Dates are wall time. With
// RECORD, a folder, it writes what the toolkit sends as a case of test/wire/cases.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Outcome } from '../outcome.ts';
import { type Ask, callAll, callOld, logIn, useCertificate } from './calls.ts';
import { recordExchanges } from './record.ts';

interface Answered {
  readonly result?: unknown;
  readonly fault?: unknown;
  readonly error?: string;
  readonly lacks?: string;
}

const {
  NAME = '',
  TRANSPORT = '',
  DAY = '',
  RUN = '',
  TEXT = '',
  EXAMPLES = '{}',
  CALLS = '',
  CA,
  RECORD,
} = process.env;
const [program = '', ...parameters] = process.argv.slice(2);

const print = (outcome: Omit<Outcome, 'transport'>): void =>
  void process.stdout.write(`${JSON.stringify({ transport: TRANSPORT, ...outcome })}\n`);

/** Of an answer that is wrong. */
const MOST_SHOWN = 600;

const plain = (name: string): string => name.replaceAll('_', '').toLowerCase();

/** A field by its path; undefined if there is none. */
function field(value: unknown, path: string): unknown {
  let found: unknown = value;
  for (const name of path.split('.')) {
    if (found === null || typeof found !== 'object') return undefined;
    const keys = Object.getOwnPropertyNames(found);
    const key = keys.find((each) => plain(each) === plain(name));
    found = key === undefined ? undefined : (found as Record<string, unknown>)[key];
  }
  return found;
}

/** Toolkits that know no types return texts; some write milliseconds. An absent field is null, or an empty text to those without null. */
const asText = (value: unknown): string => String(value ?? '').replace(/\.000$/, '');

/** Starts the program, and asks it for calls. */
async function drive(calls: (ask: Ask) => Promise<void>, environment: Readonly<Record<string, string>>): Promise<void> {
  const child = spawn(program, parameters, {
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  try {
    await calls(async ({ operation, check, values, logIn, result, fault, error }) => {
      child.stdin.write(`${JSON.stringify({ operation, values, logIn })}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`the program ended at ${operation}`);
      const answer = JSON.parse(value) as Answered;
      const wrong = Object.entries(result ?? fault ?? {}).filter(
        ([path, expected]) => asText(field(answer.result ?? answer.fault, path)) !== asText(expected),
      );
      const isOfKind =
        error === undefined ? (fault === undefined ? 'result' : 'fault') in answer : error.test(answer.error ?? '');
      const ok = answer.lacks === undefined ? isOfKind && wrong.length === 0 : null;
      const detail = ok
        ? ''
        : (answer.lacks ?? `${value.slice(0, MOST_SHOWN)}, not ${JSON.stringify(Object.fromEntries(wrong))}`);
      print({ operation, check, ok, detail });
      return (path) => field(answer.result, path);
    });
  } finally {
    child.stdin.end();
    child.stdout.resume();
  }
}

/** What a recording has of a toolkit: a call with a value of each type, one without strings, and a refusal; and of their answers. */
const RECORDED: Readonly<Record<string, readonly string[]>> = {
  typed: ['ResultCode', 'RegistrationNumber', 'app_time'],
  'missing strings': ['ResultCode', 'app_time'],
  refusal: ['Code', 'ResultCode'],
};

/** Writes what it sends into the folder RECORD, with the days and names that every recording has. */
async function record(folder: string): Promise<void> {
  const recording = await recordExchanges(process.env.ENDPOINT ?? '');
  // Both are recorded with one service.
  const day = TRANSPORT === 'soap11' ? '2026-12-21' : '2026-12-22';
  const circumstances = { day, run: `REG-${TRANSPORT}`, text: TEXT, examples: {} };
  const calls = (ask: Ask) =>
    callAll(async (asked) => {
      const field = await ask(asked);
      const elements = asked.operation === 'Fetch_Details' ? RECORDED[asked.check] : undefined;
      if (elements !== undefined) recording.keep(elements);
      return field;
    }, circumstances);
  await drive(calls, { ENDPOINT: recording.endpoint });
  const version = TRANSPORT === 'soap11' ? '1.1' : '1.2';
  const file = `${folder}/${NAME.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.case`;
  recording.write(
    file,
    `${existsSync(file) ? '\n==========\n' : ''}${NAME} books over SOAP ${version}, and is refused.`,
  );
}

if (CA !== undefined) {
  await drive(logIn, {});
  await drive(useCertificate, { WITH_CERTIFICATE: '1' });
} else if (RECORD !== undefined && CALLS !== 'old') {
  await record(RECORD);
} else {
  const circumstances = { day: DAY, run: RUN, text: TEXT, examples: JSON.parse(EXAMPLES) };
  await drive((ask) => (CALLS === 'old' ? callOld : callAll)(ask, circumstances), {});
}
