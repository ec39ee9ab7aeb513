import { readConfig } from '../../../src/settings/config.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { asAdministrator } from './as-administrator.ts';

/** A database that only one test uses. */
export interface OwnDatabase {
  /** For DATABASE_URL. */
  readonly url: string;
  /** Must be called when nothing is connected any longer. */
  remove(): Promise<void>;
}

/**
 * The URL of a PostgreSQL server on which tests create their databases, instead of in memory and in files. `npm run ci -- postgres`
 * starts one.
 */
const SERVER = process.env.TEST_DATABASE_URL;

/** True if tests run on PostgreSQL. */
export const ON_POSTGRES = SERVER !== undefined;

let databases = 0;

/** Databases that a test has finished with. The next one empties them: that takes a tenth of the time that a new one takes. */
const finished: string[] = [];

/** With the schema of the service and no data; on PostgreSQL only. */
export async function newPostgresDatabase(): Promise<OwnDatabase> {
  const used = finished.pop();
  if (used !== undefined) await forgetRows(used);
  const url = used ?? (await emptyPostgresDatabase()).url;
  if (used === undefined) {
    const store = await openStore(readConfig({ DATABASE_URL: url }).database);
    await store.close();
  }
  return { url, remove: async () => void finished.push(url) };
}

/** Without tables; on PostgreSQL only. */
export async function emptyPostgresDatabase(options = ''): Promise<OwnDatabase> {
  const name = `test_${process.pid}_${++databases}`;
  await onServer(`CREATE DATABASE ${name} TEMPLATE template0 ${options}`);
  return { url: databaseUrl(name), remove: () => onServer(`DROP DATABASE ${name} WITH (FORCE)`) };
}

/** URL of a database on the server, by its name. */
export function databaseUrl(name: string): string {
  const url = new URL(SERVER ?? '');
  url.pathname = `/${name}`;
  return url.href;
}

const onServer = (sql: string): Promise<void> =>
  asAdministrator(SERVER ?? '', async (client) => {
    await client.query(sql);
  });

/** Bypasses the triggers and keys, which would refuse some deletions. Only `reference_version` has a row from migrations. */
const FORGET = `
  SET session_replication_role = replica;
  DO $$ DECLARE found record; BEGIN
    FOR found IN SELECT tablename FROM pg_tables
      WHERE schemaname = 'public' AND tablename NOT LIKE 'kysely%' AND tablename <> 'reference_version'
    LOOP EXECUTE format('DELETE FROM %I', found.tablename); END LOOP;
    FOR found IN SELECT sequencename FROM pg_sequences
    LOOP EXECUTE format('ALTER SEQUENCE %I RESTART', found.sequencename); END LOOP;
    UPDATE reference_version SET version = 1;
  END $$`;

const forgetRows = (url: string): Promise<void> =>
  asAdministrator(url, async (client) => {
    await client.query(FORGET);
  });
