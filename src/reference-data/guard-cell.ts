/** Cells that begin so are formulas to a spreadsheet, full-width signs too in a Japanese or Chinese setting. Source: OWASP, CSV Injection. */
const DANGEROUS = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** The cell, prefixed with an apostrophe if a spreadsheet would calculate it or if it looks as if it already had one. */
export const guardCell = (text: string): string => (DANGEROUS.test(text) ? `'${text}` : text);

/** The inverse. */
export const unguardCell = (text: string): string =>
  text.startsWith("'") && DANGEROUS.test(text) ? text.slice(1) : text;
