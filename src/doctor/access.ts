import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { KnownClients } from '../access/client.ts';
import { certificatesIn } from '../access/client-certificate.ts';
import { readClients } from '../access/load-clients.ts';
import type { Contract } from '../contract/contract.ts';
import type { Config } from '../settings/config.ts';
import { readNamedFile } from '../settings/named-file.ts';
import { isLoopback } from '../vocabulary/ip-address.ts';
import { quoted } from '../vocabulary/text.ts';
import { type Context, errorText, type Finding, ok, type RecordContext, warning, wrong } from './finding.ts';

const DAY = 86_400_000;
/** A certificate that expires within this many days must be renewed. */
const ENDS_SOON = 21;

/** The clients file in which no mistake was found: looking for mistakes in a large one holds up calls. */
const sound = new WeakMap<Config, { readonly text: string; readonly found: readonly Finding[] }>();

/** Who may call: those in the clients file, if it can be read, and until when their certificates; without one, anyone. */
export function checkAccess({ config, contract, clock }: Context): readonly Finding[] {
  const { clientsFile } = config.access;
  if (clientsFile === undefined) return [openAccess(config)];
  try {
    const text = readNamedFile(`CLIENTS_FILE=${clientsFile}`, clientsFile);
    const before = sound.get(config);
    if (before?.text === text) return before.found;
    const clients = clientsIn(config, contract)?.all ?? [];
    const { length } = clients;
    const found = [ok('access', `for the ${length === 1 ? 'client' : `${length} clients`} of ${clientsFile}`)];
    const ends = clients.flatMap(({ name, certificates = [] }) =>
      certificates.map((each) => validity(`The certificate ${subjectOf(each)} of client ${name}`, each, clock())),
    );
    // A certificate's file may be replaced, and its end comes nearer.
    if (ends.length === 0) sound.set(config, { text, found });
    return [...found, ...ends];
  } catch (error) {
    return [wrong('access', errorText(error))];
  }
}

const openAccess = ({ host }: Config): Finding =>
  isLoopback(host)
    ? ok('access', 'for every program on this machine, and for whatever a proxy lets in')
    : warning('access', `Anyone who can reach ${host} can book and read; set CLIENTS_FILE: docs/operators/access.md.`);

/** A name leads wherever name servers say, and shells set HOST to one. */
export function checkHost({ config: { host }, environment }: Context): readonly Finding[] {
  const name = environment.HOST?.trim() ?? '';
  if (name === '' || isIP(name) !== 0 || isLoopback(name)) return [];
  return [warning('access', `HOST=${quoted(name)} is a name: the service listens on ${host}; set an address.`)];
}

/** Throws SetUpError if the file has mistakes. */
function clientsIn(config: Config, contract: Contract): KnownClients | undefined {
  const { clientsFile } = config.access;
  const operations = contract.operations.map(({ name }) => name);
  return clientsFile === undefined ? undefined : readClients(clientsFile, { operations, answers: config });
}

/** Which centers a clients file names although the database does not have them: a typing mistake that would lock a client out. */
export async function checkCenters({ config, contract, queries }: RecordContext): Promise<readonly Finding[]> {
  // A file with mistakes is a finding of its own.
  const clients = await Promise.try(clientsIn, config, contract).catch(() => undefined);
  if (clients === undefined) return [];
  const centers = new Set((await queries.referenceTables.rows('center')).map(({ id }) => id));
  return clients.all.flatMap(({ name, centers: named }) => {
    const unknown = [...(named ?? [])].filter((id) => !centers.has(id));
    if (unknown.length === 0) return [];
    const list = `${unknown.length === 1 ? 'center' : 'centers'} ${unknown.join(', ')}`;
    const text = `${config.access.clientsFile}: client ${name} names ${list}, which the database does not have`;
    return [warning('access', `${text}; correct the file, or import the center.`)];
  });
}

/** When the certificate of this service ends; undefined if it has none. Throws SetUpError if it cannot be read. */
export const certificateEnd = ({ access: { tls } }: Config): Date | undefined =>
  tls && new X509Certificate(readNamedFile(`TLS_CERT=${tls.cert}`, tls.cert)).validToDate;

/** Whether passwords are encrypted; whether the TLS files can be used, and for how long. */
export async function checkTls({ config, clock }: Context): Promise<readonly Finding[]> {
  const { host, access } = config;
  const { tls, trustedProxies } = access;
  if (tls === undefined) {
    // Nothing but this machine calls, or a trusted proxy may provide TLS.
    if (isLoopback(host) || trustedProxies.length > 0) return [];
    const text = 'Passwords and patients’ data cross the network in clear text; set TLS_CERT, or use a proxy with TLS.';
    return [warning('TLS', text)];
  }
  try {
    const now = clock();
    // Node's TLS is loaded only by a service that uses it.
    const { readTlsFiles } = await import('../http/tls-files.ts');
    const { cert, ca } = readTlsFiles(tls, now);
    return [
      validity(`The certificate ${tls.cert}`, new X509Certificate(String(cert)), now),
      ...(ca === undefined ? [] : certificatesIn(String(ca))).map((issuer) =>
        validity(`The issuer ${subjectOf(issuer)} in ${tls.clientCa}`, issuer, now),
      ),
    ];
  } catch (error) {
    return [wrong('TLS', errorText(error))];
  }
}

/** Whether Node can read the issuers that it is to believe besides its own; otherwise it goes on without them. */
export function checkIssuers({
  environment: { NODE_EXTRA_CA_CERTS: file },
}: Pick<Context, 'environment'>): readonly Finding[] {
  try {
    if (file) readNamedFile(`NODE_EXTRA_CA_CERTS=${file}`, file);
    return [];
  } catch (error) {
    return [warning('TLS', errorText(error))];
  }
}

const subjectOf = ({ subject }: X509Certificate): string => subject.replaceAll('\n', ', ');

const day = (date: Date): string => date.toISOString().slice(0, 10);

function validity(what: string, { validFromDate: start, validToDate: end }: X509Certificate, now: number): Finding {
  if (start.getTime() > now)
    return wrong('TLS', `${what} is not valid before ${start.toISOString()}; use one that is.`);
  if (end.getTime() <= now) return wrong('TLS', `${what} ended ${day(end)}; replace or remove it.`);
  const text = `${what} ends ${day(end)}`;
  return end.getTime() - now < ENDS_SOON * DAY ? warning('TLS', `${text}; replace it in time.`) : ok('TLS', text);
}
