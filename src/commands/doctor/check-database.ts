import type { DatabaseState } from '../../maintenance/database-state.ts';
import { inspectPostgres } from '../../maintenance/inspect-postgres.ts';
import { inspectSqlite } from '../../maintenance/inspect-sqlite.ts';
import { startFailure } from '../../process/start-failure.ts';
import { DEMO_FACT } from '../../reference-data/demo-data.ts';
import type { Config } from '../../settings/config.ts';
import { openStore } from '../../store/open-store.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import { type Finding, ok, warning, wrong } from './finding.ts';

/** NTP keeps clocks within a few milliseconds of each other. */
const MOST_CLOCK_DIFFERENCE_MS = 1000;
/** Messages and log lines are then visibly out of order. */
const LARGE_CLOCK_DIFFERENCE_MS = 60_000;

/** What the doctor found out about the database, for other checks. */
interface CheckedDatabase {
  readonly findings: readonly Finding[];
  /** The files that contain the data, if they are on this machine. */
  readonly files: readonly string[];
  /** Ids; undefined if they cannot be read. */
  readonly centers: ReadonlySet<number> | undefined;
}

/** Checks whether the database can be used, whether commits are durable, and whether it contains demo data. */
export async function checkDatabase(config: Config, clock: () => number): Promise<CheckedDatabase> {
  const { database } = config;
  if (database.kind === 'sqlite' && database.path === ':memory:') {
    const finding = warning('database', 'In memory: everything is gone when the service stops.');
    return { findings: [finding], files: [], centers: undefined };
  }
  try {
    const state =
      database.kind === 'sqlite' ? await inspectSqlite(database.path) : await inspectPostgres(database, clock);
    const content = state.schema === 'current' ? await contentOf(database) : undefined;
    const findings = [
      reachable(state, config),
      ...integrity(state),
      schema(state, config),
      ...durability(state),
      ...standby(state),
      ...clockDifference(state),
      ...(database.kind === 'postgres' ? connectionCount(state, database.poolSize) : []),
      ...(content?.hasDemoData && !config.demoData ? [DEMO_DATA] : []),
    ];
    return { findings, files: state.files, centers: content?.centers };
  } catch (error) {
    const text = error instanceof ServiceError ? error.message : startFailure(error).split('\n')[0];
    const reason = text?.replace(/^Error: /, '').replace(/\.?$/, '.');
    const finding = wrong('database', `${reason} Set DATABASE_URL, or repair the database.`);
    return { findings: [finding], files: [], centers: undefined };
  }
}

/** A hospital's database that a trial has used: callers could book its demo doctors. */
const DEMO_DATA = warning(
  'demo data',
  'The database contains demo data, although DEMO_DATA is off: docs/reference-data.md says how to replace it.',
);

async function contentOf(database: Config['database']) {
  const store = await openStore(database, { mustExist: true });
  try {
    return await store.read(async ({ facts, referenceTables }) => ({
      hasDemoData: (await facts.get(DEMO_FACT)) !== undefined,
      centers: new Set((await referenceTables.centers()).map(({ id }) => id)),
    }));
  } finally {
    await store.close();
  }
}

function reachable(
  { description, exists, unusable }: DatabaseState,
  { createDatabase }: Pick<Config, 'createDatabase'>,
): Finding {
  if (unusable !== undefined) return wrong('database', `${description}: ${unusable}.`);
  if (exists) return ok('database', `${description}, can be written`);
  return createDatabase
    ? ok('database', `${description} does not exist yet; the first start creates it`)
    : wrong(
        'database',
        `${description} does not exist; correct DATABASE_URL, or set DATABASE_CREATE=true to create it.`,
      );
}

function integrity({ description, exists, damage }: DatabaseState): readonly Finding[] {
  if (damage !== undefined) {
    return [wrong('integrity', `${description} is damaged: ${damage}. What to do: docs/runbook.md.`)];
  }
  return exists && description.startsWith('SQLite') ? [ok('integrity', 'SQLite has read the whole file')] : [];
}

function schema(
  { exists, schema: state }: DatabaseState,
  { demoData, createDatabase }: Pick<Config, 'demoData' | 'createDatabase'>,
): Finding {
  switch (state) {
    case 'current':
      return ok('schema', 'that of this version');
    case 'older':
      return warning('schema', 'of an earlier version: the next start upgrades it. Make a backup first.');
    case 'newer':
      return wrong('schema', 'of a newer version of the service; install that version, or restore an earlier backup.');
    case 'none': {
      if (!createDatabase) {
        return wrong(
          'schema',
          'There are no tables yet; tpws import or a start with DATABASE_CREATE=true creates them.',
        );
      }
      const text = `${exists ? 'empty' : 'none yet'}: the next start creates the tables`;
      return ok('schema', demoData ? `${text} and loads demo data` : text);
    }
  }
}

const durability = ({ durability: settings }: DatabaseState): readonly Finding[] =>
  settings.map(({ name, is, expected }) => {
    if (is === expected) return ok('durability', `${name} is ${is}`);
    // The service sets it when it starts, and refuses to run without it.
    if (name === 'journal mode') return ok('durability', `${name} is ${is}; the service sets it to ${expected}`);
    return wrong('durability', `${name} is ${is}; set it to ${expected}, or a crash loses bookings.`);
  });

function standby({ waitsForStandby }: DatabaseState): readonly Finding[] {
  if (waitsForStandby === undefined) return [];
  if (waitsForStandby) return [ok('standby', 'a booking is on its disk before it is acknowledged')];
  const text =
    'The server does not wait for its standby: if the standby takes over, the last acknowledged bookings may be lost.';
  return [warning('standby', `${text} Set synchronous_standby_names on both servers.`)];
}

function clockDifference({ clockDifferenceMs }: DatabaseState): readonly Finding[] {
  if (clockDifferenceMs === undefined) return [];
  const size = Math.abs(clockDifferenceMs);
  const text = `The database's clock is ${(size / 1000).toFixed(1)} s ${clockDifferenceMs < 0 ? 'behind' : 'ahead of'} this machine's`;
  if (size >= LARGE_CLOCK_DIFFERENCE_MS) return [wrong('clocks', `${text}; synchronize both with NTP.`)];
  return [
    size > MOST_CLOCK_DIFFERENCE_MS ? warning('clocks', `${text}; synchronize both with NTP.`) : ok('clocks', text),
  ];
}

/** Replicas and other programs share what the server allows. */
function connectionCount({ mostConnections: allowed }: DatabaseState, wanted: number): readonly Finding[] {
  if (allowed === undefined) return [];
  const text = `${wanted} wanted, ${allowed} allowed`;
  if (wanted <= allowed) return [ok('connections', text)];
  const limits = 'max_connections, or the CONNECTION LIMIT of the role or the database';
  return [warning('connections', `${text}; reduce DATABASE_POOL_SIZE, or raise ${limits}.`)];
}
