// The service with an outbox that gives up waiting sooner and tries more often, so that a trial with many kills ends in time.
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { createLog } from '../../src/log/log.ts';
import { openLogFile } from '../../src/log/log-file.ts';
import { serve } from '../../src/process/serve.ts';
import { readConfig } from '../../src/settings/config.ts';

const config = readConfig(process.env);
const logFile = openLogFile(1);
const log = createLog(config.logLevel, logFile);
const service = await serve({
  config,
  log,
  clock: Date.now,
  newCorrelationId: randomUUID,
  random: Math.random,
  stopwatch: () => performance.now(),
  processKey: randomBytes(32),
  pause: (milliseconds: number) => setTimeout(milliseconds),
  droppedLines: () => logFile.dropped,
  processReport: {},
  outboxLimits: { window: 20, leaseMs: 2000, retryBaseMs: 1000, tries: 20 },
});
process.once('SIGTERM', async () => {
  await service.stop();
  await logFile.close();
  process.exit(0);
});
log.info('ready', service.facts);
