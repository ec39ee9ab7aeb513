// npm run test:interop [-- name ...]: clients of other makes generate their proxies from the running service's WSDL and call all
// operations over every transport that they have. On Debian 12 as root it installs what they need. With names, only those clients
// whose name contains one.
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Transport } from '../../src/contract/contract.ts';
import { readContract } from '../../src/contract/read-wsdl.ts';
import { startReady } from '../service/service-process.ts';
import { temporaryFolder } from '../service/temporary-folder.ts';
import type { ForeignClient } from './foreign-client.ts';
import { FOREIGN_CLIENTS } from './foreign-clients.ts';
import { installPackages } from './install-packages.ts';
import { readOutcomes } from './outcome.ts';
import { failuresOf, notHadList, outcomeTable, type Row } from './outcome-table.ts';
import { runCommand } from './run-command.ts';

const TRANSPORTS = ['soap11', 'soap12', 'httpGet', 'httpPost'] as const satisfies readonly Transport[];
const PREPARE_LIMIT = 180_000;
const RUN_LIMIT = 60_000;
/** As many as a small machine runs without one waiting for the other. */
const AT_ONCE = 2;
/** Characters of what a failed command printed. */
const MOST_SHOWN = 2000;
const DAY_MS = 86_400_000;
/** Markup, quotes, and characters of two, three and four bytes. */
const TEXT = `a<b>&amp;"' é ₹ नमस्ते 😀`;

const OLD_WSDL = fileURLToPath(new URL('../fixtures/old-service.wsdl', import.meta.url));
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const operations = readContract(
  readFileSync(new URL('../../wsdl/TPWebServices.wsdl', import.meta.url), 'utf8'),
).operations;
const operationNames = operations.map(({ name }) => name);
const wanted = process.argv.slice(2);
const clients = FOREIGN_CLIENTS.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));

const tail = (text: string): string => text.trim().slice(-MOST_SHOWN);

let days = 0;
/** Every client and transport books on a day of its own. */
const newDay = (): string => new Date(Date.now() + (20 + days++) * DAY_MS).toISOString().slice(0, 10);

/** Prepares a client and runs it over each of its transports. */
async function runClient(client: ForeignClient, endpoint: string, folder: string): Promise<Row[]> {
  const began = Date.now();
  await mkdir(folder);
  const environment = {
    HERE: fileURLToPath(new URL(client.folder, import.meta.url)),
    ENDPOINT: endpoint,
    WSDL: `${endpoint}?wsdl`,
    OLD_WSDL,
    NODE: process.execPath,
    TZ: client.zone,
    // Java and others read the environment in the locale's encoding.
    LC_ALL: 'C.UTF-8',
  };
  const prepared = await runCommand(client.prepare ?? '', folder, environment, PREPARE_LIMIT);
  const rows: Row[] = [];
  for (const transport of TRANSPORTS) {
    const row = { client: client.name, transport };
    if (!client.transports.includes(transport)) {
      rows.push({ ...row, outcomes: [], notHad: client.others ?? 'the stack has none' });
      continue;
    }
    if (prepared.code !== 0) {
      rows.push({ ...row, outcomes: [], broken: tail(`${prepared.output}${prepared.errors}`) });
      continue;
    }
    const { code, output, errors } = await runCommand(
      client.run,
      folder,
      { ...environment, TRANSPORT: transport, DAY: newDay(), RUN: `${client.folder}-${transport}-${days}`, TEXT },
      RUN_LIMIT,
    );
    rows.push({ ...row, outcomes: readOutcomes(output), broken: code === 0 ? undefined : tail(errors) });
  }
  say(`${client.name}: ${((Date.now() - began) / 1000).toFixed(1)} s`);
  return rows;
}

const temporary = temporaryFolder();
let rows: Row[] = [];
try {
  const unavailable = await installPackages(clients.flatMap(({ packages }) => packages));
  const service = await startReady(temporary.path, {
    DATABASE_URL: `sqlite:${join(temporary.path, 'interop.db')}`,
  });
  try {
    const waiting = clients.map((client, index) => ({ client, index }));
    const results: Row[][] = [];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { client, index } = next;
        const lacking = client.packages.filter((name) => unavailable.has(name));
        results[index] =
          lacking.length === 0
            ? await runClient(client, service.endpoint, join(temporary.path, String(index)))
            : TRANSPORTS.map((transport) => ({
                client: client.name,
                transport,
                outcomes: [],
                notHad: `skipped, no package ${lacking.map((name) => `${name} (${unavailable.get(name)})`).join(', ')}`,
              }));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    rows = results.flat();
  } finally {
    await service.stop();
  }
} finally {
  temporary.remove();
}

say(`\n${outcomeTable(rows, operationNames)}`);
const notHad = notHadList(rows);
if (notHad.length > 0) say(`\nNot had:\n${notHad.join('\n')}`);
const failures = rows.flatMap((row) => failuresOf(row, operationNames));
if (failures.length > 0) say(`\nFailed:\n${failures.join('\n')}`);
const passed = rows.flatMap(({ outcomes }) => outcomes).filter(({ ok }) => ok).length;
say(`\n${passed} checks ok, ${failures.length} failed, ${notHad.length} not had.`);
process.exitCode = failures.length === 0 && passed > 0 ? 0 : 1;
