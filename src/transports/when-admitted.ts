import type { NextFunction } from 'express';
import type { Admitted } from '../access/gate.ts';

/**
 * Calls `enter` once a request is admitted, which is immediately unless the gate must wait. If the request is refused, `refuse` receives
 * the error.
 */
export function whenAdmitted(
  admit: () => Admitted,
  enter: () => void,
  refuse: (error: unknown) => void,
  next: NextFunction,
): void {
  let admitted: Admitted;
  try {
    admitted = admit();
  } catch (error) {
    refuse(error);
    return;
  }
  if (admitted === undefined) enter();
  else admitted.then(enter, refuse).catch(next);
}
