/** What stands where a person was, once their data were erased. No caller can give an empty phone or text. */
export const ERASED = {
  name: 'Erased',
  phone: '',
  text: '',
} as const;

/**
 * The key in place of a name's. It differs from row to row: two erased persons who were somewhere at the same time are not one patient in two
 * places. No name has a key with a space in it.
 */
export const erasedNameKey = (centerId: number, appointmentId: number): string => `erased ${centerId} ${appointmentId}`;
