/** A spreadsheet takes a cell that begins so for a formula, in a Japanese or Chinese setting full-width signs too. Source: OWASP, CSV Injection. */
const DANGEROUS = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** The cell with an apostrophe before it if a spreadsheet would calculate it, or if it looks as though it had one already. */
export const guardCell = (text: string): string => (DANGEROUS.test(text) ? `'${text}` : text);

/** The inverse. */
export const unguardCell = (text: string): string =>
  text.startsWith("'") && DANGEROUS.test(text) ? text.slice(1) : text;
