import type { Outcome } from './answers.ts';

/** Shared by the groups of attacks: one service, and a listener that nothing should ever contact. */
export interface Attacked {
  /** A test that is one row of the table. */
  readonly row: (title: string, run: () => Promise<void>) => void;
  readonly send: (bytes: Buffer | string, untilClosed?: boolean) => Promise<Outcome>;
  /** Appointments of doctor 102 on the day, as the service lists them. */
  readonly standing: (day?: string) => Promise<number>;
  readonly port: () => number;
  /** URL of the listener. */
  readonly listenerUrl: () => string;
  /** Connections and requests that the listener received. */
  readonly contacts: () => number;
  /** A folder that only the test uses. */
  readonly folder: () => string;
}
