import { type Client, provesSecret, type Way } from './client.ts';
import type { IpNetworks } from './ip-address.ts';
import type { SecretHash } from './secret-hash.ts';

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
