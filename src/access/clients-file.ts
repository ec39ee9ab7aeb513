import type { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { TRANSPORTS } from '../contract/contract.ts';
import { expectedBy } from '../settings/expected-by.ts';
import { SetUpError } from '../vocabulary/errors.ts';
import { EXPECTED_NETWORK, ipNetworks, isNetwork } from '../vocabulary/ip-address.ts';
import { ANONYMOUS, type AnswerStyle, type KnownClients, knownClients, type Way } from './client.ts';
import { plainFingerprint } from './client-certificate.ts';
import { EXPECTED_HASH, isTooLong, LONGEST_SECRET, readSecretHash } from './secret-hash.ts';

export interface ClientsFileContext {
  /** For the messages about mistakes. */
  readonly path: string;
  readonly operations: readonly string[];
  /** Those of the settings. */
  readonly answers: AnswerStyle;
  /** Returns the text of a file that the clients file names, relative to it. Throws if it cannot be read, SetUpError with what is expected. */
  readonly readSecretFile: (path: string) => string;
  /** The same for the certificates in such a file. */
  readonly readCertificates: (path: string) => readonly X509Certificate[];
}

const MOST_CLIENTS = 10_000;
export const CLIENT_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const INT_MAX = 2 ** 31 - 1;
const MOST_PER_MINUTE = 100_000_000;

const EXPECTED_NAME = 'expected a name of up to 64 letters, digits, _ and -, that begins with a letter or digit';
const EXPECTED_USERNAME = `expected 1 to 128 characters without a colon, of at most ${LONGEST_SECRET} bytes`;
const EXPECTED_FILE = 'expected the path of a file';
const EXPECTED_FINGERPRINT =
  'expected a SHA-256 fingerprint of 64 hexadecimal digits, with or without colons between them';
const EXPECTED_RATE = `expected a whole number from 0 to ${MOST_PER_MINUTE}`;

/** A set of values that limits what a client may do. */
const some = <Item extends z.ZodType>(item: Item, expected: string) =>
  z
    .array(item, expected)
    .min(1, `${expected}; leave the field out for no limit`)
    .transform((items): ReadonlySet<z.output<Item>> => new Set(items));

const hash = z.string(EXPECTED_HASH).transform((text, context) => {
  const read = readSecretHash(text);
  if (read !== undefined) return read;
  context.addIssue({ code: 'custom', message: EXPECTED_HASH });
  return z.NEVER;
});

const fingerprint = z
  .string(EXPECTED_FINGERPRINT)
  .transform(plainFingerprint)
  .refine((text) => /^[0-9a-f]{64}$/.test(text), EXPECTED_FINGERPRINT);

const contentOf = <Content>(read: (path: string) => Content) =>
  z
    .string(EXPECTED_FILE)
    .min(1, EXPECTED_FILE)
    .transform((path, context) => {
      try {
        return read(path);
      } catch (error) {
        const message = error instanceof SetUpError ? error.message : 'expected a file that can be read';
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      }
    });

/** One client, field by field. An absent field imposes no limit. */
const clientSchema = ({ operations, readSecretFile, readCertificates }: ClientsFileContext) =>
  z.strictObject({
    name: z
      .string(EXPECTED_NAME)
      .regex(CLIENT_NAME, EXPECTED_NAME)
      .refine((name) => name !== ANONYMOUS.name, `expected a name other than ${ANONYMOUS.name}`),
    networks: z
      .array(z.string(EXPECTED_NETWORK).refine(isNetwork, EXPECTED_NETWORK), 'expected an array of networks')
      .min(1, 'expected at least one network')
      .transform(ipNetworks)
      .optional(),
    apiKeyHash: hash.optional(),
    username: z
      .string(EXPECTED_USERNAME)
      .regex(/^[^:\p{Cc}]{1,128}$/u, EXPECTED_USERNAME)
      .refine((name) => !isTooLong(name), EXPECTED_USERNAME)
      .optional(),
    passwordHash: hash.optional(),
    usernameToken: z.boolean('expected true or false').optional(),
    wsPasswordFile: contentOf(readSecretFile)
      .refine((text) => !isTooLong(text), `expected a password of at most ${LONGEST_SECRET} bytes`)
      .optional(),
    certificateFile: contentOf(readCertificates).optional(),
    certificateFingerprint: z
      .preprocess((one) => [one].flat(), z.array(fingerprint).min(1, EXPECTED_FINGERPRINT))
      .optional(),
    operations: some(
      z.enum(operations as [string, ...string[]], `expected one of ${operations.join(', ')}`),
      'expected names of operations',
    ).optional(),
    transports: some(
      z.enum(TRANSPORTS, `expected one of ${TRANSPORTS.join(', ')}`),
      'expected names of transports',
    ).optional(),
    centers: some(
      z
        .int('expected a centerid')
        .min(-INT_MAX - 1)
        .max(INT_MAX),
      'expected centerids',
    ).optional(),
    fields: z.enum(['minimal', 'full'], 'expected minimal or full').optional(),
    ratePerMinute: z.int(EXPECTED_RATE).min(0, EXPECTED_RATE).max(MOST_PER_MINUTE, EXPECTED_RATE).optional(),
    overbook: z.boolean('expected true or false').optional(),
    refusals: z.enum(['fault', 'result'], 'expected fault or result').optional(),
    results: z.enum(['record', 'none'], 'expected record or none').optional(),
  });

/** Each way of identification, with the fields that require it. */
const WAYS = [
  ['network', 'networks'],
  ['apiKey', 'apiKeyHash'],
  ['password', 'username', 'passwordHash', 'wsPasswordFile'],
  ['certificate', 'certificateFingerprint', 'certificateFile'],
] as const satisfies readonly (readonly [Way, ...string[]])[];

type Entry = z.output<ReturnType<typeof clientSchema>>;

const requireWhatBelongsTogether = (answers: AnswerStyle) => (entry: Entry, context: z.RefinementCtx) => {
  const { username, passwordHash, wsPasswordFile, usernameToken, refusals, results } = { ...answers, ...entry };
  const hasPassword = passwordHash !== undefined || wsPasswordFile !== undefined;
  const missing: readonly (readonly [isMissing: boolean, expected: string])[] = [
    [username !== undefined && !hasPassword, 'passwordHash with username'],
    [username === undefined && hasPassword, 'username with the password'],
    [wsPasswordFile !== undefined && usernameToken !== true, 'usernameToken true with wsPasswordFile'],
    [usernameToken === true && username === undefined, 'username with usernameToken'],
    [refusals === 'result' && results === 'none', 'refusals fault with results none'],
    [waysOf(entry).size === 0, `at least one of ${WAYS.map(([, field]) => field).join(', ')}`],
  ];
  for (const [isMissing, what] of missing) {
    if (isMissing) context.addIssue({ code: 'custom', message: `expected ${what}` });
  }
};

function requireDifferentNames(entries: readonly Entry[], context: z.RefinementCtx): void {
  for (const field of ['name', 'username'] as const) {
    const firstOf = new Map<string | undefined, number>();
    for (const [index, entry] of entries.entries()) {
      const first = firstOf.getOrInsert(entry[field], index);
      if (first === index || entry[field] === undefined) continue;
      const message = `expected one other than that of clients[${first}]`;
      context.addIssue({ code: 'custom', path: [index, field], message });
    }
  }
}

const waysOf = (entry: Entry): ReadonlySet<Way> =>
  new Set(WAYS.filter(([, ...fields]) => fields.some((field) => entry[field] !== undefined)).map(([way]) => way));

/** Reads a clients file. Throws SetUpError with every mistake, its location, and what is expected there. Values are never shown. */
export function readClientsFile(text: string, context: ClientsFileContext): KnownClients {
  const { path } = context;
  const json = readJson(text, path);
  const schema = z.strictObject(
    {
      clients: z
        .array(
          clientSchema(context).superRefine(requireWhatBelongsTogether(context.answers)),
          'expected an array of clients',
        )
        .min(1, 'expected at least one client')
        .max(MOST_CLIENTS, `expected at most ${MOST_CLIENTS} clients`)
        .superRefine(requireDifferentNames),
    },
    'expected an object with the field clients',
  );
  const { data, error } = schema.safeParse(json, { error: expectedBy });
  if (error !== undefined) {
    const mistakes = error.issues.map(mistakeOf);
    const count = mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`;
    throw new SetUpError(`The clients file ${path} has ${count}:\n${mistakes.map((line) => `  ${line}`).join('\n')}`);
  }
  return knownClients(
    data.clients.map((entry) => ({
      ...entry,
      ways: waysOf(entry),
      wsPassword: entry.wsPasswordFile,
      certificates: entry.certificateFile,
      certificateFingerprints: new Set([
        ...(entry.certificateFingerprint ?? []),
        ...(entry.certificateFile ?? []).map(({ fingerprint256 }) => plainFingerprint(fingerprint256)),
      ]),
    })),
  );
}

/** The parser's own message may quote the file, and therefore a hash. */
function readJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const where = /\(line \d+ column \d+\)/.exec(String(error))?.[0];
    throw new SetUpError(`The clients file ${path} is not JSON${where === undefined ? '' : ` ${where}`}.`);
  }
}

function mistakeOf(issue: z.core.$ZodIssue): string {
  const where = issue.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  const at = where === '' ? 'the file' : where.replace(/^\./, '');
  if (issue.code === 'unrecognized_keys') return `${at}: there is no field ${issue.keys.map(fieldName).join(', ')}`;
  return `${at}: ${issue.message}`;
}

/** A field's name, as it appears in a mistake. Text that cannot be a field's name may be a misplaced secret. */
const fieldName = (key: string): string =>
  /^[A-Za-z]{1,32}$/.test(key) ? key : 'whose name contains something other than letters';
