import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashSecret, type SecretHash, writeSecretHash } from '../../../src/access/secret-hash.ts';
import { requestOver } from '../../support/http/four-transports.ts';
import { type Caller, type SentAnswer, sendAs } from '../../support/http/send-as.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { securityHeader, type TokenParts, usernameToken } from './ws-security/security-header.ts';

/** The cheapest possible hash: tests check only its result. */
export const cheapHash = (secret: string): Promise<SecretHash> => hashSecret(secret, randomBytes, { N: 2, r: 1, p: 1 });

/** It as a clients file has it. */
export const hashOf = async (secret: string): Promise<string> => writeSecretHash(await cheapHash(secret));

/** Writes a clients file, and beside it the files of passwords that it names; its path. */
export function writeClients(clients: readonly object[], passwords: Readonly<Record<string, string>> = {}): string {
  const folder = temporaryFolder().path;
  for (const [name, text] of Object.entries(passwords)) writeFileSync(join(folder, name), text, { mode: 0o600 });
  const file = join(folder, 'clients.json');
  writeFileSync(file, JSON.stringify({ clients }));
  return file;
}

/** Calls GetDoctor over SOAP 1.1 with a UsernameToken. */
export function sendToken(endpoint: string, token: TokenParts, caller: Caller): Promise<SentAnswer> {
  const { body = '', ...request } = requestOver('soap11', endpoint, 'GetDoctor', { centerid: 2 });
  const header = `<soap:Header>${securityHeader(usernameToken(token))}</soap:Header>`;
  return sendAs({ ...request, body: body.replace('<soap:Body>', `${header}<soap:Body>`) }, caller);
}
