import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import { runByNode, type ServiceProcess, startProcess } from './service-process.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from './until.ts';

/** The service in a separate process, with demo data in a new database of its own, and what it costs. */
export interface MeasuredService extends ServiceProcess {
  readonly port: number;
  readonly databaseFile: string;
  /** Resident memory in bytes; 0 if /proc is not available. */
  residentMemory(): number;
  /** Milliseconds that the main thread, which runs the event loop, has run so far; 0 if /proc is not available. */
  mainThreadTime(): number;
  /** Ends it by SIGTERM and removes its database; returns the exit code. */
  stop(): Promise<number | null>;
}

/** Starts `main` (by default the service's own) on a free loopback port and waits until it is ready. */
export async function startMeasuredService(
  environment: Readonly<Record<string, string>> = {},
  main?: URL,
): Promise<MeasuredService> {
  const folder = temporaryFolder();
  const databaseFile = join(folder.path, 'service.db');
  const port = await freePort();
  const settings = { PORT: String(port), DATABASE_URL: `sqlite:${databaseFile}`, DEMO_DATA: 'true', ...environment };
  const service = startProcess(folder.path, settings, main && runByNode(fileURLToPath(main)));
  // Not the log line that says so, because the log may be silent.
  await until(async () => {
    if (!service.isAlive()) throw new Error(`the service ended:\n${service.output()}${service.errors()}`);
    const socket = connect(port, '127.0.0.1');
    return once(socket, 'connect').then(
      () => Boolean(socket.destroy()),
      () => false,
    );
  });
  return {
    ...service,
    port,
    databaseFile,
    residentMemory: () => residentMemoryOf(service.processId),
    mainThreadTime: () => mainThreadTimeOf(service.processId),
    stop: async () => {
      const code = await service.stop();
      folder.remove();
      return code;
    },
  };
}

function residentMemoryOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function mainThreadTimeOf(pid: number): number {
  try {
    // Nanoseconds on a processor, then nanoseconds of waiting for one.
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}
