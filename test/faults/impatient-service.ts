import { listen } from '../../src/http/http-server.ts';
import { createLog } from '../../src/log/log.ts';
import { openService } from '../../src/process/open-service.ts';
import { startMessage } from '../../src/process/start-message.ts';
import { readConfig } from '../../src/settings/config.ts';
import { newCorrelationId } from '../../src/transports/correlation-id.ts';

// The service as `main.ts` starts it, but with little patience, so that a test need not have much.
const config = readConfig(process.env);
const log = createLog(config.logLevel);
const { app, store, contract } = await openService({ config, log, clock: Date.now, newCorrelationId });
const server = await listen(app, config.host, config.port, { headers: 400, request: 1500, keepAlive: 500 });
process.stdout.write(
  startMessage({
    contract,
    baseUrl: `http://${config.host}:${server.port}`,
    storeDescription: store.description,
    demoData: config.demoData,
    servicePage: config.servicePage,
    timeZone: config.timeZone,
    now: Date.now(),
  }),
);
process.on('SIGTERM', async () => {
  await server.close();
  await store.close();
  process.exit(0);
});
