import { closeSync, fstatSync, openSync } from 'node:fs';
import { platform } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Log } from '../log/log.ts';
import { namedText, readNamedFile } from '../settings/named-file.ts';
import { SetUpError } from '../vocabulary/errors.ts';
import type { KnownClients } from './client.ts';
import { certificatesIn } from './client-certificate.ts';
import { type ClientsFileContext, readClientsFile } from './clients-file.ts';

type Known = Pick<ClientsFileContext, 'operations' | 'answers'>;

/** Throws SetUpError if the file cannot be read or has mistakes. */
export const readClients = (path: string, { operations, answers }: Known): KnownClients =>
  readClientsFile(readNamedFile(`CLIENTS_FILE=${path}`, path), {
    path,
    operations,
    answers,
    readSecretFile: (file) => readPrivateFile(resolve(dirname(path), file)),
    readCertificates: (file) => certificatesIn(namedText(resolve(dirname(path), file))),
  });

/** The clients of a file, which can be reloaded while the service runs. */
export function loadClients(path: string, known: Known, log: Log) {
  const read = () => readClients(path, known);
  let clients = read();
  return {
    current: () => clients,
    /** A file with mistakes changes nothing: they are logged, and the clients stay as they are. */
    reload: () => {
      try {
        clients = read();
        log.info('clients file read', { count: clients.all.length });
      } catch (error) {
        log.error('clients file has mistakes, the previous one stays in use', { error });
      }
    },
  };
}

/** Permission bits of all other users of the machine. */
const OTHERS = 0o007;

/**
 * Reads one secret in plain text, without the line end that editors add. Throws SetUpError if the file is empty, or if anyone but its
 * owner and its group may read or write it (Windows has no such bits), and Node's own error if it cannot be opened.
 */
export function readPrivateFile(path: string): string {
  const file = openSync(path, 'r');
  try {
    if (platform() !== 'win32' && (fstatSync(file).mode & OTHERS) !== 0) {
      throw new SetUpError('expected a file that only its owner and group can read, for example after chmod o-rwx');
    }
    return namedText(file).replace(/\r?\n$/, '');
  } finally {
    closeSync(file);
  }
}
