import { mkdirSync, readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../../src/settings/config.ts';
import { startNginx } from '../../clients/packaging/start-nginx.ts';
import { root } from '../../house/source-files.ts';
import { freePort } from '../../support/process/free-port.ts';
import { BookingLoad } from './booking-load.ts';
import type { PlannedBooking } from './booking-plan.ts';
import type { Figure } from './figures.ts';
import { recoveryFigure } from './recovery-figure.ts';
import { ServiceUnderTest } from './service-under-test.ts';

const ROUNDS = 3;
/** Bookings between two restarts, and while a replica is down. */
const ENOUGH = 100;
const LIMIT = 20_000;

export interface RollingRestart {
  readonly folder: string;
  readonly url: string;
  /** Which of the supplied deployments runs the replicas; behind nginx, unless they share a port. */
  readonly deployment: 'systemd' | 'compose' | 'shared port';
  readonly bookings: Iterator<PlannedBooking>;
  readonly clients: number;
}

/**
 * Two replicas on one database, restarted one after the other under load as docs/operators/installing.md says, "Upgrading without an interruption":
 * every call is answered with its result.
 */
export async function rollingRestart(trial: RollingRestart): Promise<Figure> {
  const { url, deployment, bookings, clients } = trial;
  const folder = join(trial.folder, `rolling-${deployment}`);
  mkdirSync(folder);
  const port = await freePort();
  const isShared = deployment === 'shared port';
  const settings: Settings = {
    DATABASE_URL: url,
    PUBLIC_URL: `${deployment === 'systemd' ? 'https' : 'http'}://localhost:${port}`,
    TRUSTED_PROXIES: '127.0.0.1/32',
    SMS_GATEWAY: 'off',
    RATE_LIMIT: '0',
    ...(isShared ? { SHARED_PORT: 'true', PORT: String(port), STOP_GRACE_SECONDS: '1' } : {}),
  };
  const replicas: Replica[] = [];
  for (let n = 0; n < 2; n++) {
    const own = await shortFreePort(replicas.at(-1)?.service.port);
    replicas.push((deployment === 'compose' ? byCompose : byUnit)(folder, own, settings));
  }
  const ports = replicas.map(({ service }) => service.port);
  const nginx = isShared ? undefined : await startNginx(folder, port, ports, { deployment });
  let agents = 0;
  // Without a proxy, every second client opens a connection for each call, which the kernel gives to either process.
  const newAgent = () =>
    deployment === 'systemd'
      ? new TlsAgent({ keepAlive: true, maxSockets: 1, ca: nginx?.certificate })
      : new Agent({ keepAlive: !isShared || agents++ % 2 === 0, maxSockets: 1 });
  let load: BookingLoad | undefined;
  try {
    for (const { service } of replicas) await service.start();
    load = new BookingLoad(port, clients, bookings, newAgent);
    await load.acknowledged(ENOUGH);
    for (let round = 0; round < ROUNDS; round++) {
      for (const { service, operationsPort } of replicas) {
        await service.stop();
        await load.acknowledged(load.counts.acknowledged.length + ENOUGH);
        await service.start();
        await untilReady(operationsPort);
        // In compose.yaml, nginx leaves out a replica that failed for fail_timeout, which it counts in whole seconds and exceeds, and then
        // until a single request to it was answered.
        if (deployment === 'compose') await new Promise((resume) => setTimeout(resume, 5000));
      }
    }
    await load.acknowledged(load.counts.acknowledged.length + ENOUGH);
  } finally {
    await load?.stop();
    await nginx?.stop();
    for (const { service } of replicas) await service.kill();
  }
  const { unavailable } = load.counts;
  const what = `two replicas, restarted one after the other under load (${deployment})`;
  const measured = { restarts: 2 * ROUNDS };
  const figure = await recoveryFigure(
    { database: readConfig({ DATABASE_URL: url }).database },
    // Without a proxy that repeats a call, a new connection may meet the moment in which a process stops listening.
    { what, load, expect503: false, mostUnanswered: isShared ? clients : 0, measured },
  );
  return { ...figure, ok: figure.ok && unavailable === 0 };
}

interface Replica {
  readonly service: ServiceUnderTest;
  readonly operationsPort: number;
}

type Settings = Readonly<Record<string, string>>;

/** What systemd starts for `tpwebservices@PORT`, without its sandbox. */
function byUnit(folder: string, port: number, settings: Settings): Replica {
  const unit = readFileSync(new URL('deploy/systemd/tpwebservices@.service', root), 'utf8')
    .replaceAll('%i', String(port))
    .replaceAll('%C', folder)
    .replaceAll('/opt/tpwebservices/', fileURLToPath(root));
  const [, program = ''] = /^ExecStart=\/usr\/bin\/node (.*)$/m.exec(unit) ?? [];
  const own = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, text = '']) => text.split(' '));
  const environment: Settings = Object.fromEntries(own.map((entry) => entry.split('=')));
  // A file with settings takes precedence over the unit.
  const service = new ServiceUnderTest(folder, port, { ...environment, ...settings }, program.split(' '));
  return { service, operationsPort: Number(environment.OPERATIONS_PORT) };
}

function byCompose(folder: string, port: number, settings: Settings): Replica {
  const operationsPort = Number(`1${port}`);
  const service = new ServiceUnderTest(folder, port, { ...settings, OPERATIONS_PORT: String(operationsPort) });
  return { service, operationsPort };
}

/** With a 1 in front, it must be a port, too. */
async function shortFreePort(after = 8080): Promise<number> {
  for (let port = after + 1; port < 10_000; port++) {
    if ((await isFree(port)) && (await isFree(Number(`1${port}`)))) return port;
  }
  throw new Error('no port of four digits is free');
}

const isFree = (port: number): Promise<boolean> =>
  freePort(port).then(
    () => true,
    () => false,
  );

/** As `curl --retry` does in docs/operators/installing.md. */
async function untilReady(port: number): Promise<void> {
  for (const late = AbortSignal.timeout(LIMIT); !late.aborted; ) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resume) => setTimeout(resume, 200));
  }
  throw new Error(`the replica with operations port ${port} does not become ready`);
}
