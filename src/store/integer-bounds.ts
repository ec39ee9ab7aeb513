/** The least and the greatest number that an integer column of both databases holds. */
export const INTEGER_BOUNDS = { least: -2_147_483_648, greatest: 2_147_483_647 } as const;

/** A number that the database gave. Throws Error for one beyond the bounds: SQLite goes on there, and callers could not read it. */
export function numberGiven(given: number | undefined, what: string): number {
  if (given === undefined) throw new Error(`${what}: the database gave no number`);
  if (given > INTEGER_BOUNDS.greatest) throw new Error(`${what}: all numbers are used up`);
  return given;
}
