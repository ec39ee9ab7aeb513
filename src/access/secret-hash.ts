import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** A secret as it is stored: the output of `scrypt`, with every parameter needed to compute it again. Source: RFC 7914. */
export interface SecretHash {
  /** Cost: a power of two. */
  readonly N: number;
  /** Block size. */
  readonly r: number;
  /** Parallelization: how many times the computation is performed. */
  readonly p: number;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/** 32 MB. Source: OWASP's Password Storage Cheat Sheet, one of the minimum settings that it lists. */
export const HASH_COSTS = { N: 2 ** 15, r: 8, p: 3 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Maximum number of bytes that one hash may use: a typing mistake in the file must not exhaust the machine's memory. */
const MOST_MEMORY = 256 * 1024 * 1024;

/**
 * Maximum length of a secret in bytes. Longer ones would cost time before the caller is known: Unicode normalization of 60 kB of accents
 * takes seconds.
 */
export const LONGEST_SECRET = 256;

/** Whether a text is longer than any secret, or any other login field, may be. Examines no more of the text than necessary. */
export const isTooLong = (text: string): boolean =>
  text.length > LONGEST_SECRET || Buffer.byteLength(text) > LONGEST_SECRET;

export const EXPECTED_HASH = 'expected scrypt$N$r$p$salt$hash, as tpws hash-secret prints it';

/** Reads `scrypt$N$r$p$salt$hash` with salt and hash in base64url. Returns undefined if it does not have that form, or is too expensive. */
export function readSecretHash(text: string): SecretHash | undefined {
  const [, n, blocks, parallel, saltText = '', hashText = ''] =
    /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([\w-]+)\$([\w-]+)$/.exec(text) ?? [];
  const [N, r, p] = [Number(n), Number(blocks), Number(parallel)];
  const salt = Buffer.from(saltText, 'base64url');
  const hash = Buffer.from(hashText, 'base64url');
  const isCost = Number.isInteger(Math.log2(N)) && N >= 2 && r >= 1 && p >= 1 && p <= 16 && 128 * N * r <= MOST_MEMORY;
  return isCost && salt.length >= 8 && hash.length >= 16 && hash.length <= 64 ? { N, r, p, salt, hash } : undefined;
}

export const writeSecretHash = ({ N, r, p, salt, hash }: SecretHash): string =>
  ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');

/** Hashes a secret; `random` returns as many random bytes as requested. */
export async function hashSecret(
  secret: string,
  random: (bytes: number) => Buffer,
  costs: Pick<SecretHash, 'N' | 'r' | 'p'> = HASH_COSTS,
): Promise<SecretHash> {
  const salt = random(SALT_BYTES);
  const { N, r, p } = costs;
  return { N, r, p, salt, hash: await derive(secret, salt, HASH_BYTES, costs) };
}

/**
 * Whether a secret is the one that was hashed, compared in constant time. A secret that contains U+0000 never matches: scrypt cannot
 * distinguish one that ends with it from the same secret without it, because HMAC pads its key with zeros. A secret that is too long never
 * matches, and is not hashed.
 */
export async function matchesHash(secret: string, stored: SecretHash): Promise<boolean> {
  if (isTooLong(secret)) return false;
  const isEqual = timingSafeEqual(await derive(secret, stored.salt, stored.hash.length, stored), stored.hash);
  return isEqual && !secret.includes('\0');
}

/** Texts that look the same are considered the same, however a keyboard composes them. Source: RFC 8265, 4.2.2. */
function derive(secret: string, salt: Buffer, length: number, { N, r, p }: ScryptOptions): Promise<Buffer> {
  const options = { N, r, p, maxmem: 2 * MOST_MEMORY } as ScryptOptions;
  return new Promise((resolve, reject) => {
    scrypt(secret.normalize('NFC'), salt, length, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
