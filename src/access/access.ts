import { isUtf8 } from 'node:buffer';
import type { LogFields } from '../log/log.ts';
import { ServiceError } from '../vocabulary/errors.ts';
import type { Machine } from '../vocabulary/machine.ts';
import type { Incoming, KnownClient, KnownClients, Way } from './client.ts';
import { certificateOf } from './client-certificate.ts';
import { LoginDelays } from './login-delays.ts';
import { isTooLong, type SecretHash } from './secret-hash.ts';
import { SecretVerifier } from './secret-verifier.ts';
import { readUsernameToken } from './ws-security/read-username-token.ts';
import type { HeaderElement } from './ws-security/security-header.ts';
import { type TakeNonce, verifyUsernameToken } from './ws-security/verify-username-token.ts';

export interface AccessDependencies extends Pick<Machine, 'clock' | 'stopwatch' | 'pause' | 'processKey'> {
  /** The current clients. Called for every request, because the file may be reloaded. */
  readonly clients: () => KnownClients;
  /** Whether to believe what trusted proxies report about client certificates. */
  readonly proxyClientCertificates: boolean;
  /** Logs a failed login, unless too many have been logged already. */
  readonly logFailure: (fields: LogFields) => void;
  readonly takeNonce: TakeNonce;
}

/** A secret in the headers of a request, and whom it is claimed to belong to. */
interface Claim {
  readonly way: Way;
  readonly secret: string;
  readonly name: string;
  /** Undefined if no client has that name. */
  readonly client: KnownClient | undefined;
  /** Undefined also if that client has no such secret. */
  readonly hash: SecretHash | undefined;
}

const UNKNOWN =
  'The service cannot identify the caller, or the caller may not call from this address; expected the credentials that this client was given.';

/** A correct secret from the wrong place, or without the rest. The operator needs to know, because the secret may have been stolen. */
const INCOMPLETE = 'not all conditions of the entry';

/** Identifies the caller before any of the body is read. */
export class Access {
  readonly #dependencies: AccessDependencies;
  readonly #secrets: SecretVerifier;
  readonly #delays: LoginDelays;

  constructor(dependencies: AccessDependencies) {
    this.#dependencies = dependencies;
    this.#secrets = new SecretVerifier(dependencies);
    this.#delays = new LoginDelays(dependencies);
  }

