import type { DatabaseLocation, PostgresLocation, SqliteLocation } from '../store/database-location.ts';
import { count, flag, parsed, secret, setting, type ValuesOf } from './setting.ts';

/** Which database it is; other settings say how to use it. */
type DatabaseUrl = Pick<SqliteLocation, 'kind' | 'path'> | Pick<PostgresLocation, 'kind' | 'url'>;

const EXPECTED =
  'expected sqlite:FILE, sqlite::memory: or postgres://USER:PASSWORD@HOST:PORT/DATABASE; in a password, percent-encode / ? # % @ and :';

const ONE_HOST = 'expected one host, such as that of HAProxy, which leads to the server that accepts writes';

/** Source: PostgreSQL, "SSL Mode Descriptions", without the modes that may silently skip encryption. */
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'];

function databaseUrl(value: string): DatabaseUrl | string {
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(value)?.[1];
  if (path !== undefined) return { kind: 'sqlite', path };
  if (!/^postgres(?:ql)?:\/\//.test(value)) return EXPECTED;
  const [authority = ''] = value.slice(value.indexOf('//') + 2).split(/[/?#]/);
  if (authority.slice(authority.lastIndexOf('@') + 1).includes(',')) return ONE_HOST;
  // The host may be given after the question mark, like the directory of a socket.
  const url = URL.parse(value.replace(/^([^/]+:\/\/(?:[^/@]*@)?)\//, '$1socket/'));
  if (url === null || !/^\/[^/]+$/.test(url.pathname)) return EXPECTED;
  if (url.searchParams.get('host')?.includes(',') || url.searchParams.has('target_session_attrs')) return ONE_HOST;
  const mode = url.searchParams.get('sslmode');
  if (mode !== null && !SSL_MODES.includes(mode)) return `expected sslmode to be one of ${SSL_MODES.join(', ')}`;
  return { kind: 'postgres', url: value };
}

export const DATABASE_SETTINGS = {
  url: secret(
    'DATABASE_URL',
    parsed(
      '`sqlite:` followed by a file, `sqlite::memory:`, or `postgres://USER:PASSWORD@HOST:PORT/DATABASE` for PostgreSQL 14 or later; `?sslmode=verify-full` encrypts the connection. In a password, percent-encode `/`, `?`, `#`, `%`, `@` and `:`',
      'sqlite:./data/tpwebservices.db',
      databaseUrl,
    ),
  ),
  poolSize: setting(
    'DATABASE_POOL_SIZE',
    count('Maximum number of connections to PostgreSQL per process', 10, 2, 1000),
  ),
  create: setting(
    'DATABASE_CREATE',
    flag(
      '`true` lets the service create a new database if it finds none; `tpws import` and `DEMO_DATA` also create one',
      'false',
    ),
  ),
  demoData: setting('DEMO_DATA', flag('`true` loads two centers and fifteen doctors into an empty database', 'false')),
};

/** How long connecting, waiting for a lock or executing a statement may take before a call is answered with `Unavailable`. */
const timeoutMs = 5000;

export const locationOf = ({ url, poolSize }: ValuesOf<typeof DATABASE_SETTINGS>): DatabaseLocation =>
  url.kind === 'sqlite' ? { ...url, timeoutMs } : { ...url, poolSize, timeoutMs };
