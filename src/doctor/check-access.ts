import { X509Certificate } from 'node:crypto';
import type { Client } from '../access/client.ts';
import { readClients } from '../access/load-clients.ts';
import { readContract } from '../contract/read-contract.ts';
import { ownWsdl } from '../contract/wsdl-document.ts';
import { readTlsFiles } from '../http/tls-files.ts';
import type { Config } from '../settings/config.ts';
import { type Finding, ok, warning, wrong } from './finding.ts';
import { startFailure } from './start-failure.ts';

const DAY = 86_400_000;
/** A certificate that expires within this many days must be renewed. */
const ENDS_SOON = 21;

/**
 * Whether the clients file can be read, and which centers it names although the database does not have them: a typing mistake
 * that would lock a client out. `centers` are the ids in the database; undefined if they are not known.
 */
export function checkAccess(config: Config, centers: ReadonlySet<number> | undefined): readonly Finding[] {
  const { clientsFile } = config.access;
  if (clientsFile === undefined) return [];
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

/** Whether the TLS files can be used, and for how long. `now`: milliseconds. */
export function checkTls({ access: { tls } }: Config, now: number): readonly Finding[] {
  if (tls === undefined) return [];
  try {
    const { validToDate } = new X509Certificate(String(readTlsFiles(tls, now).cert));
    const text = `The certificate ${tls.cert} ends ${validToDate.toISOString().slice(0, 10)}`;
    const isEnding = validToDate.getTime() - now < ENDS_SOON * DAY;
    return [isEnding ? warning('TLS', `${text}; replace it in time.`) : ok('TLS', text)];
  } catch (error) {
    return [wrong('TLS', errorText(error))];
  }
}

/** The mistakes in a file are reported one per line. */
export const errorText = (error: unknown): string => startFailure(error).replace(/\n\s*/g, ' ');
