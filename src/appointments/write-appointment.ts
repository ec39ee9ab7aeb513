import type { CallContext, CallWrite } from '../calls/dependencies.ts';
import type { ResultRecord } from '../contract/contract.ts';
import { StoreConflict } from '../store/store.ts';
import { Refusal } from '../vocabulary/result-codes.ts';

/**
 * Writes an appointment. The database itself refuses a seat that is taken (StoreConflict). If another process may have been faster than our
 * own check, a second check finds what it wrote, which may even be this same booking. `parameters` are the names of those that contained
 * the start.
 */
export async function writeAppointment<R extends ResultRecord>(
  call: CallContext,
  parameters: string,
  write: CallWrite<R>,
): Promise<R> {
  for (let isLast = false; ; isLast = true) {
    try {
      return await call.write(write);
    } catch (error) {
      if (!(error instanceof StoreConflict)) throw error;
      if (isLast)
        throw new Refusal('SlotTaken', `Parameters ${parameters}: the doctor is already booked at that time.`);
    }
  }
}
