/** How the audit trail records an erasure. */
export const ERASURE = {
  /** No client can have this name, because names in the clients file contain no spaces. */
  client: 'tpws patient',
  /** The operation, and the move of an appointment. */
  operation: 'Erase',
  /** The code for a record that was left as it was, because it is not clear whose it is. */
  leftOut: 'LeftOut',
} as const;
