/** The smallest and greatest numbers that an integer column of both databases can hold. */
export const INTEGER_BOUNDS = { least: -2_147_483_648, greatest: 2_147_483_647 } as const;

/**
 * A number that the database assigned. Throws Error if it is out of bounds: SQLite continues beyond them, and callers could not read the
 * number.
 */
export function numberGiven(given: number | null | undefined, what: string): number {
  if (given === undefined || given === null) throw new Error(`${what}: the database gave no number`);
  if (given > INTEGER_BOUNDS.greatest) throw new Error(`${what}: all numbers are used up`);
  return given;
}
