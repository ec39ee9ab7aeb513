import { env } from 'node:process';
import { expect } from 'chai';
import { type MeasuredService, startMeasuredService } from '../../support/process/measured-service.ts';
import { exchange, resultCodeOf } from './answers.ts';
import { type GoodClient, startGoodClient } from './good-client.ts';
import { bodyOf, formRequest } from './requests.ts';

const SAMPLING = 20;

interface Row {
  readonly name: string;
  readonly seconds: number;
  /** Milliseconds of the service's event loop in total: the most that an attack costs, however busy the machine is. */
  readonly busy: number;
  readonly slowest: number;
  readonly p99: number;
  readonly calls: number;
  /** Bytes, at the maximum. */
  readonly growth: number;
  readonly memory: number;
  /** What else the attack measured. */
  readonly note: string;
}

export interface AttackedService {
  readonly process: MeasuredService;
  readonly port: number;
  /**
   * Runs an attack while a good client keeps calling, then fails if the process is gone, if the good client got anything but answers,
   * or if a good request is not answered as usual. Times and memory are recorded, not judged, with the text that the attack returns.
   */
  attack(name: string, run: () => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
}

export interface AttackedServiceSettings {
  /** The program to start instead of the service's own main file. */
  readonly main?: URL;
  readonly environment?: Readonly<Record<string, string>>;
}

export async function startAttackedService({
  main,
  environment = {},
}: AttackedServiceSettings = {}): Promise<AttackedService> {
  const process = await startMeasuredService({ LOG_LEVEL: 'info', ...environment }, main);
  const client: GoodClient = startGoodClient(process.port);
  const rows: Row[] = [];
  const good = formRequest('POST', 'GetDoctor', bodyOf('GetDoctor'));
  const expected = (await exchange(process.port, good)).answer.body.toString();
  // A first round of calls, so that a function's first compilation is not attributed to an attack.
  for (let i = 0; i < 50; i++) await exchange(process.port, good);

  return {
    process,
    port: process.port,
    attack: async (name, run) => {
      const before = process.residentMemory();
      let peak = before;
      const sampling = setInterval(() => {
        peak = Math.max(peak, process.residentMemory());
      }, SAMPLING);
      client.begin();
      const began = performance.now();
      const ranBefore = process.mainThreadTime();
      let note: unknown;
      try {
        note = await run();
      } finally {
        clearInterval(sampling);
      }
      const seconds = (performance.now() - began) / 1000;
      const { p99, slowest, calls, failures } = await client.report();
      const busy = process.mainThreadTime() - ranBefore;
      const memory = process.residentMemory();
      rows.push({
        name,
        seconds,
        busy,
        p99,
        slowest,
        calls,
        growth: Math.max(peak, memory) - before,
        memory,
        note: typeof note === 'string' ? note : '',
      });
      expect(process.isAlive(), 'the process lives').to.equal(true);
      expect(failures, 'what the good client got').to.deep.equal([]);
      const { answer } = await exchange(process.port, good);
      expect(resultCodeOf(answer)).to.equal(0);
      expect(answer.body.toString(), 'a good request after the attack').to.equal(expected);
    },
    stop: async () => {
      await client.stop();
      const exitCode = await process.stop();
      if (env.TEST_FIGURES !== undefined) print(rows);
      expect(exitCode).to.equal(0);
      expect(process.errors()).to.equal('');
    },
  };
}

function print(rows: readonly Row[]): void {
  const lines = rows.map(({ name, seconds, busy, slowest, p99, calls, growth, memory, note }) =>
    [
      `  ${name.padEnd(74)}`,
      `${seconds.toFixed(2).padStart(6)} s`,
      `loop ${busy.toFixed(0).padStart(5)} ms`,
      `stall ${slowest.toFixed(1).padStart(6)} ms`,
      `p99 ${p99.toFixed(1).padStart(6)} ms of ${String(calls).padStart(4)}`,
      `growth ${(growth / 1e6).toFixed(1).padStart(6)} MB`,
      `memory ${(memory / 1e6).toFixed(0).padStart(4)} MB`,
      note,
    ].join('  '),
  );
  process.stdout.write(`\n${lines.join('\n')}\n`);
}
