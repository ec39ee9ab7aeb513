import type { IncomingMessage } from 'node:http';
import type { LogFields } from '../log/log.ts';
import { ServiceError } from '../vocabulary/errors.ts';
import { type Credentials, readBasicCredentials } from './basic-credentials.ts';
import { setCaller } from './caller.ts';
import { certificateOf } from './client-certificate.ts';
import { subscriberNetwork } from './ip-address.ts';
import type { KnownClient, KnownClients, Way } from './known-client.ts';
import { type Attempt, LoginDelays, type Pause } from './login-delays.ts';
import { type RecentlyProved, recentlyProved } from './recently-proved.ts';
import type { OriginOf, RequestOrigin } from './request-origin.ts';
import { isTooLong, type SecretHash } from './secret-hash.ts';
import { SecretVerifier, type ShownSecret } from './secret-verifier.ts';

export interface AccessDependencies {
  /** The current clients. Called for every request, because the file may be reloaded. */
  readonly clients: () => KnownClients;
  readonly originOf: OriginOf;
  /** Whether to believe what trusted proxies report about client certificates. */
  readonly proxyClientCertificates: boolean;
  /** Random bytes, different in every process. */
  readonly processKey: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Logs a failed login, unless too many have been logged already. */
  readonly logFailure: (fields: LogFields) => void;
  /** Delays callers that guess secrets. */
  readonly pause: Pause;
}

/** The evidence in a request about its caller. */
interface Evidence {
  readonly request: IncomingMessage;
  readonly origin: RequestOrigin;
  readonly proofs: readonly Proof[];
  /** Whether a trusted proxy may report the client certificate that it saw. */
  readonly believesProxies: boolean;
  /** Instant, ms. */
  readonly now: number;
}

/** Something that the request itself has proved. */
interface Proof {
  readonly way: Way;
  /** The one client that it identifies. */
  readonly client: KnownClient;
}

/** A secret in a request, and the name that it is claimed to belong to. */
interface Claim {
  readonly way: Way;
  readonly secret: string;
  readonly name: string;
  readonly client: KnownClient | undefined;
  /** Undefined if no client has that name, or if that client has no such secret. */
  readonly hash: SecretHash | undefined;
}

const UNKNOWN =
  'The service cannot identify the caller, or the caller may not call from this address; expected the credentials that this client was given.';

/** Identifies the caller before any of the body is read. */
export class Access {
  readonly #clients: () => KnownClients;
  readonly #originOf: OriginOf;
  readonly #proxyClientCertificates: boolean;
  readonly #logFailure: AccessDependencies['logFailure'];
  readonly #clock: () => number;
  readonly #delays: LoginDelays;
  readonly #verifier: SecretVerifier;
  /**
   * Networks, and pairs of a network and a name, that have proved a secret within the last day. Guesses by others must not lock them out.
   */
  readonly #provedFrom: RecentlyProved;

  constructor(dependencies: AccessDependencies) {
    const { clients, originOf, proxyClientCertificates, processKey, clock, logFailure, pause } = dependencies;
    this.#clients = clients;
    this.#originOf = originOf;
    this.#proxyClientCertificates = proxyClientCertificates;
    this.#logFailure = logFailure;
    this.#clock = clock;
    this.#delays = new LoginDelays(clock, pause);
    this.#verifier = new SecretVerifier(processKey, clock);
    this.#provedFrom = recentlyProved(clock);
  }

  /** The origin of a request, with trusted proxies taken into account. */
  originOf(request: IncomingMessage): RequestOrigin {
    return this.#originOf(request);
  }

