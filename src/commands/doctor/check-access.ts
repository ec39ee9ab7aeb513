import { X509Certificate } from 'node:crypto';
import type { Client } from '../../access/client.ts';
import { ipNetworks, isLoopback } from '../../access/ip-address.ts';
import { readClients } from '../../access/load-clients.ts';
import { readContract } from '../../contract/read-contract.ts';
import { ownWsdl } from '../../contract/wsdl-document.ts';
import { readTlsFiles } from '../../http/tls-files.ts';
import { type Finding, ok, warning, wrong } from '../../maintenance/finding.ts';
import { startFailure } from '../../process/start-failure.ts';
import type { Config } from '../../settings/config.ts';

const DAY = 86_400_000;
/** A certificate that expires within this many days must be renewed. */
const ENDS_SOON = 21;

/**
 * Who may call, whether the clients file can be read, and which centers it names although the database does not have them: a typing mistake
 * that would lock a client out. `centers` are the ids in the database; undefined if they are not known.
 */
export function checkAccess(config: Config, centers: ReadonlySet<number> | undefined): readonly Finding[] {
  const {
    host,
    access: { clientsFile },
  } = config;
  if (clientsFile === undefined) {
    if (isLoopback(host)) return [ok('access', 'for every program on this machine, and for whatever a proxy lets in')];
    return [warning('access', `Anyone who can reach ${host} can book and read; set CLIENTS_FILE.`)];
  }
  try {
    const clients = readClients(clientsFile, { operations: operationNames(), answers: config }).all;
    const count = clients.length;
    const found = ok('access', `for the ${count === 1 ? 'client' : `${count} clients`} of ${clientsFile}`);
    return [found, ...clients.flatMap((client) => unknownCenters(client, clientsFile, centers))];
  } catch (error) {
    return [wrong('access', errorText(error))];
  }
}

function unknownCenters(
  { name, centers: named }: Client,
  clientsFile: string,
  centers: ReadonlySet<number> | undefined,
): readonly Finding[] {
  const unknown = [...(named ?? [])].filter((id) => centers?.has(id) === false);
  if (unknown.length === 0) return [];
  const list = `${unknown.length === 1 ? 'center' : 'centers'} ${unknown.join(', ')}`;
  return [
    warning(
      'access',
      `${clientsFile}: client ${name} names ${list}, which the database does not have; correct the file, or import the center.`,
    ),
  ];
}

const operationNames = (): readonly string[] => readContract(ownWsdl()).operations.map(({ name }) => name);

/**
 * Whether the TLS files can be used, and for how long. If the service speaks plain HTTP, there is no finding, unless it listens on the
 * network and no trusted proxy is configured that could provide TLS. `now`: milliseconds.
 */
export function checkTls({ host, access: { tls, trustedProxies } }: Config, now: number): readonly Finding[] {
  if (tls === undefined) {
    if (isLoopback(host) || trustedProxies.length > 0) return [];
    return [
      warning(
        'TLS',
        'Passwords and patients’ data cross the network in clear text; set TLS_CERT, or use a proxy with TLS.',
      ),
    ];
  }
  try {
    const { validToDate } = new X509Certificate(String(readTlsFiles(tls, now).cert));
    const text = `The certificate ${tls.cert} ends ${validToDate.toISOString().slice(0, 10)}`;
    const isEnding = validToDate.getTime() - now < ENDS_SOON * DAY;
    return [isEnding ? warning('TLS', `${text}; replace it in time.`) : ok('TLS', text)];
  } catch (error) {
    return [wrong('TLS', errorText(error))];
  }
}

/** Addresses that are reserved for documentation. Source: RFC 5737 and 3849. */
const NOBODYS_ADDRESSES = ['192.0.2.1', '2001:db8::1'];

/** Whether anyone can pretend to be a proxy, and so claim any address and certificate, or PUBLIC_URL is that of a proxy that is not trusted. */
export function checkProxies({ host, publicUrl, access: { trustedProxies } }: Config): readonly Finding[] {
  if (NOBODYS_ADDRESSES.some(ipNetworks(trustedProxies))) {
    const text = 'TRUSTED_PROXIES trusts every caller to say where it calls from; name only the proxies.';
    return [warning('proxies', text)];
  }
  const isBehindProxy = publicUrl !== undefined && isLoopback(host) && !isLoopback(new URL(publicUrl).hostname);
  if (!isBehindProxy || trustedProxies.length > 0) return [];
  const text = 'all callers count as this machine, which has no rate limit; set TRUSTED_PROXIES, such as to 127.0.0.1.';
  return [warning('proxies', `Behind the proxy of ${publicUrl}, ${text}`)];
}

/** The mistakes in a file are reported one per line. */
export const errorText = (error: unknown): string => startFailure(error).replace(/\n\s*/g, ' ');
