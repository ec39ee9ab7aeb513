import type { Outcome } from './answers.ts';

/** What the groups of attacks share: one service, and a listener that nobody should ever be made to contact. */
export interface Attacked {
  /** A test that is one row of the table. */
  readonly row: (title: string, run: () => Promise<void>) => void;
  readonly send: (bytes: Buffer | string, untilClosed?: boolean) => Promise<Outcome>;
  /** Appointments of doctor 102 on the day, as the service lists them. */
  readonly standing: (day?: string) => Promise<number>;
  readonly port: () => number;
  /** URL of the listener. */
  readonly listenerUrl: () => string;
  /** Connections and requests that the listener has had. */
  readonly contacts: () => number;
  /** A folder of the test's own. */
  readonly folder: () => string;
}