  /**
   * Finds the client that is calling and remembers it (`callerOf`). Synchronous unless a secret has to be hashed. Every way of
   * identification that the client's entry requires must be right. A wrong key or password is refused even if it was not required, and so
   * are a key and a password of two different clients.
   * False if the request contains neither and no client can be identified without them.
   * Throws, or rejects with, ServiceError `Unauthorized`, also for a secret longer than 256 bytes, or `TooManyRequests` if there are too
   * many logins.
   */
  identify(request: IncomingMessage): boolean | Promise<boolean> {
    const claims = this.#claimsOf(request);
    for (const claim of claims) {
      const shown = this.#shownSecret(claim);
      if (shown === undefined || !this.#verifier.remembers(shown)) {
        return this.#proofsOf(request, claims).then((proofs) => this.#identify(request, proofs));
      }
    }
    // Every remembered secret belonged to a client.
    return this.#identify(request, claims as readonly Proof[]);
  }

  /**
   * Remembers the client that a UsernameToken named and proved. Throws `Unauthorized` unless everything else that its entry requires is
   * right.
   */
  admit(request: IncomingMessage, client: KnownClient): void {
    const evidence = this.#evidence(request, [{ way: 'password', client }]);
    if (!isSatisfied(client, evidence)) throw this.#incomplete(request, client);
    setCaller(request, client);
  }

  /** Whether some client may send its password in a UsernameToken. */
  takesUsernameTokens(): boolean {
    return this.#clients().takeUsernameTokens;
  }

  /** The client with this user name, if it may use UsernameTokens; otherwise undefined. */
  findTokenClient(username: string): KnownClient | undefined {
    const client = this.#clients().findClientByUsername(username);
    return client?.usernameToken ? client : undefined;
  }

  /**
   * Whether a password is the client's. If `client` is undefined, the answer is no, after the same time. Delayed if earlier attempts from
   * the request's address, or for the name, have failed.
   */
  async isPassword(
    request: IncomingMessage,
    { username, password }: Credentials,
    client: KnownClient | undefined,
  ): Promise<boolean> {
    return this.#isSecret(request, { secret: password, name: username, hash: client?.passwordHash });
  }

  /** Whether so many attempts from the request's address, or for that name, have failed that the next one must wait. */
  isSlowed(request: IncomingMessage, name: string): boolean {
    return this.#delays.isSlowed(this.#attemptOf(request, name));
  }

  /**
   * Counts an attempt whose proof costs nothing to check, and waits for as long as the earlier attempts require. Throws `TooManyRequests`.
   */
  slowDown(request: IncomingMessage, name: string): Promise<void> {
    return this.#delays.begin(this.#attemptOf(request, name));
  }

  /** Takes back the last attempt because it succeeded. */
  forgetAttempts(request: IncomingMessage, name: string): void {
    this.#delays.succeeded(this.#attemptOf(request, name));
  }

