import { doublePatients } from '../appointments/double-patients.ts';
import { readReferenceRows } from '../reference/imported-rows.ts';
import { unfitAppointments, unfitTexts } from '../reference/unfit-appointments.ts';
import type { Config } from '../settings/config.ts';
import { openStore } from '../store/open-store.ts';
import { newerSchema } from '../store/schema-state.ts';
import { ServiceError } from '../vocabulary/errors.ts';
import { checkCenters } from './access.ts';
import {
  type Context,
  type Finding,
  type InspectedDatabase,
  ok,
  type RecordContext,
  recordFindings,
  warning,
  wrong,
} from './finding.ts';
import { inspectPostgres } from './inspect-postgres.ts';
import { inspectSqlite } from './inspect-sqlite.ts';
import { checkLists } from './lists.ts';
import { RECORD_CHECKS } from './records.ts';
import { startFailure } from './start-failure.ts';

/** Whether the database can be used and commits are durable, and what its records tell. */
export async function checkDatabase(context: Context): Promise<readonly Finding[]> {
  const { config } = context;
  const { database } = config;
  if (database.kind === 'sqlite' && database.path === ':memory:') {
    return [warning('database', 'In memory: everything is gone when the service stops.')];
  }
  try {
    const state = database.kind === 'sqlite' ? await inspectSqlite(database.path) : await inspectPostgres(database);
    const flaws = state.findings.filter(({ verdict }) => verdict === 'wrong');
    const isReadable = state.schema === 'current' && !flaws.some(({ subject }) => subject === 'integrity');
    const content = isReadable
      ? await checkRecords(context).catch((error: unknown) => {
          // Why it cannot be read has been found.
          if (flaws.length === 0 && state.unusable === undefined) throw error;
        })
      : undefined;
    return [reachable(state, config), schema(state, config), ...state.findings, ...(content ?? [])];
  } catch (error) {
    const text = error instanceof ServiceError ? error.message : startFailure(error).split('\n')[0];
    const reason = text?.replace(/^Error: /, '').replace(/\.?$/, '.');
    const advice = reason?.startsWith('The database cannot be used:')
      ? ' Set DATABASE_URL, or repair the database.'
      : reason?.startsWith('EACCES') && ' Run this command as the user of the service.';
    return [wrong('database', `${reason}${advice || ''}`)];
  }
}

async function checkRecords(context: Context): Promise<readonly Finding[]> {
  const store = await openStore(context.config.database, { mustExist: true, clock: context.databaseClock });
  try {
    return await recordFindings([...RECORD_CHECKS, checkCenters, checkAppointments, checkLists], context, store);
  } finally {
    await store.close();
  }
}

/** Which upcoming appointments no longer fit, and which patients hold two at a time. Reads all of them. */
async function checkAppointments({ queries, clock }: RecordContext): Promise<readonly Finding[]> {
  const now = clock();
  const rows = await readReferenceRows(queries);
  const reference = await queries.reference();
  const texts = [
    ...unfitTexts(await unfitAppointments(queries, reference, rows.doctors, now)),
    ...(await doublePatients(queries, reference, rows.doctors, now)),
  ];
  return texts.map((text) => warning('appointments', text));
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
  { exists, schema: state, taken }: InspectedDatabase,
  { demoData, createDatabase }: Pick<Config, 'demoData' | 'createDatabase'>,
): Finding {
  switch (state) {
    case 'current':
      return ok('schema', 'that of this version');
    case 'older':
      return warning('schema', 'of an earlier version: the next start upgrades it. Make a backup first.');
    case 'newer':
      return wrong('schema', newerSchema(taken));
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
