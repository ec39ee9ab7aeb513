import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import {
  BASE64_BINARY,
  PASSWORD_DIGEST,
  PASSWORD_TEXT,
  WSSE_NAMESPACE,
  WSU_NAMESPACE,
} from '../../access/ws-security/namespaces.ts';
import { readPrivateFile } from '../../access/ws-security/read-private-file.ts';
import { formatInstant } from '../../rules/time-zone.ts';
import { SetUpError } from '../../vocabulary/errors.ts';
import { escapeText } from '../../xml/escape.ts';
import { type CommandHost, UsageError } from '../command-host.ts';

export interface SmokeHost extends CommandHost {
  readonly random: (count: number) => Buffer;
}

/** How the run logs in. Secrets are never among these options, because other users of the machine can see command lines. */
export interface LogInFlags {
  readonly apiKeyFile?: string;
  readonly user?: string;
  readonly passwordFile?: string;
  readonly wsSecurity?: keyof typeof PASSWORD_TYPES;
}

/** What is sent with a request: HTTP headers, and blocks for the header of a SOAP message. */
export interface Proof {
  readonly headers: Readonly<Record<string, string>>;
  readonly blocks: string;
}

/** Called for each request, because a nonce is valid only once. `isSoap` says whether the request is a SOAP message. */
export type LogIn = (isSoap: boolean) => Proof;

export const PASSWORD_TYPES = { text: PASSWORD_TEXT, digest: PASSWORD_DIGEST } as const;

/** Without these options, the secrets are read from these variables. */
const API_KEY_VARIABLE = 'SMOKE_API_KEY';
const PASSWORD_VARIABLE = 'SMOKE_PASSWORD';
const NONCE_BYTES = 16;

/** Reads the secrets. Throws SetUpError if they are missing, unreadable, or cannot be combined. */
export function readLogIn({ apiKeyFile, user, passwordFile, wsSecurity }: LogInFlags, host: SmokeHost): LogIn {
  const apiKey = secretOf('--api-key-file', apiKeyFile, API_KEY_VARIABLE, host);
  const password = secretOf('--password-file', passwordFile, PASSWORD_VARIABLE, host);
  if (user === undefined && password !== undefined) {
    throw new UsageError(`--password-file, ${PASSWORD_VARIABLE}: expected --user with the password.`);
  }
  if (user === undefined && wsSecurity !== undefined) {
    throw new UsageError('--ws-security: expected --user with it.');
  }
  if (wsSecurity !== undefined && apiKey !== undefined) {
    throw new UsageError('--ws-security: expected no API key with it; no client logs in with both.');
  }
  const keyHeaders: Proof['headers'] = apiKey === undefined ? {} : { 'X-API-Key': apiKey };
  if (user === undefined) return () => ({ headers: keyHeaders, blocks: '' });
  if (password === undefined) {
    throw new UsageError(`--user: expected --password-file, or ${PASSWORD_VARIABLE}, with it.`);
  }
  const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  return (isSoap) =>
    isSoap && wsSecurity !== undefined
      ? { headers: keyHeaders, blocks: usernameToken(wsSecurity, user, password, host) }
      : { headers: { ...keyHeaders, Authorization: basic }, blocks: '' };
}

function secretOf(option: string, file: string | undefined, variable: string, { environment, folder }: CommandHost) {
  if (file === undefined) return environment[variable]?.trim() || undefined;
  let secret: string;
  try {
    secret = readPrivateFile(resolve(folder, file));
  } catch (error) {
    const words = error instanceof SetUpError ? error.message : 'expected a file that can be read';
    throw new SetUpError(`${option} ${file}: ${words}.`);
  }
  if (secret === '') throw new SetUpError(`${option} ${file}: the file is empty; expected the secret in it.`);
  return secret;
}

/** Source: OASIS UsernameToken Profile 1.1, 3.1. */
function usernameToken(
  type: keyof typeof PASSWORD_TYPES,
  user: string,
  password: string,
  { random, clock }: SmokeHost,
): string {
  const nonce = random(NONCE_BYTES);
  const created = formatInstant(clock());
  const shown =
    type === 'text' ? password : createHash('sha1').update(nonce).update(created).update(password).digest('base64');
  return (
    `<wsse:Security xmlns:wsse="${WSSE_NAMESPACE}" xmlns:wsu="${WSU_NAMESPACE}"><wsse:UsernameToken>` +
    `<wsse:Username>${escapeText(user)}</wsse:Username>` +
    `<wsse:Password Type="${PASSWORD_TYPES[type]}">${escapeText(shown)}</wsse:Password>` +
    `<wsse:Nonce EncodingType="${BASE64_BINARY}">${nonce.toString('base64')}</wsse:Nonce>` +
    `<wsu:Created>${created}</wsu:Created></wsse:UsernameToken></wsse:Security>`
  );
}
