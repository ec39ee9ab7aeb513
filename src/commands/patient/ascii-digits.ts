const DIGIT = /\p{Nd}/u;
const OTHER_DIGITS = /(?![0-9])\p{Nd}/gu;

/** The text with 0 to 9 in place of full-width digits and the digits of all scripts. */
export const asciiDigits = (text: string): string => text.normalize('NFKC').replace(OTHER_DIGITS, digitValue);

/** Unicode's decimal digits are in ranges of ten, from zero to nine. Two ranges may be adjacent. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) as number;
  let zero = code;
  while (DIGIT.test(String.fromCodePoint(zero - 1))) zero--;
  return String((code - zero) % 10);
}
