/** The least and the greatest number that an integer column of both databases holds. */
export const INTEGER_BOUNDS = { least: -2_147_483_648, greatest: 2_147_483_647 } as const;
