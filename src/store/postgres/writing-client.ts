import pg from 'pg';
import { NoWritingHost, type WritingHost } from './writing-host.ts';

/** A class of clients that connect to whichever host accepts writes at the time. */
export const writingClient = (writing: WritingHost) =>
  class extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: (error: unknown, client?: pg.Client) => void): void;
    override connect(callback?: (error: unknown, client?: pg.Client) => void): Promise<pg.Client> | undefined {
      const connected = this.#connect();
      if (callback === undefined) return connected;
      connected.then((client) => callback(null, client), callback);
      return undefined;
    }

    async #connect(): Promise<pg.Client> {
      const { host, port } = await writing.find();
      // The caller stopped waiting and destroyed this client. If its socket were connected again, it would stay open.
      if (this.connection.stream.destroyed) throw new Error('Connection terminated before it was made');
      this.host = host;
      this.port = port;
      try {
        return await super.connect();
      } catch (error) {
        writing.forget();
        throw error;
      }
    }
  };

/** Throws NoWritingHost if the server no longer accepts writes: it may have become a standby since it was chosen. */
export async function requireWriting(client: pg.ClientBase, writing: WritingHost): Promise<void> {
  const { rows } = await client.query<{ readOnly: string }>(
    `SELECT current_setting('transaction_read_only') AS "readOnly"`,
  );
  if (rows[0]?.readOnly === 'off') return;
  writing.forget();
  throw new NoWritingHost('the host no longer accepts writes');
}
