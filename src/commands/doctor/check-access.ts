import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isLoopback } from '../../access/ip-address.ts';
import { ipNetworks } from '../../access/ip-networks.ts';
import { readClients } from '../../access/load-clients.ts';
import { readContract } from '../../contract/read-contract.ts';
import { readTlsFiles } from '../../http/tls-files.ts';
import { startFailure } from '../../process/start-failure.ts';
import type { Config } from '../../settings/config.ts';
import { type Finding, ok, warning, wrong } from './finding.ts';
import { readStored } from './read-stored.ts';

const WSDL_FILE = new URL('../../../wsdl/TPWebServices.wsdl', import.meta.url);
const DAY = 86_400_000;
/** A certificate that expires within this many days must be renewed. */
const ENDS_SOON = 21;

/** Who may call, and whether the clients file can be read. */
export function checkAccess({ host, access: { clientsFile } }: Config): Finding {
  if (clientsFile === undefined) {
    if (isLoopback(host)) return ok('access', 'for every program on this machine, and for whatever a proxy lets in');
    return warning('access', `Anyone who can reach ${host} can book and read; set CLIENTS_FILE.`);
  }
  try {
    const count = readClients(clientsFile, operationNames()).all.length;
    return ok('access', `for the ${count === 1 ? 'client' : `${count} clients`} of ${clientsFile}`);
  } catch (error) {
    return wrong('access', wordsOf(error));
  }
}

/** Centers that are named in the clients file but are not in the database: a typing mistake that would lock a client out. */
export async function checkClientCenters({ database, access: { clientsFile } }: Config): Promise<readonly Finding[]> {
  if (clientsFile === undefined) return [];
  try {
    const clients = readClients(clientsFile, operationNames()).all;
    const centers = await readStored(database, ({ referenceTables }) => referenceTables.centers());
    const known = new Set(centers.map(({ id }) => id));
    return clients.flatMap(({ name, centers: named = new Set<number>() }) => {
      const unknown = [...named].filter((id) => !known.has(id));
      const words = `${clientsFile}: client ${name} names ${unknown.length === 1 ? 'center' : 'centers'} ${unknown.join(', ')}, which the database does not have`;
      return unknown.length === 0 ? [] : [warning('access', `${words}; correct the file, or import the center.`)];
    });
  } catch {
    // Errors of the file or of the database are reported by other checks.
    return [];
  }
}

const operationNames = (): readonly string[] =>
  readContract(readFileSync(WSDL_FILE, 'utf8')).operations.map(({ name }) => name);

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
    const words = `The certificate ${tls.cert} ends ${validToDate.toISOString().slice(0, 10)}`;
    const isEnding = validToDate.getTime() - now < ENDS_SOON * DAY;
    return [isEnding ? warning('TLS', `${words}; replace it in time.`) : ok('TLS', words)];
  } catch (error) {
    return [wrong('TLS', wordsOf(error))];
  }
}

/** Addresses that are reserved for documentation. Source: RFC 5737 and 3849. */
const NOBODYS_ADDRESSES = ['192.0.2.1', '2001:db8::1'];

/** Whether anyone can pretend to be a proxy, and therefore claim any address and any certificate. */
export function checkProxies({ access: { trustedProxies } }: Config): readonly Finding[] {
  if (!NOBODYS_ADDRESSES.some(ipNetworks(trustedProxies))) return [];
  return [warning('proxies', 'TRUSTED_PROXIES trusts every caller to say where it calls from; name only the proxies.')];
}

/** The mistakes in a file are reported one per line. */
const wordsOf = (error: unknown): string => startFailure(error).replace(/\n\s*/g, ' ');
