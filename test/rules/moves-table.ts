/**
 * By type, then by earlier status (1 to 7): the later status, `=` for the same with Changed false, `-` for refused.
 * Taken from the table of moves that the service promises.
 */
export const MOVES_TABLE: Readonly<Record<number, string>> = {
  1: '1 2 - - - - 2',
  2: '2 = 2 - - - -',
  3: '3 3 = - - - 3',
  4: '- 4 4 = - - -',
  5: '- 5 5 5 = - -',
  6: '6 6 6 - - = -',
  7: '7 7 - - - - =',
};
