// The service with an outbox that gives up waiting sooner and tries more often, so that a trial with many kills ends in time.
import { createLog } from '../../../src/log/log.ts';
import { LogFile } from '../../../src/log/log-file.ts';
import { serve } from '../../../src/service/serve.ts';
import { thisMachine } from '../../../src/service/this-machine.ts';
import { readConfig } from '../../../src/settings/config.ts';

const config = readConfig(process.env);
const logFile = new LogFile(1);
const log = createLog(config.logLevel, logFile);
const outboxLimits = { window: 20, leaseMs: 2000, retryBaseMs: 1000, tries: 20 };
const service = await serve({ config, log, machine: thisMachine, outboxLimits }, () => logFile.dropped);
process.once('SIGTERM', async () => {
  await service.stop();
  await logFile.close();
  process.exit(0);
});
log.info('ready', service.facts);
