// npm run bench -- idle [--idle 1000] [--rounds 5] [--seconds 4]
// The cost of idle connections to busy ones: p99 of 32 busy connections without and with many idle ones, alternating.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEPLOYED_NODE_OPTIONS } from '../../test/support/process/deployed-node-options.ts';
import { readArguments } from '../read-arguments.ts';

const { values: options } = readArguments('npm run bench -- idle', {
  options: {
    idle: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
  },
});

const PORT = 18680;
const PATH = '/TPWebServices.asmx/GetDoctor?centerid=1';
const work = mkdtempSync(join(tmpdir(), 'tpwebservices-bench-'));

/** The 99th percentile of wrk's latencies, in milliseconds. */
async function p99(): Promise<number> {
  const wrk = spawn('wrk', ['-t1', '-c32', `-d${options.seconds}s`, '--latency', `http://127.0.0.1:${PORT}${PATH}`]);
  let output = '';
  wrk.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await once(wrk, 'close');
  if (/Non-2xx|Socket errors/.test(output)) throw new Error(output);
  const [, value = '', unit = ''] = /99%\s+([\d.]+)(us|ms|s)/.exec(output) ?? [];
  return Number(value) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN);
}

/** A connection that has received one answer and is kept open. */
async function idleConnection(): Promise<Socket> {
  const socket = connect(PORT, '127.0.0.1');
  socket.write(`GET ${PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  await once(socket, 'data');
  socket.resume();
  return socket;
}

const service = spawn(process.execPath, [...DEPLOYED_NODE_OPTIONS, join(import.meta.dirname, '../../src/start.js')], {
  env: {
    PATH: process.env.PATH ?? '',
    PORT: String(PORT),
    DEMO_DATA: 'true',
    DATABASE_URL: `sqlite:${join(work, 'bench.db')}`,
    SMS_GATEWAY: 'off',
    MAX_CONNECTIONS: '1000000',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  service.stdout.setEncoding('utf8');
  for (;;) {
    const [text] = (await once(service.stdout, 'data')) as [string];
    if (text.includes('"msg":"ready"')) break;
  }
  service.stdout.resume();
  await p99();
  const ratios: number[] = [];
  for (let round = 1; round <= Number(options.rounds); round++) {
    const alone = await p99();
    const idle: Socket[] = [];
    for (let n = 0; n < Number(options.idle); n++) idle.push(await idleConnection());
    const beside = await p99();
    for (const socket of idle) socket.destroy();
    ratios.push(beside / alone);
    console.log(`round ${round}: p99 ${alone.toFixed(2)} ms alone, ${beside.toFixed(2)} ms beside ${idle.length} idle`);
  }
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 0;
  console.log(`median ratio ${median.toFixed(2)}`);
} finally {
  service.kill('SIGTERM');
  await once(service, 'close');
  rmSync(work, { recursive: true, force: true });
}
