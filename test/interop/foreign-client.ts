import type { Transport } from '../../src/vocabulary/transport.ts';

/**
 * A client of another make. Its scripts run in a scratch folder of its own, with HERE (its folder of sources), WSDL, OLD_WSDL, ENDPOINT
 * and NODE in the environment, `run` also with TRANSPORT, DAY (which nobody else books on), RUN (a name that nobody else has) and TEXT
 * (with markup and characters beyond ASCII). `run` prints a line of JSON an outcome.
 */
export interface ForeignClient {
  readonly name: string;
  /** Folder of its sources, below this one. */
  readonly folder: string;
  /** Debian packages. */
  readonly packages: readonly string[];
  /** Fails where this machine cannot have the client, and says why as the last line of its standard error. Runs before `prepare`. */
  readonly needs?: string;
  /** Generates the proxy and compiles. */
  readonly prepare?: string;
  readonly run: string;
  readonly transports: readonly Transport[];
  /** Why there is no other transport. */
  readonly others?: string;
  /**
   * The zone of the client's machine. Stacks that keep wall time run in another one than the center, which must not matter; those that
   * turn every dateTime into an instant of their own zone can only mean the center's time if they are in its zone.
   */
  readonly zone: 'Asia/Kolkata' | 'America/New_York';
}
