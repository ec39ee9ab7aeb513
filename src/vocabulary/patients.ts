/** Letters and digits of a text, in capitals: `n/a` and `N.A.` are the same. */
export const bareText = (text: string): string => text.toUpperCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** Zeros, or another digit and nothing else but it: what staff enter where a form insists on a number. */
const ONE_DIGIT_REPEATED = /^(?:0|(\p{Nd})\1+)$/u;

/** Hyphens, blanks, and what nobody sees: programs print one number with and without them. */
const NOT_OF_NUMBER = /[\s\p{Pd}\p{Default_Ignorable_Code_Point}]+/gu;

/**
 * A number of a patient in the form used for comparison: `91-1234` and `91 1234` are the same. An address such as `asha@abdm` is a number, too.
 * Null for what can identify nobody: a text without a digit, such as `NEW` or `N/A`, or with only one digit, repeated, such as `9999`.
 */
export function registrationKey(text: string | null | undefined): string | null {
  const written = (text ?? '').trim().toUpperCase().normalize('NFC');
  if (/[\p{L}\p{N}]@[\p{L}\p{N}]/u.test(written)) return written;
  const bare = bareText(written);
  return !/\p{Nd}/u.test(bare) || ONE_DIGIT_REPEATED.test(bare) ? null : written.replace(NOT_OF_NUMBER, '');
}

/** A title in front of a name. `Sri` and `Kumari` are also names, so they need a dot. It counts only if another word follows. */
const LEADING_TITLE = /^[\s.]*((?:mr|mrs|ms|miss|mx|dr|prof|shri|smt|kum)[\s.]|(?:sri|kumari)\.)[\s.]*(?=[^\s.])/i;

/** The titles in front of a name, in lower case with blanks between them, and the rest. */
export function splitName(name: string): { readonly titles: string; readonly rest: string } {
  let titles = '';
  let rest = name.normalize('NFKC');
  for (let found = LEADING_TITLE.exec(rest); found !== null; found = LEADING_TITLE.exec(rest)) {
    titles += ` ${found[1]}`;
    rest = rest.slice(found[0].length);
  }
  return { titles: titles.toLowerCase(), rest };
}

/** White space, dots, apostrophes of any kind, also of those who type an accent, and what nobody sees. */
const NOT_COMPARED = /[\s.'`´‘’‛′ʹ-ʿˈ׳\p{Default_Ignorable_Code_Point}]+/gu;

/** The name in the form used for comparison: `Dr. Asha RAO` and `asha rao` are the same, and so are `O'Neil` and `O’Neil`. */
export const nameKey = (name: string): string =>
  // Upper case first: ß and SS are one. Before NFKC, an accent that stands alone is still one character.
  splitName(name.replace(/´/g, ''))
    .rest.replace(NOT_COMPARED, '')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('i\u0307', 'i')
    .normalize('NFKC');

/** Letters that a search takes for others: forms of Arabic, Persian and Urdu ones that look the same, and Latin ones that no accent explains. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  '\u0649': '\u064a',
  '\u06cc': '\u064a',
  '\u06a9': '\u0643',
  '\u0629': '\u0647',
  '\u06be': '\u0647',
  '\u06c1': '\u0647',
  '\u0671': '\u0627',
  ø: 'o',
  ł: 'l',
  đ: 'd',
};

/** The letters and digits of a text in the form used to find people: wider than a key, without accents, vowel marks and lookalikes. */
export const foundText = (text: string): string =>
  /^[ -~]*$/.test(text)
    ? text.toLowerCase().replace(/[^a-z0-9]+/g, '')
    : text
        .toUpperCase()
        .toLowerCase()
        .normalize('NFKD')
        .replace(/\p{Script=Inherited}+|[^\p{L}\p{M}\p{N}]+/gu, '')
        .replace(/[\u0627-\u06ccøłđ]/g, (letter) => LOOKALIKES[letter] ?? letter);

/** The words of a name in the same form, in any of which a part of a word may stand. */
export const foundWords = (name: string): readonly string[] =>
  splitName(name)
    .rest.split(/[\s.,\p{Pd}]+/u)
    .map(foundText)
    .filter((word) => word !== '');

/** What takes the place of the name of a patient whose data was erased, in answers and files. */
export const ERASED_NAME = 'Erased';
