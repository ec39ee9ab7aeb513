// npm run ci -- interop [-- name ...]: clients on other platforms generate their proxies from the running service's WSDL and call the
// operations of the old WSDL, one of them all that there are, over every transport that they have; then some of them log in to a service
// that requires it. On Debian 12 as root it
// installs what they need, except for the .NET SDK, which Debian does not have. With names, it runs only clients whose name contains one.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Transport } from '../../../src/contract/contract.ts';
import { startReady } from '../../support/process/service-process.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { OLD_WSDL, oldOperations } from '../../wire/contract/old-wsdl.ts';
import { ownContract } from '../../wire/contract/own-wsdl.ts';
import { ACCESS_CLIENTS } from './access-clients.ts';
import { startAccessService } from './access-service.ts';
import type { ForeignClient } from './foreign-client.ts';
import { FOREIGN_CLIENTS } from './foreign-clients.ts';
import { installPackages } from './install-packages.ts';
import { readOutcomes } from './outcome.ts';
import { failuresOf, notHadList, outcomeTable, type Row } from './outcome-table.ts';
import { runCommand } from './run-command.ts';

const TRANSPORTS = ['soap11', 'soap12', 'httpGet', 'httpPost'] as const satisfies readonly Transport[];
const PREPARE_LIMIT = 180_000;
/** A caller with a wrong password is delayed, and all these callers have the same address. */
const RUN_LIMIT = 120_000;
/** As many as a small machine runs without slowing each other down. */
const AT_ONCE = 2;
/** The number of characters to show of what a failed command printed. */
const MOST_SHOWN = 2000;
const DAY_MS = 86_400_000;
/** Markup, quotes, and characters of two, three and four bytes. */
const TEXT = `a<b>&amp;"' é ₹ नमस्ते 😀`;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const namesOf = (operations: readonly { readonly name: string }[]) => operations.map(({ name }) => name);
const EXAMPLES = JSON.stringify(
  Object.fromEntries(
    ownContract.operations.map(({ name, parameters }) => [
      name,
      Object.fromEntries(
        parameters.map((each) => [each.name, each.type === 'int' ? Number(each.example) : each.example]),
      ),
    ]),
  ),
);
const wanted = process.argv.slice(2);
const isWanted = ({ name }: ForeignClient): boolean =>
  wanted.length === 0 || wanted.some((part) => name.includes(part));
const clients = FOREIGN_CLIENTS.filter(isWanted);
const accessClients = ACCESS_CLIENTS.filter(isWanted);
/** What every client that logs in calls. */
const ACCESS_OPERATIONS = ['GetDoctor'];
const mustCheck = (client: ForeignClient): readonly string[] => {
  if (ACCESS_CLIENTS.includes(client)) return ACCESS_OPERATIONS;
  return namesOf(client.callsAll ? ownContract.operations : oldOperations);
};

const tail = (text: string): string => text.trim().slice(-MOST_SHOWN);

let days = 0;
/** Every client and transport books on its own day. */
const newDay = (): string => new Date(Date.now() + (20 + days++) * DAY_MS).toISOString().slice(0, 10);

interface Circumstances {
  readonly endpoint: string;
  /** A scratch folder that does not exist yet. */
  readonly folder: string;
  /** Additional environment variables. */
  readonly more: Readonly<Record<string, string>>;
}

