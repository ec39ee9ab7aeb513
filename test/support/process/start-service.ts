import { connectionLimits } from '../../../src/http/connection-limits.ts';
import { type HttpServer, listen } from '../../../src/http/http-server.ts';
import { readTlsFiles } from '../../../src/http/tls-files.ts';
import { createLog } from '../../../src/log/log.ts';
import { openService, type Service } from '../../../src/service/open-service.ts';
import { type Config, readConfig } from '../../../src/settings/config.ts';
import type { ManualTime } from '../../unit/messages/manual-time.ts';
import { cleanUpLater } from '../clean-up.ts';
import { newPostgresDatabase, ON_POSTGRES } from '../database/test-database.ts';

/** Friday 20 November 2026, 08:30:00 in Asia/Kolkata: the time of a test's clock unless the test sets another one. */
export const TEST_NOW = Date.UTC(2026, 10, 20, 3, 0, 0);

export interface TestSettings {
  /** Settings by environment name; they override the tests' own: a separate database, demo data, a free port, no log. */
  readonly environment?: Readonly<Record<string, string>>;
  /** By default, the clock stands still, and no wait takes time. */
  readonly time?: Pick<ManualTime, 'now' | 'wait'>;
}

export interface RunningService extends Service {
  readonly config: Config;
  /** `http://127.0.0.1:<port>`. */
  readonly baseUrl: string;
  /** Endpoint URL. */
  readonly endpoint: string;
  readonly port: number;
  /** The service's clock: a test may set it. */
  readonly clock: { now: number };
  /** What the service has logged so far, one JSON line per event. */
  readonly logLines: readonly string[];
  /** Also happens at the end of the test that started it. */
  close(): Promise<void>;
}

/** The whole service behind a real socket on loopback, with demo data in its own database and a clock that stands still. */
export async function startService({ environment = {}, time }: TestSettings = {}): Promise<RunningService> {
  const own = ON_POSTGRES && environment.DATABASE_URL === undefined ? await newPostgresDatabase() : undefined;
  const DATABASE_URL = own?.url ?? 'sqlite::memory:';
  const config = readConfig({ DATABASE_URL, DEMO_DATA: 'true', PORT: '0', LOG_LEVEL: 'debug', ...environment });
  const clock = time ?? { now: TEST_NOW };
  const now = () => clock.now;
  const logLines: string[] = [];
  const log = createLog(config.logLevel, { write: (line: string) => void logLines.push(line) });
  let ids = 0;
  const service = await openService({
    config,
    log,
    clock: now,
    machine: {
      clock: now,
      stopwatch: () => clock.now,
      pause: time?.wait ?? (async () => {}),
      random: () => 1 / 2,
      newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
      environment: {},
      processKey: Buffer.alloc(32, 7),
    },
  });
  const tls = config.access.tls === undefined ? undefined : readTlsFiles(config.access.tls, clock.now);
  const { app, refuse } = service;
  const server: HttpServer = await listen(
    app,
    { host: config.host, port: config.port },
    connectionLimits(config),
    tls,
    refuse,
  );
  const baseUrl = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${server.port}`;
  return {
    ...service,
    config,
    baseUrl,
    endpoint: baseUrl + service.contract.path,
    port: server.port,
    clock,
    logLines,
    close: cleanUpLater(async () => {
      await server.close();
      await service.store.close();
      await own?.remove();
    }),
  };
}
