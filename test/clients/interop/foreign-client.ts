import type { Transport } from '../../../src/contract/contract.ts';

/**
 * A client on another platform. Its scripts run in their own scratch folder, with HERE (its folder of sources), NAME, WSDL, OLD_WSDL, ENDPOINT
 * and NODE in the environment, `run` also with TRANSPORT, DAY (on which no other client books), RUN (a unique name), TEXT
 * (with markup and non-ASCII characters) and EXAMPLES (JSON: each operation of the contract with its parameters' examples). `run` prints one line of JSON per outcome.
 */
export interface ForeignClient {
  readonly name: string;
  /** The folder of its sources, below this one. */
  readonly folder: string;
  /** Debian packages. */
  readonly packages: readonly string[];
  /** Fails if this machine cannot run the client, with the reason as the last line of its standard error. Runs before `prepare`. */
  readonly needs?: string;
  /** Generates the proxy and compiles it. */
  readonly prepare?: string;
  readonly run: string;
  /** It calls every operation that the contract has, and not only those of the old WSDL. */
  readonly callsAll?: boolean;
  /** Settings of the service that it calls. */
  readonly settings?: Readonly<Record<string, string>>;
  /** All of them by default. */
  readonly transports?: readonly Transport[];
  /** Why it has no other transport. */
  readonly others?: string;
  /**
   * The time zone of the client's machine. Platforms that keep local time run in a different zone from the center, which must not matter;
   * platforms that turn every dateTime into an instant in their own zone get the center's time right only if they are in its zone.
   * By default America/New_York.
   */
  readonly zone?: 'Asia/Kolkata';
}

/**
 * Writes service.wsdl, without parameters that came later: a program that passes its values by position goes on as it was compiled. Proxy
 * generators do not know our certificate authority, either.
 */
export const FETCH_WSDL = `NODE_EXTRA_CA_CERTS="\${CA-}" "$NODE" "$HERE/../fetch-wsdl.ts" >service.wsdl`;

/** The transports of a platform without forms. */
export const soapOnly = (others: string): Pick<ForeignClient, 'transports' | 'others'> => ({
  transports: ['soap11', 'soap12'],
  others,
});