/** Prepares a client and runs it over each of its transports. */
async function runClient(client: ForeignClient, { endpoint, folder, more }: Circumstances): Promise<Row[]> {
  const began = Date.now();
  const operations = mustCheck(client);
  await mkdir(folder);
  const environment = {
    HERE: fileURLToPath(new URL(client.folder, import.meta.url)),
    ENDPOINT: endpoint,
    WSDL: `${endpoint}?wsdl`,
    OLD_WSDL,
    NODE: process.execPath,
    NAME: client.name,
    ...more,
    TZ: client.zone ?? 'America/New_York',
    // Java and others read the environment in the locale's encoding.
    LC_ALL: 'C.UTF-8',
  };
  const needs = await runCommand(client.needs ?? '', folder, environment, PREPARE_LIMIT);
  if (needs.code !== 0) {
    const notHad = needs.errors.trim().split('\n').at(-1) ?? '';
    return TRANSPORTS.map((transport) => ({ client: client.name, transport, operations, outcomes: [], notHad }));
  }
  const prepared = await runCommand(client.prepare ?? '', folder, environment, PREPARE_LIMIT);
  const rows: Row[] = [];
  for (const transport of TRANSPORTS) {
    const row = { client: client.name, transport, operations };
    if (client.transports !== undefined && !client.transports.includes(transport)) {
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
      {
        ...environment,
        TRANSPORT: transport,
        DAY: newDay(),
        RUN: `${client.folder}-${transport}-${days}`,
        TEXT,
        EXAMPLES,
      },
      RUN_LIMIT,
    );
    rows.push({ ...row, outcomes: readOutcomes(output), broken: code === 0 ? undefined : tail(errors) });
  }
  say(`${client.name}: ${((Date.now() - began) / 1000).toFixed(1)} s`);
  return rows;
}

interface OpenService {
  readonly endpoint: string;
  stop(): Promise<unknown>;
}

/** Runs clients, several at once; those that lack a package are reported as not available. */
async function runClients(
  clients: readonly ForeignClient[],
  unavailable: ReadonlyMap<string, string>,
  circumstances: Omit<Circumstances, 'endpoint'>,
  open: (index: number) => Promise<OpenService>,
): Promise<Row[]> {
  const waiting = clients.map((client, index) => ({ client, index }));
  const results: Row[][] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { client, index } = next;
      const lacking = client.packages.filter((name) => unavailable.has(name));
      const folder = `${circumstances.folder}${index}`;
      if (lacking.length === 0) {
        const { endpoint, stop } = await open(index);
        results[index] = await runClient(client, { ...circumstances, endpoint, folder }).finally(stop);
      } else {
        results[index] = TRANSPORTS.map((transport) => ({
          client: client.name,
          transport,
          operations: mustCheck(client),
          outcomes: [],
          notHad: `skipped, no package ${lacking.map((name) => `${name} (${unavailable.get(name)})`).join(', ')}`,
        }));
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results.flat();
}

const temporary = temporaryFolder();
let rows: Row[] = [];
let accessRows: Row[] = [];
try {
  const packages = [...clients, ...accessClients].flatMap((client) => client.packages);
  const unavailable = await installPackages([...packages, ...(accessClients.length > 0 ? ['openssl'] : [])]);
  if (clients.length > 0) {
    // Each client has a service of its own, because all of them send their messages to the same number.
    const open = async (index: number) => {
      const DATABASE_URL = `sqlite:${join(temporary.path, `interop-${index}.db`)}`;
      const service = await startReady(temporary.path, { DATABASE_URL, ...clients[index]?.settings });
      return { endpoint: service.endpoint, stop: () => service.stop() };
    };
    rows = await runClients(clients, unavailable, { folder: join(temporary.path, 'open-'), more: {} }, open);
  }
  if (accessClients.length > 0) {
    const { service, environment } = await startAccessService(temporary.path);
    try {
      const { endpoint } = service;
      const folder = join(temporary.path, 'known-');
      const open = async () => ({ endpoint, stop: async () => {} });
      accessRows = await runClients(accessClients, unavailable, { folder, more: environment }, open);
    } finally {
      await service.stop();
    }
  }
} finally {
  temporary.remove();
}

if (rows.length > 0) say(`\n${outcomeTable(rows)}`);
if (accessRows.length > 0) say(`\nLog-ins:\n${outcomeTable(accessRows)}`);
const allRows = [...rows, ...accessRows];
const notHad = notHadList(allRows);
if (notHad.length > 0) say(`\nNot had:\n${notHad.join('\n')}`);
const failures = allRows.flatMap(failuresOf);
if (failures.length > 0) say(`\nFailed:\n${failures.join('\n')}`);
const passed = allRows.flatMap(({ outcomes }) => outcomes).filter(({ ok }) => ok).length;
say(`\n${passed} checks ok, ${failures.length} failed, ${notHad.length} not had.`);
process.exitCode = failures.length === 0 && passed > 0 ? 0 : 1;
