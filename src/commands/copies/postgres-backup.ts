import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { platform } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import type pg from 'pg';
import { postgresDifferences } from '../../doctor/compare-schema.ts';
import type { PostgresLocation } from '../../store/database-location.ts';
import { DISK_FULL } from '../../store/postgres/postgres-errors.ts';
import { startPool } from '../../store/postgres/postgres-pool.ts';
import { connectTo, serverDescription, serverOf, takenSteps } from '../../store/postgres/server.ts';
import { schemaState } from '../../store/schema-state.ts';
import { SetUpError } from '../../vocabulary/errors.ts';
import type { CommandHost } from '../command-host.ts';
import type { BackupReport } from './sqlite-backup.ts';

/** Who makes a backup: its environment has the PATH. */
export type BackupHost = Pick<CommandHost, 'environment' | 'beforeEnd' | 'progress'>;

/** The schema's tables, as pg_dump names them. Those of an extension come from the extension, which a dump only names. */
const TABLES = `
  SELECT relname AS "name", format('%I.%I', nspname, relname) AS "dumpedAs"
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relkind = 'r' AND relname NOT LIKE 'kysely%'
      AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = to_regclass('${DEFAULT_MIGRATION_TABLE}'))
      AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
    ORDER BY relname`;

interface Table {
  readonly name: string;
  readonly dumpedAs: string;
}

/**
 * Fills the file `part` with a dump, by the server's own version of pg_dump, and reads it again with pg_restore: every table must have as
 * many rows as the database had at the dump's moment. Throws SetUpError.
 */
export async function dumpPostgres(location: PostgresLocation, part: string, host: BackupHost): Promise<BackupReport> {
  const pool = startPool(location);
  try {
    const client = await connectTo(pool, location);
    try {
      const server = await serverOf(client);
      const major = Math.floor(server.versionNumber / 10_000);
      const own = { ...host, environment: childEnvironment(client, location, host) };
      const programs = [await programOf('pg_dump', major, own), await programOf('pg_restore', major, own)] as const;
      const taken = await takenSteps(client);
      const schema = schemaState(taken);
      if (schema === 'none') throw new SetUpError(`${serverDescription(server)} is not a database of the service.`);
      const differences = (schema === 'newer' ? [] : await postgresDifferences(client, taken)) ?? [];
      return { schema, differences, rows: await dumpRows(client, programs, part, own) };
    } finally {
      // Ends its transaction, which only lends its snapshot.
      client.release(true);
    }
  } finally {
    await pool.end();
  }
}

async function dumpRows(
  client: pg.PoolClient,
  [pgDump, pgRestore]: readonly [dump: string, restore: string],
  part: string,
  host: BackupHost,
): Promise<ReadonlyMap<string, number>> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const { rows: tables } = await client.query<Table>(TABLES);
  const counts = tables.map(({ dumpedAs }, index) => `SELECT ${index}, count(*) FROM ${dumpedAs}`).join(' UNION ALL ');
  const { rows: counted } = await client.query<[number, number]>({ text: `${counts} ORDER BY 1`, rowMode: 'array' });
  const {
    rows: [shared],
  } = await client.query<{ snapshot: string }>('SELECT pg_export_snapshot() AS snapshot');
  const choices = ['--format=custom', '--no-blobs', '--no-owner', '--no-privileges', '--no-password'];
  host.progress('Copying the database');
  await run(pgDump, [...choices, `--snapshot=${shared?.snapshot}`, `--file=${part}`], host, text);
  host.progress('Checking the copy');
  const dumped = await run(pgRestore, ['--data-only', '--file=-', part], host, rowsIn);
  return new Map(
    tables.map(({ name, dumpedAs }, index) => {
      const [expected, found] = [counted[index]?.[1] ?? 0, dumped.get(dumpedAs)];
      if (found === expected) return [name, found];
      throw new SetUpError(
        `The backup is not complete: it has ${found ?? 'no'} rows of table ${name}, expected ${expected}. Nothing was kept.`,
      );
    }),
  );
}

