/** What replaces a person's data once it has been erased. A caller cannot send an empty phone or text. */
export const ERASED = {
  name: 'Erased',
  phone: '',
  text: '',
} as const;

/**
 * The key that replaces that of the name. It differs between rows, because two erased persons whose appointments overlapped must not count
 * as one patient. No name has a key that contains a space.
 */
export const erasedNameKey = (centerId: number, appointmentId: number): string => `erased ${centerId} ${appointmentId}`;
