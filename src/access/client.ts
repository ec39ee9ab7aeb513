import type { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Transport } from '../contract/contract.ts';
import type { IpNetworks } from '../vocabulary/ip-address.ts';
import type { RequestOrigin } from './request-origin.ts';
import type { SecretHash } from './secret-hash.ts';

export type Way = 'network' | 'apiKey' | 'password' | 'certificate';

/** How refusals by the hospital's rules and successes are answered; a success with `none` as the old service did, without its record. */
export interface AnswerStyle {
  readonly refusals: 'fault' | 'result';
  readonly results: 'record' | 'none';
}

/** A caller: a program that the hospital knows by name, and what it may do. An absent field imposes no limit. */
export interface Client {
  /** Its name in the clients file; for the log and the audit trail. */
  readonly name: string;
  /** How it was identified: all of these were required. */
  readonly ways?: ReadonlySet<Way> | undefined;
  /** The operations that it may call, by their names in the contract. */
  readonly operations?: ReadonlySet<string> | undefined;
  readonly transports?: ReadonlySet<Transport> | undefined;
  /** The centers whose data it may see and change, by `centerid`. */
  readonly centers?: ReadonlySet<number> | undefined;
  /** 'minimal': its answers contain nothing that says who a patient is; 'full': also whole phone numbers. */
  readonly fields?: 'minimal' | 'full' | undefined;
  /** How this client is answered, where it differs from the settings. */
  readonly refusals?: AnswerStyle['refusals'] | undefined;
  readonly results?: AnswerStyle['results'] | undefined;
  /** Whether it may book, or move an appointment into, a slot that is full. */
  readonly overbook?: boolean | undefined;
  /** Calls per minute, if they differ from the setting; 0 means no limit. */
  readonly ratePerMinute?: number | undefined;
}

/** Any caller, if there is no clients file. */
export const ANONYMOUS: Client = { name: 'anonymous' };

/** Whether a client has proved a secret that its program must know. A network and a certificate are a browser's, too. */
export const provesSecret = ({ ways }: Client): boolean =>
  ways?.has('apiKey') === true || ways?.has('password') === true;

export interface KnownClient extends Client {
  /** At least one. */
  readonly ways: ReadonlySet<Way>;
  readonly networks?: IpNetworks | undefined;
  readonly apiKeyHash?: SecretHash | undefined;
  readonly username?: string | undefined;
  /** Of the password that is sent by HTTP Basic, or as text in a UsernameToken. */
  readonly passwordHash?: SecretHash | undefined;
  /** Whether its password is also accepted in a UsernameToken of WS-Security. */
  readonly usernameToken?: boolean | undefined;
  /** The password itself, from which a digest in a UsernameToken is computed. */
  readonly wsPassword?: string | undefined;
  /** Those of which more is known than the fingerprint. */
  readonly certificates?: readonly X509Certificate[] | undefined;
  /** SHA-256, 64 lower-case hexadecimal digits. */
  readonly certificateFingerprints?: ReadonlySet<string> | undefined;
}

export type KnownClients = ReturnType<typeof knownClients>;

/** The clients of a clients file, by what they are looked up by. */
export const knownClients = (all: readonly KnownClient[]) => ({
  all,
  byName: new Map(all.map((client) => [client.name, client])),
  byUsername: new Map(all.map((client) => [client.username, client])),
  /** Clients that are identified only by their network or certificate. */
  withoutSecrets: all.filter((client) => !provesSecret(client)),
  /** Whether some client may send its password in a UsernameToken. If so, a message may have to be read before its sender is known. */
  takeUsernameTokens: all.some(({ usernameToken }) => usernameToken),
  /** A hash as expensive as theirs, against which the secrets of unknown clients are checked. */
  exampleHash: all
    .flatMap(({ apiKeyHash, passwordHash }) => [apiKeyHash, passwordHash])
    .find((hash) => hash !== undefined),
});

/** What a caller's own records are kept under and its calls counted by: its name, without a blank, or `anonymous 10.0.0.5`. */
export const callerName = ({ client, network }: { readonly client: Client; readonly network: string }): string =>
  client === ANONYMOUS ? `${client.name} ${network}` : client.name;

/** A request, where it comes from, and who calls: anonymous until the gate has identified a client. */
export interface Incoming {
  readonly request: IncomingMessage;
  readonly origin: RequestOrigin;
  client: Client;
}
