/** Who calls: a program that the hospital knows by name, and what it may do. */
export interface Client {
  /** As the clients file names it; for the log and the audit. */
  readonly name: string;
}

/** Whoever calls while no clients file says who may. */
export const ANONYMOUS: Client = { name: 'anonymous' };
