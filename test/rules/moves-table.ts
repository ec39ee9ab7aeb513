/**
 * By type, then by status before (1 to 7): the status after, `=` for the same and Changed false, `-` for refused.
 * From the table of the moves that the service promises.
 */
export const MOVES_TABLE: Readonly<Record<number, string>> = {
  1: '1 2 - - - - 2',
  2: '2 = - - - - -',
  3: '3 3 = - - - 3',
  4: '- 4 4 = - - -',
  5: '- 5 5 5 = - -',
  6: '6 6 6 - - = -',
  7: '7 7 - - - - =',
};
