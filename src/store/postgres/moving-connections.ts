import type pg from 'pg';
import type { Host, WritingHost } from './writing-host.ts';

/** The connections of a pool, which are all closed when another host begins to accept writes. */
export class MovingConnections {
  readonly #clients = new Set<pg.Client>();

  follow(pool: pg.Pool, writing: WritingHost): void {
    const forget = () => writing.forget();
    pool.on('connect', (client) => {
      this.#clients.add(client);
      client.on('error', forget);
    });
    pool.on('remove', (client) => this.#clients.delete(client));
    pool.on('release', (error) => {
      if (error) forget();
    });
  }

  /** If two servers both accept writes, the writes must not be split between them. */
  cutAllBut({ host, port }: Host): void {
    for (const client of this.#clients) {
      if (client.host !== host || client.port !== port) client.connection.stream.destroy();
    }
  }
}
