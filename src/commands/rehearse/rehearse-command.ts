import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { InvalidArgumentError } from 'commander';
import { SetUpError } from '../../vocabulary/errors.ts';
import { type CommandHost, newCommand, runCommand, UsageError } from '../command-host.ts';
import { writePrivateFile } from '../write-private-file.ts';
import { readRecording } from './read-recording.ts';
import { Rehearsal } from './rehearsal.ts';
import { openRelay } from './relay.ts';
import { reportMarkdown, reportText } from './report-text.ts';
import { createRequestTaps } from './request-tap.ts';
import { startTrial, type TrialHandle } from './start-trial.ts';
import type { TrialStart } from './trial-message.ts';

export interface RehearseHost extends CommandHost {
  /** Monotonic time in milliseconds. */
  readonly stopwatch: () => number;
  /** A thread in which `serveTrial` runs. */
  readonly newThread: (start: TrialStart) => Worker;
  /** Resolves when the process is asked to end. */
  readonly stopped: Promise<unknown>;
}

interface Flags {
  readonly old?: URL;
  readonly listen: Address;
  readonly replay?: readonly string[];
  readonly out: string;
}

interface Address {
  readonly host: string;
  readonly port: number;
}

/** How often the files of the report are written during the rehearsal, in milliseconds. */
const REPORT_INTERVAL = 60_000;

/** `rehearse --old URL` or `rehearse --replay FILE…`: tries this service next to the old one. Resolves with the exit code. */
export function rehearseCommand(args: readonly string[], host: RehearseHost): Promise<number> {
  const command = newCommand('rehearse', host)
    .description(
      'Runs in front of the old service, passes every request to it unchanged, and reports what this service would have answered. Stores no patient data.',
    )
    .option('--old <url>', 'address of the old service, such as http://10.0.0.5/TPWebServices.asmx', urlOf)
    .option('--listen <address>', 'port, or address and port, that callers use meanwhile', addressOf, LOOPBACK_8080)
    .option(
      '--replay <files...>',
      'instead of --old: requests that were recorded before, as JSON lines or as an IIS log',
    )
    .option('--out <folder>', 'folder for rehearsal.md and rehearsal.json', 'data/rehearsal')
    .action((flags: Flags) => rehearse(flags, host));
  return runCommand(command, args, host);
}

const LOOPBACK_8080: Address = { host: '127.0.0.1', port: 8080 };

function urlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  throw new InvalidArgumentError('Expected an http or https URL.');
}

function addressOf(text: string): Address {
  const [, host = LOOPBACK_8080.host, port] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw new InvalidArgumentError('Expected a port, or an address and a port.');
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

async function rehearse(flags: Flags, host: RehearseHost): Promise<void> {
  const { old, replay } = flags;
  if ((old === undefined) === (replay === undefined)) throw new UsageError('Expected either --old or --replay.');
  const path = old?.pathname.replace(/\/(?:[^/]*\.asmx)?\/?$/i, '') ?? '';
  const trial = await startTrial(host.newThread({ environment: settingsOf(flags, host), prefix: path }), (why) => {
    host.errors.write(
      `${why} The callers are served by the old service as before; start the rehearsal again to try more.\n`,
    );
  });
  const rehearsal = new Rehearsal(trial, host.clock);
  if (old === undefined) await playAgain(replay ?? [], rehearsal, trial, host);
  else await standBefore(old, flags, rehearsal, trial, host);
  const folder = await writeReport(rehearsal, flags, host);
  host.output.write(reportText(rehearsal.report()));
  host.output.write(`\nWritten to ${folder} as rehearsal.md and rehearsal.json.\n`);
}

/** What was recorded in an hour is replayed in seconds, so a limit per minute would be meaningless. */
const settingsOf = ({ replay }: Flags, { environment }: RehearseHost): TrialStart['environment'] =>
  replay === undefined ? { ...environment } : { ...environment, RATE_LIMIT: '0' };

async function standBefore(old: URL, flags: Flags, rehearsal: Rehearsal, trial: TrialHandle, host: RehearseHost) {
  const relay = await openRelay({
    old,
    ...flags.listen,
    openTap: createRequestTaps(trial.facts.largestBody),
    stopwatch: host.stopwatch,
    onRequest: (request, answered) => void rehearsal.take(request, answered),
    onBroken: () => rehearsal.takeBroken(),
  }).catch(async (error: unknown) => {
    await trial.close();
    throw error;
  });
  host.output.write(
    `Listening on ${flags.listen.host}, port ${relay.port}. Every request goes to ${old.origin}, and its answer to the caller.\n`,
  );
  host.output.write('Ctrl-C ends the rehearsal and prints the report.\n');
  const timer = setInterval(() => {
    writeReport(rehearsal, flags, host).catch((error) =>
      host.errors.write(`The report could not be written: ${error}\n`),
    );
  }, REPORT_INTERVAL);
  await host.stopped;
  clearInterval(timer);
  await relay.close();
  await rehearsal.idle();
  await trial.close();
}

async function playAgain(files: readonly string[], rehearsal: Rehearsal, trial: TrialHandle, host: RehearseHost) {
  const passedOver = new Map<string, number>();
  try {
    for (const file of files) {
      const handle = await openRecording(resolve(host.folder, file));
      const count = (why: string) => void passedOver.set(why, (passedOver.get(why) ?? 0) + 1);
      // One after another, in the order in which they were sent: a booking must exist before its cancellation.
      for await (const { request, answer } of readRecording(file, handle.readLines(), count)) {
        await rehearsal.take(request, Promise.resolve(answer));
      }
    }
  } finally {
    await trial.close();
  }
  for (const [why, count] of passedOver) host.output.write(`Skipped ${count} ${why}.\n`);
}

function openRecording(path: string): Promise<FileHandle> {
  return open(path).catch((error: NodeJS.ErrnoException) => {
    throw new SetUpError(`${path} cannot be read (${error.code}); expected a file of recorded requests.`);
  });
}

/** Returns the folder. */
async function writeReport(rehearsal: Rehearsal, { out }: Flags, host: RehearseHost): Promise<string> {
  const path = resolve(host.folder, out);
  const report = rehearsal.report();
  await mkdir(path, { recursive: true, mode: 0o700 });
  await writePrivateFile(join(path, 'rehearsal.md'), textOnce(reportMarkdown(report)), host);
  await writePrivateFile(join(path, 'rehearsal.json'), textOnce(`${JSON.stringify(report, undefined, 2)}\n`), host);
  return path;
}

async function* textOnce(text: string) {
  yield text;
}
