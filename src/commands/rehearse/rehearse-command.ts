import type { ChildProcess } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { type PortAddress, portAddress } from '../../settings/monitoring-settings.ts';
import { LARGEST_BODY } from '../../transports/read-body.ts';
import { formatInstant } from '../../vocabulary/time-zone.ts';
import type { CommandHost, DefineCommand } from '../command-host.ts';
import { writePrivateFile } from '../copies/part-file.ts';
import { createObserveRequest } from './observe-request.ts';
import { openRelay } from './relay.ts';
import { reportText } from './report-text.ts';
import { type CopiedRequest, createRequestTaps } from './request-tap.ts';
import { Tally } from './tally.ts';
import { openTrial } from './trial.ts';

export interface RehearseHost extends CommandHost {
  /** Forks trial-process.ts with an environment. */
  readonly startTrial: (environment: CommandHost['environment']) => ChildProcess;
  /** Resolves when the process is asked to end. */
  readonly untilStopped: () => Promise<unknown>;
}

interface Flags {
  readonly old: URL;
  readonly listen: PortAddress;
  readonly out: string;
}

/** A signal ends the rehearsal only after the last report, so none leaves a part of one behind. */
const NO_SIGNAL = { beforeEnd: () => () => {} };
/** How often the files of the report are written during the rehearsal. */
const REPORT_INTERVAL_MS = 60_000;

const LONGEST_WSDL_MS = 5000;

/** `rehearse --old URL`: tries this service next to the old one. */
export const rehearseCommand: DefineCommand<RehearseHost> = (command, host) =>
  command
    .description(
      'Runs in front of the old service, passes every request to it unchanged, and reports what this service would have answered. Stores no patient data.',
    )
    .requiredOption('--old <url>', 'address of the old service, such as http://10.0.0.5/TPWebServices.asmx', urlOf)
    .addOption(
      new Option('--listen <address>', 'port, or address and port, that callers use meanwhile')
        .argParser(addressOf)
        .default(addressOf(LISTEN), LISTEN),
    )
    .option('--out <folder>', 'folder for rehearsal.md and rehearsal.json', 'data/rehearsal')
    .action((flags: Flags) => rehearse(flags, host));

const LISTEN = '127.0.0.1:8080';

function urlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  throw new InvalidArgumentError('Expected an http or https URL.');
}

function addressOf(text: string): PortAddress {
  const address = portAddress(text);
  if (address === undefined) throw new InvalidArgumentError('Expected a port, or an address and a port.');
  return address;
}

async function rehearse({ old, listen, out }: Flags, host: RehearseHost): Promise<void> {
  const { clock, output, errors } = host;
  const began = clock();
  const trial = await openTrial(host.startTrial(host.environment), () =>
    errors.write(
      'The trial instance has ended. The callers are served by the old service as before; start the rehearsal again to try more.\n',
    ),
  );
  const tally = new Tally();
  const observe = createObserveRequest(trial.facts.contract);
  const open = new Set<Promise<void>>();
  const prefix = old.pathname.replace(/\/(?:[^/]*\.asmx)?\/?$/i, '');
  let isDown = false;
  const onConnect = (failure: string | undefined) => {
    if (isDown === (failure !== undefined)) return;
    isDown = failure !== undefined;
    const what = isDown ? `does not answer (${failure}), so callers get no answers` : 'answers again';
    errors.write(`${formatInstant(clock())}: the old service at ${old.host} ${what}.\n`);
  };
  const relay = await openRelay({
    old,
    ...listen,
    openTap: createRequestTaps(LARGEST_BODY),
    onConnect,
    onRequest: (passed, answered) => {
      const at = clock();
      const request = belowPrefix(passed, prefix);
      const added = Promise.all([answered, trial.try(request)])
        .then(([answer, verdict]) => tally.add(observe(request, passed.target), at, answer, verdict))
        .finally(() => open.delete(added));
      open.add(added);
    },
    onBroken: () => tally.addBroken(),
  }).catch(async (error: unknown) => {
    await trial.close();
    throw error;
  });
  const wsdl = new URL('?wsdl', old).href;
  await fetch(wsdl, { redirect: 'manual', signal: AbortSignal.timeout(LONGEST_WSDL_MS) }).then(
    async ({ status, body }) => {
      const advice =
        status === 200 ? '' : ' Expected 200: check the path of --old, and whether it answers this machine.';
      output.write(`The old service answers ${status} to ${wsdl}.${advice}\n`);
      await body?.cancel();
    },
    ({ cause, message }) => onConnect(cause?.code ?? message),
  );
  output.write(
    `Listening on ${listen.host}, port ${relay.port}. Every request goes to ${old.origin}, and its answer to the caller.\n`,
  );
  output.write('Ctrl-C ends the rehearsal and prints the report.\n');

  const folder = resolve(host.folder, out);
  const write = async () => {
    const report = tally.report(began, clock(), trial.facts.moves);
    const text = reportText(report);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writePrivateFile(join(folder, 'rehearsal.md'), [text], NO_SIGNAL);
    await writePrivateFile(join(folder, 'rehearsal.json'), [JSON.stringify(report, undefined, 2)], NO_SIGNAL);
    return text;
  };
  const timer = setInterval(() => {
    write().catch((error) => errors.write(`The report could not be written: ${error}\n`));
  }, REPORT_INTERVAL_MS);
  await host.untilStopped();
  clearInterval(timer);
  await relay.close();
  await Promise.all(open);
  await trial.close();
  output.write(await write());
  output.write(`\nWritten to ${folder} as rehearsal.md and rehearsal.json.\n`);
}

/** The request as it would be if the old service were not below that path. */
function belowPrefix(request: CopiedRequest, prefix: string): CopiedRequest {
  const isBelow = request.target.toLowerCase().startsWith(`${prefix.toLowerCase()}/`);
  return isBelow ? { ...request, target: request.target.slice(prefix.length) } : request;
}
