// npm run rehearse -- --old URL | --replay FILE…: tries this service beside the old one. See docs/moving-from-the-old-service.md.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { rehearseCommand } from '../src/commands/rehearse/rehearse-command.ts';
import { serveTrial } from '../src/commands/rehearse/serve-trial.ts';
import type { TrialStart } from '../src/commands/rehearse/trial-message.ts';
import { createLog } from '../src/log/log.ts';
import { newCorrelationId } from '../src/transports/correlation-id.ts';
import { thisProcess } from './this-process.ts';

const stopwatch = () => performance.now();

if (parentPort !== null) {
  await serveTrial(parentPort, workerData, {
    clock: Date.now,
    stopwatch,
    // Only failures of the trial instance; the rest is in the report.
    log: createLog('error', Date.now, { write: (line: string) => void process.stderr.write(line) }),
    newCorrelationId,
    processKey: randomBytes(32),
    random: Math.random,
    pause: (milliseconds: number) => setTimeout(milliseconds),
  });
}

if (isMainThread) {
  process.exitCode = await rehearseCommand(process.argv.slice(2), {
    ...thisProcess('rehearse'),
    // A signal does not end it at once: it writes its report.
    beforeEnd: () => () => {},
    stopwatch,
    newThread: (start: TrialStart) => new Worker(new URL(import.meta.url), { workerData: start }),
    stopped: Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]),
  });
}
