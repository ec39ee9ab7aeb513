/**
 * The position of a name in a list, -1 if it is not there; `expected` is tried first. Callers send parameters in the contract's order, and
 * comparing a few names takes a tenth of the time of a map lookup, which must first hash a string that was just read.
 */
export const indexOfName = (names: readonly string[], name: string, expected: number): number =>
  names[expected] === name ? expected : names.indexOf(name);
