/** What programs and staff enter in a field when they have no value, in lower case. */
const WORDS: ReadonlySet<string> = new Set(['', '-', '--', '.', 'na', 'n/a', 'n.a.', 'nil', 'none', 'null']);

/** Most texts are longer, and comparing lengths is cheaper than converting to lower case. */
const LONGEST = Math.max(...[...WORDS].map((word) => word.length));

/** Whether an optional text counts as absent: it is absent, blank, `NA`, `-`, `nil` or the like in any case. */
export function saysNothing(text: string | undefined): text is undefined {
  if (text === undefined) return true;
  const bare = text.trim();
  return bare.length <= LONGEST && WORDS.has(bare.toLowerCase());
}
