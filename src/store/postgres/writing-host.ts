import pg from 'pg';
import { asLibpq } from './as-libpq.ts';

/** After the first host that accepts writes has answered, how long to wait for the answers of the others, in milliseconds. */
const PATIENCE = 500;

/**
 * `timeline` counts the promotions in a cluster. A primary that is restarted after its standby was promoted also accepts writes, but its
 * timeline is older.
 */
const QUESTION = `
  SELECT current_setting('transaction_read_only') AS "readOnly",
    CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS "timeline"`;

const silent = () => {};

/** Where to connect; `host` may be the directory of a socket. */
export interface Host {
  readonly host: string;
  readonly port: number;
  /** The whole address, without the other hosts. */
  readonly url: string;
}

interface Answer extends Host {
  readonly timeline: string;
}

/** None of the hosts accepts writes at the moment. The message contains each host's reason. */
export class NoWritingHost extends Error {}

export interface WritingHostDependencies {
  /** One URL per host. */
  readonly urls: readonly string[];
  /** How long each may take to answer, in milliseconds. */
  readonly limit: number;
  /** True for an error that another attempt would also meet; undefined stands for a host that did not answer. */
  readonly isFinal: (error: unknown) => boolean;
  /** Called when a different host accepts writes than before. */
  readonly onMove?: (host: Host) => void;
}

/**
 * Finds which of several servers accepts writes, as libpq does with `target_session_attrs=read-write`. The result is kept until a
 * connection fails.
 */
export class WritingHost {
  readonly #deps: WritingHostDependencies;
  #current: Host | undefined;
  #last: Host | undefined;
  #search: Promise<Host> | undefined;

  constructor(dependencies: WritingHostDependencies) {
    this.#deps = dependencies;
  }

  /** Throws NoWritingHost, or the first host's error if every host fails permanently. */
  async find(): Promise<Host> {
    if (this.#current !== undefined) return this.#current;
    this.#search ??= this.#ask().finally(() => {
      this.#search = undefined;
    });
    return this.#search;
  }

  /** A connection failed, so the next one queries all hosts again. */
  forget(): void {
    this.#current = undefined;
  }

  async #ask(): Promise<Host> {
    const writing: Answer[] = [];
    const { urls, limit, onMove } = this.#deps;
    const failures: unknown[] = urls.map(() => undefined);
    const { promise: late, resolve } = Promise.withResolvers<void>();
    let timer: NodeJS.Timeout | undefined;
    const asked = urls.map(async (url, index) => {
      try {
        writing.push(await askHost(url, limit));
        timer ??= setTimeout(resolve, PATIENCE);
      } catch (error) {
        failures[index] = error;
      }
    });
    await Promise.race([Promise.all(asked), late]);
    clearTimeout(timer);
    const found = writing.toSorted((a, b) => (a.timeline < b.timeline ? 1 : a.timeline > b.timeline ? -1 : 0))[0];
    if (found === undefined) throw this.#failure(failures);
    this.#current = found;
    const last = this.#last;
    this.#last = found;
    if (last !== undefined && addressOf(last) !== addressOf(found)) onMove?.(found);
    return found;
  }

  #failure(failures: readonly unknown[]): unknown {
    const { urls, isFinal } = this.#deps;
    if (failures.every(isFinal)) return failures[0];
    const words = urls.map((url, index) => `${new URL(url).host}: ${saidBy(failures[index])}`);
    return new NoWritingHost(`no host accepts writes; ${words.join('; ')}`);
  }
}

export const addressOf = ({ host, port }: Host): string => `${host}:${port}`;

async function askHost(url: string, limit: number): Promise<Answer> {
  const client = new pg.Client({
    connectionString: asLibpq(url),
    connectionTimeoutMillis: limit,
    query_timeout: limit,
    application_name: 'tpwebservices',
  });
  client.on('error', silent);
  try {
    await client.connect();
    const { rows } = await client.query<{ readOnly: string; timeline: string | null }>(QUESTION);
    client.end().catch(silent);
    const [row] = rows;
    if (row?.timeline == null) throw new NoWritingHost('it is a standby');
    if (row.readOnly === 'on') throw new NoWritingHost('it has default_transaction_read_only on');
    return { host: client.host, port: client.port, url, timeline: row.timeline };
  } catch (error) {
    client.connection.stream.destroy();
    throw error;
  }
}

const saidBy = (error: unknown): string => {
  if (error === undefined) return 'it does not answer';
  const { message, code } = error as { readonly message?: string; readonly code?: string };
  return message || String(code);
};
