// The program of the trial instance: this service with the hospital's reference data, in memory and only for the rehearsal.
// It sends one message to the rehearsal, a TrialStart, with the key without which it answers nothing, because other users of the
// machine can connect to its port. It ends when the rehearsal disconnects, or is gone.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startFailure } from '../../doctor/start-failure.ts';
import { connectionLimits } from '../../http/connection-limits.ts';
import { listen } from '../../http/http-server.ts';
import { createLog } from '../../log/log.ts';
import { allAppointments } from '../../reference/export-rows.ts';
import { putReferenceRows, readReferenceRows } from '../../reference/imported-rows.ts';
import { openService } from '../../service/open-service.ts';
import { thisMachine } from '../../service/this-machine.ts';
import { readConfig } from '../../settings/config.ts';
import { openStore } from '../../store/open-store.ts';
import type { Store } from '../../store/store.ts';
import { KEY_HEADER, TRIAL_HOST, type TrialFacts, type TrialStart } from './trial.ts';

const KEY_BYTES = 24;

const ALL_DAYS = { firstDay: '', lastDay: '9999-12-31' };

/** Patient data disappears with the process: none of it is written to a disk or sent to a phone. */
const OVERRIDDEN = { DATABASE_URL: 'sqlite::memory:', DEMO_DATA: 'false', SMS_GATEWAY: 'off', LOG_LEVEL: 'error' };

async function main(): Promise<void> {
  // Ctrl-C in a terminal reaches this process as well. It must still answer what the rehearsal has already passed to it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  const ended = once(process, 'disconnect');
  const report = (start: TrialStart, then = () => {}) => process.send?.(start, then);
  try {
    const { facts, close } = await openTrial(process.env);
    report(facts);
    await ended;
    await close();
  } catch (error) {
    report({ failure: startFailure(error) }, () => process.exit(1));
  }
}

/** Throws as a start of the service would, and also if the database of the environment does not exist. */
async function openTrial({
  DATABASE_URL_FILE: _,
  ...environment
}: NodeJS.ProcessEnv): Promise<{ readonly facts: TrialFacts; readonly close: () => Promise<void> }> {
  // Makes limits and the networks in the clients file use the caller's address, not that of the rehearsal.
  const trusted = [environment.TRUSTED_PROXIES, TRIAL_HOST].filter((text) => text?.trim()).join(',');
  const config = readConfig({ ...environment, ...OVERRIDDEN, TRUSTED_PROXIES: trusted });
  const service = await openService({
    config,
    machine: thisMachine,
    // Only failures of the trial instance; the rest is in the report.
    log: createLog('error', { write: (line: string) => void process.stderr.write(line) }),
  });
  const source = await openStore(readConfig(process.env).database, { mustExist: true });
  await copyImported(source, service.store).finally(() => source.close());
  const key = randomBytes(KEY_BYTES).toString('base64url');
  const app = new Proxy(service.app, {
    apply: (_app, _this, [request, response]: [IncomingMessage, ServerResponse]) =>
      request.headers[KEY_HEADER] === key ? service.app(request, response) : request.destroy(),
  });
  const server = await listen(app, { host: TRIAL_HOST, port: 0 }, connectionLimits(config), undefined);
  return {
    facts: { port: server.port, key, contract: service.contract, moves: config.hospital.moves },
    close: async () => {
      await server.close();
      await service.store.close();
    },
  };
}

/** Copies what the hospital has imported: reference data, existing appointments, and the last token of each doctor's day. */
async function copyImported(source: Store, target: Store): Promise<void> {
  const rows = await source.read(readReferenceRows);
  const appointments = await Array.fromAsync(allAppointments(source));
  // Those that overlap others come last, because the database accepts them in that order.
  appointments.sort((a, b) => a.overlapping - b.overlapping);
  await target.write(async (queries) => {
    await putReferenceRows(queries, rows);
    await queries.imports.addAppointments(appointments);
    for (const { id } of rows.centers) {
      const tokens = await source.read(({ imports }) => imports.dayTokens({ centerId: id, ...ALL_DAYS }));
      for (const token of tokens) await queries.imports.putDayToken(token);
    }
  });
}

await main();
