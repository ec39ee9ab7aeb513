import type { PrivatePostgres } from '../../support/database/private-postgres.ts';
import { startStandby } from '../../support/database/standby.ts';
import { tcpWay } from '../../support/process/tcp-way.ts';

/** An address that leads to a server or to its standby, like an operator's host name or proxy. */
export interface MovingAddress {
  /** The same database at this address. */
  urlOf(url: string): string;
  /** Leads to the standby, which accepts no writes; cuts all connections. */
  toStandby(): Promise<void>;
  /** Leads new connections to the server again; cuts none. */
  toServer(): Promise<void>;
  dispose(): Promise<void>;
}

/** Starts a standby of the server, and an address that leads to the server. */
export async function movingAddress(postgres: PrivatePostgres): Promise<MovingAddress> {
  const standby = await startStandby(postgres, { isSynchronous: false });
  const port = Number(new URL(postgres.url).port);
  const way = await tcpWay(port);
  return {
    urlOf: (database) => Object.assign(new URL(database), { port: String(way.port) }).href,
    toStandby: async () => {
      way.leadTo(standby.port);
      way.cut();
    },
    toServer: async () => way.leadTo(port),
    dispose: async () => {
      way.close();
      await standby.dispose();
    },
  };
}
