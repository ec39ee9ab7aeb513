import { doublePatients } from '../appointments/double-patients.ts';
import { DEMO_FACT } from '../reference/demo-data.ts';
import { readReferenceRows } from '../reference/imported-rows.ts';
import { unfitAppointments, unfitTexts } from '../reference/unfit-appointments.ts';
import type { Config } from '../settings/config.ts';
import type { OpenOptions } from '../store/database-location.ts';
import { openStore } from '../store/open-store.ts';
import { ServiceError } from '../vocabulary/errors.ts';
import type { Machine } from '../vocabulary/machine.ts';
import { demoFindings } from './check-settings.ts';
import { type Finding, type InspectedDatabase, ok, warning, wrong } from './finding.ts';
import { inspectPostgres } from './inspect-postgres.ts';
import { inspectSqlite } from './inspect-sqlite.ts';
import { morningFindings } from './morning.ts';
import { startFailure } from './start-failure.ts';

/** What the doctor found out about the database, for other checks. */
interface CheckedDatabase {
  readonly findings: readonly Finding[];
  /** Ids; undefined if they cannot be read. */
  readonly centers: ReadonlySet<number> | undefined;
}

type Clocks = Pick<Machine, 'clock'> & { readonly databaseClock?: OpenOptions['clock'] };

/** Checks whether the database can be used, whether commits are durable, and whether it contains demo data. */
export async function checkDatabase(config: Config, clocks: Clocks): Promise<CheckedDatabase> {
  const { database } = config;
  if (database.kind === 'sqlite' && database.path === ':memory:') {
    const finding = warning('database', 'In memory: everything is gone when the service stops.');
    return { findings: [finding], centers: undefined };
  }
  try {
    const state = database.kind === 'sqlite' ? await inspectSqlite(database.path) : await inspectPostgres(database);
    const flaws = state.findings.filter(({ verdict }) => verdict === 'wrong');
    const isReadable = state.schema === 'current' && !flaws.some(({ subject }) => subject === 'integrity');
    const content = isReadable
      ? await contentOf(database, clocks).catch((error: unknown) => {
          // Why it cannot be read has been found.
          if (flaws.length === 0 && state.unusable === undefined) throw error;
        })
      : undefined;
    const findings = [
      reachable(state, config),
      schema(state, config),
      ...state.findings,
      ...(content?.morning ?? []),
      ...demoFindings(config, content?.hasDemoData),
      ...(content?.unfit ?? []).map((text) => warning('appointments', text)),
    ];
    return { findings, centers: content?.centers };
  } catch (error) {
    const text = error instanceof ServiceError ? error.message : startFailure(error).split('\n')[0];
    const reason = text?.replace(/^Error: /, '').replace(/\.?$/, '.');
    const advice = reason?.startsWith('The database cannot be used:')
      ? ' Set DATABASE_URL, or repair the database.'
      : reason?.startsWith('EACCES') && ' Run this command as the user of the service.';
    const finding = wrong('database', `${reason}${advice || ''}`);
    return { findings: [finding], centers: undefined };
  }
}

async function contentOf(database: Config['database'], { clock, databaseClock }: Clocks) {
  const store = await openStore(database, { mustExist: true, clock: databaseClock });
  try {
    return await store.read(async (queries) => {
      const rows = await readReferenceRows(queries);
      const zones = new Map(rows.centers.map(({ id, timeZone }) => [id, timeZone]));
      return {
        hasDemoData: (await queries.facts.get(DEMO_FACT)) !== undefined,
        centers: new Set(rows.centers.map(({ id }) => id)),
        morning: await morningFindings(queries, store.clock, clock),
        unfit: [
          ...unfitTexts(await unfitAppointments(queries, rows, store.clock())),
          ...(await doublePatients(queries, rows.doctors, (id) => zones.get(id) ?? 'UTC', store.clock())),
        ],
      };
    });
  } finally {
    await store.close();
  }
}

function reachable(
  { description, exists, unusable }: InspectedDatabase,
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

function schema(
  { exists, schema: state }: InspectedDatabase,
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
        const creates = 'tpws import or a start with DATABASE_CREATE=true creates them';
        return wrong('schema', `There are no tables yet; ${creates}.`);
      }
      const text = `${exists ? 'empty' : 'none yet'}: the next start creates the tables`;
      return ok('schema', demoData ? `${text} and loads demo data` : text);
    }
  }
}
