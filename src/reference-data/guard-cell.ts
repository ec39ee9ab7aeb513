/**
 * Spreadsheets treat cells that begin like this as formulas, including full-width signs in a Japanese or Chinese locale. Source: OWASP, CSV
 * Injection.
 */
const DANGEROUS = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** The cell, prefixed with an apostrophe if a spreadsheet would evaluate it, or if it looks as if it already had such a prefix. */
export const guardCell = (text: string): string => (DANGEROUS.test(text) ? `'${text}` : text);

/** The inverse. */
export const unguardCell = (text: string): string =>
  text.startsWith("'") && DANGEROUS.test(text) ? text.slice(1) : text;
