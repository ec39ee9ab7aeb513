import { spawn } from 'node:child_process';
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import { SetUpError } from '../../vocabulary/errors.ts';
import type { BackupReport } from '../backup-report.ts';
import type { PostgresLocation } from '../database-location.ts';
import { type BeforeEnd, writeNewFile } from '../part-file.ts';
import { schemaState } from '../schema-state.ts';
import { startPool } from './postgres-pool.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const TOOLS = 'expected the client programs of PostgreSQL (Debian: apt-get install postgresql-client)';

/**
 * Writes a database, which may be in use, to a new file that only its owner can read, in the custom format of pg_dump. Returns what the
 * file contains. Throws SetUpError, in which case there is no file.
 */
export async function backupPostgres(
  location: PostgresLocation,
  target: string,
  environment: Environment,
  beforeEnd: BeforeEnd,
): Promise<BackupReport> {
  return writeNewFile(target, beforeEnd, async (part) => {
    const { connection, secrets } = withoutPassword(location.url);
    const args = ['--format=custom', '--no-owner', `--file=${part}`, `--dbname=${connection}`];
    await run('pg_dump', args, { ...environment, ...secrets }, beforeEnd);
    return verifyPostgres(part, environment, beforeEnd);
  });
}

/** Fills an empty database from a backup, either completely or not at all. Returns what the backup contains. Throws SetUpError. */
export async function restorePostgres(
  backup: string,
  location: PostgresLocation,
  environment: Environment,
  beforeEnd: BeforeEnd,
): Promise<BackupReport> {
  const report = await verifyPostgres(backup, environment, beforeEnd);
  if (report.schema === 'newer') {
    throw new SetUpError(`${backup} is from a newer version of the service; expected that version's command.`);
  }
  await requireEmpty(location);
  const { connection, secrets } = withoutPassword(location.url);
  const flags = ['--exit-on-error', '--single-transaction', '--no-owner', '--no-privileges', `--dbname=${connection}`];
  await run('pg_restore', [...flags, backup], { ...environment, ...secrets }, beforeEnd);
  return report;
}

/** Reads a backup from beginning to end. */
async function verifyPostgres(backup: string, environment: Environment, beforeEnd: BeforeEnd): Promise<BackupReport> {
  const rows = new Map<string, number>();
  const taken: string[] = [];
  let table: string | undefined;
  await run('pg_restore', ['--file=-', backup], environment, beforeEnd, (line) => {
    if (table === undefined) {
      table = /^COPY (?:\w+\.)?"?(\w+)"? \(.*\) FROM stdin;$/.exec(line)?.[1];
      if (table !== undefined) rows.set(table, 0);
    } else if (line === '\\.') {
      table = undefined;
    } else {
      rows.set(table, (rows.get(table) ?? 0) + 1);
      if (table === DEFAULT_MIGRATION_TABLE) taken.push(line.split('\t')[0] ?? '');
    }
  });
  const schema = schemaState(taken);
  if (schema === 'none') throw new SetUpError(`${backup} is not a backup of the service's database.`);
  const own = [...rows].filter(([name]) => !name.startsWith('kysely_')).sort(([a], [b]) => (a < b ? -1 : 1));
  return { schema, rows: new Map(own) };
}

async function requireEmpty(location: PostgresLocation): Promise<void> {
  const pool = startPool(location);
  try {
    const { rows } = await pool.query<{ tables: number }>(
      'SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = current_schema()',
    );
    if (rows[0]?.tables === 0) return;
    throw new SetUpError('The database of DATABASE_URL already contains tables; expected an empty one (createdb).');
  } finally {
    await pool.end();
  }
}

/**
 * Every user on the machine can see a program's arguments, so the password is passed in the environment. A password in the query takes
 * precedence over the one in the user part, as in node-postgres.
 */
export function withoutPassword(text: string): { readonly connection: string; readonly secrets: Environment } {
  const url = new URL(text);
  const password = url.searchParams.get('password') ?? decodeURIComponent(url.password);
  url.password = '';
  for (const name of ['password', 'uselibpqcompat']) url.searchParams.delete(name);
  return { connection: url.href, secrets: password === '' ? {} : { PGPASSWORD: password } };
}

/**
 * Runs one of PostgreSQL's programs, which ends with this process. Throws SetUpError with its error output if it fails, or if it is not
 * installed.
 */
async function run(
  program: string,
  args: readonly string[],
  env: Environment,
  beforeEnd: BeforeEnd,
  onLine: (line: string) => void = () => {},
): Promise<void> {
  const child = spawn(program, args, { env: env as NodeJS.ProcessEnv, stdio: ['ignore', 'pipe', 'pipe'] });
  // A signal may be sent to this process alone.
  const ended = beforeEnd(() => void child.kill());
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (said.length < 2000) said += text;
  });
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'ENOENT' ? new SetUpError(`There is no program ${program}; ${TOOLS}.`) : error);
    });
    child.once('close', resolve);
  }).finally(ended);
  if (code !== 0) throw new SetUpError(`${program} failed: ${said.trim() || `exit code ${code}`}`);
}
