import { execFileSync } from 'node:child_process';
import { randomBytes, X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashSecret, writeSecretHash } from '../../../src/access/secret-hash.ts';
import { type ReadyService, startReady } from '../../support/process/service-process.ts';

/** A service that uses https and admits only known clients, and their credentials, as passed to ACCESS_CLIENTS. */
export interface AccessService {
  readonly service: ReadyService;
  readonly environment: Readonly<Record<string, string>>;
}

const DAYS = '2';
/** Letters that platforms encode differently, but none that differ between Latin-1 and UTF-8: HTTP Basic has no fixed charset. */
const PASSWORD = 'k7#Qz; 42~ward/3';
const USERS = { token: 'ward-3', basic: 'reception' } as const;
/** A key begins with its client's name and a dot. */
const API_KEY = 'desk.Zt4-interop_9c1';

/** A certificate authority, a server certificate for this machine and a client certificate, created for this run by openssl. */
function makeCertificates(folder: string): void {
  const openssl = (...options: readonly string[]) => execFileSync('openssl', options, { cwd: folder, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const self = ['-keyout', 'ca.key', '-out', 'ca.pem', '-days', DAYS, '-subj', '/CN=Interop test issuer'];
  openssl('req', '-x509', ...key, ...self);
  for (const [name, subject, extensions] of [
    ['server', 'localhost', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
    ['client', 'interop client', 'extendedKeyUsage=clientAuth'],
  ] as const) {
    writeFileSync(join(folder, `${name}.ext`), `${extensions}\n`);
    openssl('req', '-new', ...key, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${subject}`);
    openssl(
      ...['x509', '-req', '-in', `${name}.csr`, '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
      ...['-out', `${name}.pem`, '-days', DAYS, '-extfile', `${name}.ext`],
    );
  }
  // The only encryption that Mono can read.
  const old = ['-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES', '-macalg', 'sha1'];
  openssl(
    ...['pkcs12', '-export', '-in', 'client.pem', '-inkey', 'client.key', '-out', 'client.p12'],
    ...['-passout', `pass:${PASSWORD}`, ...old],
  );
}

/** Starts it in a folder below an existing one. */
export async function startAccessService(parent: string): Promise<AccessService> {
  const folder = join(parent, 'access');
  mkdirSync(folder);
  makeCertificates(folder);
  const passwordHash = writeSecretHash(await hashSecret(PASSWORD, randomBytes));
  const { fingerprint256 } = new X509Certificate(readFileSync(join(folder, 'client.pem')));
  const clients = [
    { name: 'ward', username: USERS.token, passwordHash, usernameToken: true, wsPasswordFile: 'ward.txt' },
    { name: 'reception', username: USERS.basic, passwordHash },
    { name: 'machine', certificateFingerprint: fingerprint256 },
    { name: 'desk', apiKeyHash: writeSecretHash(await hashSecret(API_KEY, randomBytes)) },
  ];
  writeFileSync(join(folder, 'ward.txt'), PASSWORD, { mode: 0o600 });
  writeFileSync(join(folder, 'clients.json'), JSON.stringify({ clients }), { mode: 0o600 });
  const service = await startReady(folder, {
    DATABASE_URL: `sqlite:${join(folder, 'access.db')}`,
    CLIENTS_FILE: 'clients.json',
    TLS_CERT: 'server.pem',
    TLS_KEY: 'server.key',
    TLS_CLIENT_CA: 'ca.pem',
  });
  const environment = {
    CA: join(folder, 'ca.pem'),
    TOKEN_USER: USERS.token,
    BASIC_USER: USERS.basic,
    PASSWORD,
    API_KEY,
    CLIENT_CERT: join(folder, 'client.pem'),
    CLIENT_KEY: join(folder, 'client.key'),
    CLIENT_P12: join(folder, 'client.p12'),
  };
  return { service, environment };
}
