import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** A secret as it is stored: what `scrypt` makes of it, with everything that is needed to do that again. Source: RFC 7914. */
export interface SecretHash {
  /** Cost: a power of two. */
  readonly N: number;
  /** Block size. */
  readonly r: number;
  /** How often the whole is done. */
  readonly p: number;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/** 32 MB, and some 200 ms of one core. Source: OWASP's Password Storage Cheat Sheet, one of the settings that it names as least. */
export const HASH_COSTS = { N: 2 ** 15, r: 8, p: 3 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Bytes that one hash may take: a typing mistake in the file must not fill the machine. */
const MOST_MEMORY = 256 * 1024 * 1024;

/** Bytes of the longest secret. More would be work before anybody is known: Unicode's normal form of 60 kB of accents takes seconds. */
export const LONGEST_SECRET = 256;

/** Whether a text is longer than any secret, or any other word of a log-in; looks at no more than that. */
export const isTooLong = (text: string): boolean =>
  text.length > LONGEST_SECRET || Buffer.byteLength(text) > LONGEST_SECRET;

export const EXPECTED_HASH = 'expected scrypt$N$r$p$salt$hash, as npm run hash-secret prints it';

/** Reads `scrypt$N$r$p$salt$hash` with salt and hash in base64url; undefined if it is not of that form, or too dear. */
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

/** The hash of a secret; `random` gives as many random bytes as it is asked for. */
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
 * Whether a secret is the one that was hashed; compared in constant time. None with U+0000 is: scrypt can't tell it from the same without, at the
 * end, since HMAC fills its key up with them. None that is too long is, at once.
 */
export async function matchesHash(secret: string, stored: SecretHash): Promise<boolean> {
  if (isTooLong(secret)) return false;
  const isEqual = timingSafeEqual(await derive(secret, stored.salt, stored.hash.length, stored), stored.hash);
  return isEqual && !secret.includes('\0');
}

/** Text that looks the same is the same, however a keyboard composes it. Source: RFC 8265, 4.2.2. */
function derive(secret: string, salt: Buffer, length: number, { N, r, p }: ScryptOptions): Promise<Buffer> {
  const options = { N, r, p, maxmem: 2 * MOST_MEMORY } as ScryptOptions;
  return new Promise((resolve, reject) => {
    scrypt(secret.normalize('NFC'), salt, length, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
