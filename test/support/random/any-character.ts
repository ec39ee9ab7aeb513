import fc from 'fast-check';

/**
 * Any Unicode character. Like the unit `binary` of `fc.string`, without the table of all 1.1 million characters that fast-check builds
 * for that one in each process.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .oneof(fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint));
