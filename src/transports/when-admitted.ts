import type { NextFunction } from 'express';
import type { Admitted } from '../access/gate.ts';

/** Enters where a request is let in, at once unless the gate has to wait; `refuse` gets what it is turned away with. */
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