/** Counts the rows of each table in the script that pg_restore writes. A row is one line there, whatever its texts contain. */
async function rowsIn(script: Readable): Promise<ReadonlyMap<string, number>> {
  const rows = new Map<string, number>();
  let table: string | undefined;
  let rest = '';
  for await (const piece of script.setEncoding('latin1')) {
    const lines = `${rest}${piece}`.split('\n');
    rest = lines.pop() as string;
    for (const line of lines) {
      if (table === undefined) {
        table = /^COPY ([^(]+) \(.*\) FROM stdin;$/.exec(line)?.[1];
        if (table !== undefined) rows.set(table, 0);
      } else if (line === '\\.') table = undefined;
      else rows.set(table, (rows.get(table) as number) + 1);
    }
  }
  return rows;
}

/** Where the programs find the database that `client` uses. Others on this machine can see their arguments, but not this. */
function childEnvironment(
  client: pg.PoolClient,
  { url }: PostgresLocation,
  { environment }: BackupHost,
): NodeJS.ProcessEnv {
  // libpq's variables are named after its parameters.
  const parameters = [...new URLSearchParams(url.split('?')[1])].map(([name, value]) => [
    `PG${name.toUpperCase()}`,
    value,
  ]);
  return {
    ...environment,
    // Windows knows it in any case of letters, a copy does not.
    PATH: environment.PATH,
    ...Object.fromEntries(parameters),
    // These two would lead them to another server.
    PGSERVICE: undefined,
    PGHOSTADDR: undefined,
    PGHOST: client.host,
    PGPORT: String(client.port),
    PGUSER: client.user,
    PGDATABASE: client.database,
    ...(client.password ? { PGPASSWORD: client.password } : {}),
    // A full disk is known by its words.
    LC_ALL: 'C',
  };
}

/**
 * The file of a program of PostgreSQL's major version: an older one refuses the server, and what a later one writes can be restored only by
 * itself. Debian's packages of several versions stand beside each other.
 */
export async function programOf(name: string, major: number, { environment }: BackupHost): Promise<string> {
  const folders = [...(environment.PATH?.split(delimiter) ?? []), `/usr/lib/postgresql/${major}/bin`];
  const others: string[] = [];
  for (const folder of folders) {
    const file = join(folder, platform() === 'win32' ? `${name}.exe` : name);
    if (!existsSync(file)) continue;
    // Debian's pg_dump fails where only postgresql-client-common is left.
    const says = await promisify(execFile)(file, ['--version'], { env: environment }).then(
      ({ stdout }) => `is of version ${/\d+/.exec(stdout)?.[0]}`,
      ({ message }: Error) => `cannot be run (${message.trim().replaceAll('\n', ' ')})`,
    );
    if (says === `is of version ${major}`) return file;
    others.push(`${file} ${says}`);
  }
  const found = others.length === 0 ? `there is no ${name} on the PATH` : others.join(', ');
  throw new SetUpError(
    `The server is PostgreSQL ${major}, and ${found}; expected the ${name} of version ${major} (Debian: postgresql-client-${major}).`,
  );
}

/** Runs a program to its end, and returns what `read` makes of its output. Throws SetUpError with its words if it fails. */
async function run<Result>(
  program: string,
  parameters: readonly string[],
  { environment, beforeEnd }: BackupHost,
  read: (output: Readable) => Promise<Result>,
): Promise<Result> {
  const child = spawn(program, parameters, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = beforeEnd(() => child.kill());
  try {
    const [result, errors, [code, signal]] = await Promise.all([
      read(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    if (code === 0) return result;
    if (DISK_FULL.test(errors)) throw Object.assign(new Error(errors), { code: 'ENOSPC' });
    throw new SetUpError(`${basename(program)} failed with ${signal ?? code}: ${errors.trim()}`);
  } finally {
    ended();
  }
}
