import {
  HARMLESS_ADDRESSES,
  HARMLESS_NUMBERS,
  HARMLESS_PASSWORDS,
  HARMLESS_TEXTS,
  type Harmless,
} from './known-harmless.ts';

/** Something in a file that looks like a secret or like personal data. */
export interface Finding {
  /** From 1. */
  readonly line: number;
  readonly what: string;
}

interface Rule {
  readonly what: string;
  readonly pattern: RegExp;
  /** The part of the match that is judged; by default the whole of it. */
  readonly judged?: (match: RegExpExecArray) => string;
  readonly harmless?: readonly Harmless[];
  /** Whether the judged text is of this kind at all. */
  readonly isMeant?: (text: string) => boolean;
}

const RULES: readonly Rule[] = [
  { what: 'a private key', pattern: /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/g },
  {
    what: 'a token',
    pattern:
      /\b(?:AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{22,}|glpat-[\w-]{20,}|xox[abprs]-[\w-]{10,}|npm_[A-Za-z0-9]{36}|AIza[\w-]{35}|sk_live_\w{16,}|eyJ[\w-]{10,}\.eyJ[\w-]{10,})/g,
  },
  {
    what: 'a password in a URL',
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'`<>]*:([^\s/@"'`<>]+)@/gi,
    judged: ([, password = '']) => password,
    harmless: HARMLESS_PASSWORDS,
  },
  {
    what: 'a mail address',
    pattern: /(?<![\w.%+-])[\w.%+-]+@[\w-]+(?:\.[\w-]*)*\.[A-Za-z]{2,}/g,
    harmless: HARMLESS_ADDRESSES,
  },
  {
    what: 'a phone number',
    // International, or Indian mobile numbers in common spellings.
    pattern: /(?<![\w.+-])(?:\+[1-9]\d{0,2}[ -]?\d(?:[ -]?\d){6,12}|(?:0|91[ -]?)?[6-9]\d{4}[ -]?\d{5})(?![\w-]|\.\d)/g,
    judged: ([text]) => digitsOf(text),
    harmless: HARMLESS_NUMBERS,
  },
  { what: 'an Aadhaar number', pattern: /(?<![\w-])[2-9]\d{3} \d{4} \d{4}(?![\w-])/g },
  { what: 'a PAN', pattern: /\b[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]\b/g },
  {
    what: 'a text that looks like a secret',
    pattern: /(?<![\w+/=-])[\w+/-]{24,}={0,2}(?![\w+/=-])/g,
    harmless: HARMLESS_TEXTS,
    isMeant: (text) => looksLikeChance(text),
  },
];

/** Number in international form: country code and digits. */
function digitsOf(text: string): string {
  const digits = text.replace(/\D/g, '');
  if (text.startsWith('+')) return digits;
  return `91${digits.slice(-10)}`;
}

/** Bits per character above which letters and digits are not a word, and hexadecimal digits are not a number that a person wrote. */
const CHANCE = { mixed: 4.1, hexadecimal: 3.4 } as const;

function looksLikeChance(text: string): boolean {
  const plain = text.replace(/=+$/, '');
  if (/^[0-9a-f]{32,}$/i.test(plain)) return bitsOf(plain) > CHANCE.hexadecimal;
  const isMixed = /[a-z]/.test(plain) && /[A-Z]/.test(plain) && (plain.match(/\d/g)?.length ?? 0) >= 3;
  return isMixed && bitsOf(plain) > CHANCE.mixed;
}

/** Shannon's entropy of a text's characters, in bits per character. */
function bitsOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** How the files of databases and their dumps begin. Source: SQLite's file format, 1.3.1; pg_dump's custom format. */
const DATABASE = /^(?:SQLite format 3\0|PGDMP)/;

/** What a file's text contains that only its owner should have. The text itself is not repeated. */
export function findSecrets(text: string): readonly Finding[] {
  if (DATABASE.test(text)) return [{ line: 1, what: 'a database' }];
  return text.split('\n').flatMap((content, index) =>
    RULES.flatMap(({ what, pattern, judged = ([whole]) => whole, harmless = [], isMeant = () => true }) =>
      [...content.matchAll(pattern)]
        .map(judged)
        .filter((found) => isMeant(found) && !harmless.some(({ is }) => is.test(found)))
        .map(() => ({ line: index + 1, what })),
    ),
  );
}
