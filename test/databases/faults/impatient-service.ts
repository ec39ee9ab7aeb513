import { readTlsFiles } from '../../../src/http/tls-files.ts';
import { createLog } from '../../../src/log/log.ts';
import { openService } from '../../../src/service/open-service.ts';
import { thisMachine } from '../../../src/service/this-machine.ts';
import { readConfig } from '../../../src/settings/config.ts';
import { listenHere } from '../../support/http/listen-here.ts';

// The service as started by `main.ts`, but with short timeouts, so that a test need not wait long.
const config = readConfig(process.env);
const log = createLog(config.logLevel);
const { app, store } = await openService({
  config,
  log,
  machine: { ...thisMachine, pause: async () => {} },
});
const tls = config.access.tls && readTlsFiles(config.access.tls, Date.now());
const limits = { quietMs: 400, requestMs: 1500, keepAliveMs: 500, answerMs: 5000 };
const server = await listenHere(app, limits, config.port, tls);
process.on('SIGTERM', async () => {
  await server.close();
  await store.close();
  process.exit(0);
});
