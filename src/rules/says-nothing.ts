/** What programs and staff enter in a field when they have no value, in lower case. */
const WORDS: ReadonlySet<string> = new Set(['', '-', '--', '.', 'na', 'n/a', 'n.a.', 'nil', 'none', 'null']);

/** Whether an optional text counts as absent: it is absent, blank, `NA`, `-`, `nil` or the like in any case. */
export const saysNothing = (text: string | undefined): text is undefined =>
  text === undefined || WORDS.has(text.trim().toLowerCase());