  /** Remembers for a day that the request's network has proved this name. From then on, only its own guesses delay it. */
  rememberProof(request: IncomingMessage, name: string): void {
    const network = subscriberNetwork(this.#originOf(request).address);
    this.#provedFrom.set(network, true).set(`${network} ${name}`, true);
  }

  /** The only answer to a caller that cannot be identified; `reason` is only for the log. */
  refusal(request: IncomingMessage, reason: string): ServiceError {
    return new ServiceError('Unauthorized', UNKNOWN, { reason, address: this.#originOf(request).address });
  }

  #identify(request: IncomingMessage, proofs: readonly Proof[]): boolean {
    const evidence = this.#evidence(request, proofs);
    const shown = proofs[0]?.client;
    const candidates = shown === undefined ? this.#clients().withoutSecrets : [shown];
    const found = candidates.find(
      (client) => proofs.every((proof) => proof.client === client) && isSatisfied(client, evidence),
    );
    if (found !== undefined) setCaller(request, found);
    else if (shown !== undefined) throw this.#incomplete(request, shown);
    return found !== undefined;
  }

  #evidence(request: IncomingMessage, proofs: readonly Proof[]): Evidence {
    const believesProxies = this.#proxyClientCertificates;
    return { request, origin: this.#originOf(request), proofs, believesProxies, now: this.#clock() };
  }

  #claimsOf(request: IncomingMessage): readonly Claim[] {
    const { headers } = request;
    const claims: Claim[] = [];
    const key = headers['x-api-key'];
    if (key !== undefined) {
      const secret = String(key);
      if (isTooLong(secret)) throw this.#failed(request, 'secret too long', undefined);
      const client = this.#clients().findByApiKey(secret);
      const name = secret.slice(0, Math.max(0, secret.indexOf('.')));
      claims.push({ way: 'apiKey', secret, name, client, hash: client?.apiKeyHash });
    }
    const given = readBasicCredentials(headers.authorization);
    if (given !== undefined) {
      const { username, password } = given === 'malformed' ? { username: '', password: '' } : given;
      if (isTooLong(username) || isTooLong(password)) throw this.#failed(request, 'secret too long', undefined);
      const client = this.#clients().findClientByUsername(username);
      claims.push({ way: 'password', secret: password, name: username, client, hash: client?.passwordHash });
    }
    return claims;
  }

  async #proofsOf(request: IncomingMessage, claims: readonly Claim[]): Promise<readonly Proof[]> {
    const proofs: Proof[] = [];
    for (const claim of claims) {
      const { way, client } = claim;
      if (!(await this.#isSecret(request, claim)) || client === undefined) {
        throw this.#failed(request, way === 'apiKey' ? 'wrong api key' : 'wrong password', client);
      }
      proofs.push({ way, client });
    }
    return proofs;
  }

  /** Undefined if no client has a secret, in which case there is nothing to compare with. */
  #shownSecret({ secret, name, hash }: Pick<Claim, 'secret' | 'name' | 'hash'>): ShownSecret | undefined {
    const stored = hash ?? this.#clients().exampleHash;
    return stored === undefined ? undefined : { secret, name, stored, isReal: hash !== undefined };
  }

  async #isSecret(request: IncomingMessage, claim: Pick<Claim, 'secret' | 'name' | 'hash'>): Promise<boolean> {
    const shown = this.#shownSecret(claim);
    if (shown === undefined) return false;
    const attempt = this.#attemptOf(request, claim.name);
    let counted = false;
    const isRight = await this.#verifier.verify(shown, attempt, () => {
      counted = true;
      return this.#delays.begin(attempt);
    });
    if (isRight && counted) this.#delays.succeeded(attempt);
    if (isRight) this.rememberProof(request, claim.name);
    return isRight;
  }

  #attemptOf(request: IncomingMessage, name: string): Attempt {
    const network = subscriberNetwork(this.#originOf(request).address);
    const isNameProved = this.#provedFrom.has(`${network} ${name}`);
    return { network, name: isNameProved ? undefined : name, isProved: this.#provedFrom.has(network) };
  }

  /**
   * A correct secret from the wrong place, or without the rest of what is required. The operator needs to know, because the secret may have
   * been stolen.
   */
  #incomplete(request: IncomingMessage, client: KnownClient): ServiceError {
    return this.#failed(request, 'not all conditions of the entry', client);
  }

  #failed(request: IncomingMessage, reason: string, client: KnownClient | undefined): ServiceError {
    this.#logFailure({ reason, address: this.#originOf(request).address, client: client?.name });
    return this.refusal(request, reason);
  }
}

function isSatisfied(client: KnownClient, evidence: Evidence): boolean {
  for (const way of client.ways) {
    if (!isProved(way, client, evidence)) return false;
  }
  return true;
}

function isProved(way: Way, client: KnownClient, { request, origin, proofs, believesProxies, now }: Evidence): boolean {
  if (way === 'network') return client.networks?.(origin.address) === true;
  if (way === 'certificate') {
    const fingerprint = certificateOf(request, origin, believesProxies, now);
    return fingerprint !== undefined && client.certificateFingerprints.has(fingerprint);
  }
  return proofs.some((proof) => proof.way === way && proof.client === client);
}
