/** What a message says it expected: one word as it is, two as "A or B", more as "one of A, B, C". */
export const oneOf = (words: readonly string[]): string =>
  words.length < 3 ? words.join(' or ') : `one of ${words.join(', ')}`;
