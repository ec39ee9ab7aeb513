// npm run bench -- import [--rows 1000000] [--database postgres://…/empty]
// How long an import of existing appointments takes, also when it is repeated, and the export of what it imported. Uses SQLite in a temporary
// folder unless an empty database is named.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandHost } from '../../src/commands/command-host.ts';
import { exportCommand } from '../../src/commands/export-command.ts';
import { importCommand } from '../../src/commands/import-command.ts';
import { readArguments } from '../read-arguments.ts';
import { writeHospital } from './write-hospital.ts';

const { values: options } = readArguments('npm run bench -- import', {
  options: { rows: { type: 'string', default: '1000000' }, database: { type: 'string' } },
});
const folder = mkdtempSync(join(tmpdir(), 'tpwebservices-import-'));
const host: CommandHost = {
  environment: { DATABASE_URL: options.database ?? `sqlite:${join(folder, 'hospital.db')}` },
  folder,
  clock: Date.now,
  output: process.stdout,
  errors: process.stderr,
  beforeEnd: () => () => {},
};

async function timed(what: string, work: () => Promise<number>): Promise<void> {
  const began = performance.now();
  const before = process.cpuUsage();
  if ((await work()) !== 0) throw new Error(`${what} failed`);
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(before);
  const cpu = (user + system) / 1e6;
  const memory = process.resourceUsage().maxRSS / 1024;
  const rate = Math.round(Number(options.rows) / seconds);
  console.log(
    `${what}: ${seconds.toFixed(1)} s (${cpu.toFixed(1)} s of CPU time in this process), ${rate} appointments a second, at most ${memory.toFixed(0)} MiB so far`,
  );
}

try {
  const size = { centers: 20, doctors: 1000, appointments: Number(options.rows) };
  const { files } = await writeHospital(folder, size, '2026-12-01');
  console.log(`appointments.csv: ${(statSync(join(folder, 'appointments.csv')).size / 2 ** 20).toFixed(0)} MiB`);
  await timed('import', () => importCommand(files, host));
  await timed('the same import again', () => importCommand(files, host));
  await timed('export', () => exportCommand([], host));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