  /**
   * Finds the client that is calling and makes it the request's. Every way of identification that the client's entry requires must be
   * right. A wrong key or password is refused even if it was not required, and so are a key and a password of two different clients.
   * Resolves with false if the request contains neither and no client can be identified without them.
   * Rejects with ServiceError `Unauthorized`, also for a secret longer than 256 bytes, or `TooManyRequests` if there are too many logins.
   */
  async identify(incoming: Incoming): Promise<boolean> {
    const claims = this.#claimsOf(incoming);
    for (const { way, client, ...claim } of claims) {
      if (await this.#isSecret(incoming, claim)) continue;
      throw this.#failed(incoming, way === 'apiKey' ? 'wrong api key' : 'wrong password', client);
    }
    const proved = new Set(claims.map(({ way }) => way));
    const [first] = claims;
    const candidates = first === undefined ? this.#clients.withoutSecrets : [first.client as KnownClient];
    const found = candidates.find(
      (candidate) =>
        claims.every(({ client }) => client === candidate) && this.#isSatisfied(incoming, candidate, proved),
    );
    if (found !== undefined) incoming.client = found;
    else if (first !== undefined) throw this.#failed(incoming, INCOMPLETE, first.client);
    return found !== undefined;
  }

  takesUsernameTokens(): boolean {
    return this.#clients.takeUsernameTokens;
  }

  /**
   * Finds the client whose UsernameToken is in the Security headers of a message, and makes it the request's. Everything else that its
   * entry requires must be right, too. Rejects with ServiceError `Unauthorized`, with the WS-Security fault if the token is at fault;
   * `TooManyRequests` if there are too many logins; `Unavailable` if the store cannot tell whether the message was sent before.
   */
  async identifyByToken(incoming: Incoming, headers: readonly HeaderElement[]): Promise<void> {
    const { clock, takeNonce, logFailure } = this.#dependencies;
    const token = readUsernameToken(headers);
    const { username } = token;
    const named = this.#clients.byUsername.get(username);
    const client = named?.usernameToken ? named : undefined;
    const { address, network, secure } = incoming.origin;
    try {
      await verifyUsernameToken(token, {
        isKnown: client !== undefined,
        wsPassword: client?.wsPassword,
        isPassword: (secret) => this.#isSecret(incoming, { secret, name: username, hash: client?.passwordHash }),
        // Not remembered as proved until its nonce proves that nobody else sent it before.
        checkDigest: (isRight) => this.#delays.check(network, username, isRight),
        secure,
        now: clock(),
        takeNonce,
      });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.securityFault !== 'FailedAuthentication') throw error;
      logFailure({ reason: error.reason ?? '', address, ...(client && { client: client.name }) });
      throw error;
    }
    if (client === undefined) throw new Error('a token of nobody was taken');
    this.#delays.rememberProof(network, username);
    // A client of which more than a password is required has proved the rest before the message was read.
    if (incoming.client === client) return;
    if (!this.#isSatisfied(incoming, client, new Set(['password']))) throw this.#failed(incoming, INCOMPLETE, client);
    incoming.client = client;
  }

  /** Whether a secret is the one that was hashed; without a hash, no, after the same time. Delayed as by `begin`, unless remembered. */
  async #isSecret({ origin: { network } }: Incoming, { secret, name, hash }: Pick<Claim, 'secret' | 'name' | 'hash'>) {
    // If no client has a secret, there is nothing to compare with.
    const stored = hash ?? this.#clients.exampleHash;
    if (stored === undefined) return false;
    const claimed = { secret, name, stored, isReal: hash !== undefined };
    let takeBack = () => {};
    const isRight = await this.#secrets.verify(claimed, this.#delays.isProved(network), async () => {
      takeBack = await this.#delays.begin(network, name);
    });
    if (!isRight) return false;
    takeBack();
    this.#delays.rememberProof(network, name);
    return true;
  }

  /** The only answer to a caller that cannot be identified; `reason` is only for the log. */
  refusal(reason: string): ServiceError {
    return new ServiceError('Unauthorized', UNKNOWN, { reason });
  }

  get #clients(): KnownClients {
    return this.#dependencies.clients();
  }

  #claimsOf(incoming: Incoming): readonly Claim[] {
    const claims: Claim[] = [];
    const add = (way: 'apiKey' | 'password', name: string, secret: string) => {
      if (isTooLong(name) || isTooLong(secret)) throw this.#failed(incoming, 'secret too long', undefined);
      const client = way === 'apiKey' ? this.#clients.byName.get(name) : this.#clients.byUsername.get(name);
      claims.push({ way, name, secret, client, hash: client?.[`${way}Hash`] });
    };
    const { 'x-api-key': key, authorization } = incoming.request.headers;
    // It begins with its client's name and a dot.
    if (key !== undefined) add('apiKey', /^[^.]*(?=\.)/.exec(String(key))?.[0] ?? '', String(key));
    const basic = readBasicCredentials(authorization);
    if (basic !== undefined) add('password', basic.username, basic.password);
    return claims;
  }

  /** Whether a request meets every condition of a client's entry; `proved` are those that need a secret. */
  #isSatisfied({ request, origin }: Incoming, client: KnownClient, proved: ReadonlySet<Way>): boolean {
    const { proxyClientCertificates, clock } = this.#dependencies;
    for (const way of client.ways) {
      if (way === 'network') {
        if (client.networks?.(origin.address) !== true) return false;
      } else if (way === 'certificate') {
        const fingerprint = certificateOf(request, origin, proxyClientCertificates, clock());
        if (fingerprint === undefined || !client.certificateFingerprints?.has(fingerprint)) return false;
      } else if (!proved.has(way)) return false;
    }
    return true;
  }

  #failed({ origin: { address } }: Incoming, reason: string, client: KnownClient | undefined): ServiceError {
    this.#dependencies.logFailure({ reason, address, client: client?.name });
    return this.refusal(reason);
  }
}

/**
 * The credentials in an Authorization header with the scheme Basic, empty if they cannot be read; undefined if there is no header or it has
 * another scheme. Old programs send Latin-1 instead of the standard's UTF-8. Source: RFC 7617.
 */
export function readBasicCredentials(header: string | undefined) {
  if (header === undefined || !/^basic(?: |$)/i.test(header)) return undefined;
  const bytes = Buffer.from(header.slice('basic'.length), 'base64');
  const pair = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
  const colon = pair.indexOf(':');
  return { username: pair.slice(0, Math.max(0, colon)), password: colon === -1 ? '' : pair.slice(colon + 1) };
}
