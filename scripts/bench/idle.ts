// npm run bench -- idle [--idle 1000] [--rounds 5] [--seconds 4]
// The cost of idle connections to busy ones: p99 of 32 busy connections without and with many idle ones, alternating.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { readArguments } from '../read-arguments.ts';
import { runWrk } from './run-wrk.ts';
import { benchFolder, SERVICE, serviceSettings, startServer } from './server-process.ts';

const { values: options } = readArguments('npm run bench -- idle', {
  options: {
    idle: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
  },
});

const PORT = 18680;
const PATH = '/TPWebServices.asmx/GetDoctor?centerid=1';
const folder = benchFolder();
const file = join(folder, 'request.txt');
writeFileSync(file, `GET ${PATH}\n\n`);

async function p99(): Promise<number> {
  const load = { port: PORT, connections: 32, seconds: Number(options.seconds), file, bookings: 0 };
  const { p99, errors } = await runWrk(load);
  if (errors > 0) throw new Error(`${errors} calls failed`);
  return p99;
}

/** A connection that has received one answer and is kept open. */
async function idleConnection(): Promise<Socket> {
  const socket = connect(PORT, '127.0.0.1');
  socket.write(`GET ${PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  await once(socket, 'data');
  socket.resume();
  return socket;
}

// A proxy's connections are not limited.
const settings = { ...serviceSettings(PORT, join(folder, 'bench.db')), TRUSTED_PROXIES: '127.0.0.1' };
const service = await startServer(SERVICE, settings);
try {
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
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? Number.NaN;
  console.log(`median ratio ${median.toFixed(2)}`);
} finally {
  await service.stop();
}
