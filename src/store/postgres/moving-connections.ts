import type pg from 'pg';
import type { Host, WritingHost } from './writing-host.ts';

/** The connections of a pool, all of which are cut when another host starts to accept the writes. */
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

  /** If two servers both accept writes, they must not each receive some of them. */
  cutAllBut({ host, port }: Host): void {
    for (const client of this.#clients) {
      if (client.host !== host || client.port !== port) client.connection.stream.destroy();
    }
  }
}
