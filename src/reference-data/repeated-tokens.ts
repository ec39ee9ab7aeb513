import { dayOf, spellDay } from '../rules/wall-minute.ts';
import type { HoldingAppointment } from '../store/records/import-records.ts';
import { LAST_HOLDING_STATUS } from '../vocabulary/appointment-status.ts';
import type { PlacedDraft } from './place-appointments.ts';
import { type Problem, placeText, storedText } from './problem.ts';

/**
 * One problem for each appointment with the token of an earlier one, or of a stored one, of the doctor's day: when it is called, both patients come. Only
 * appointments that hold their slots count. The service itself gives no token twice. All are of one center.
 */
export function repeatedTokens(drafts: readonly PlacedDraft[], stored: readonly HoldingAppointment[]): Problem[] {
  const owners = new Map<string, string>();
  for (const appointment of stored) owners.set(keyOf(appointment), storedText(appointment));
  return drafts.flatMap(({ draft, place }) => {
    const { doctorId, startsAt, tokenNo, status } = draft;
    if (tokenNo === 0 || status > LAST_HOLDING_STATUS) return [];
    const owner = owners.get(keyOf(draft));
    if (owner === undefined) {
      owners.set(keyOf(draft), placeText(place));
      return [];
    }
    const message = `is also the token of ${owner}, on ${spellDay(startsAt)} with doctor ${doctorId}; expected another one, or --allow-repeated-tokens`;
    return [{ ...place, column: 'TokenNo', value: `${tokenNo}`, message }];
  });
}

type Token = Pick<HoldingAppointment, 'doctorId' | 'startsAt' | 'tokenNo'>;

const keyOf = ({ doctorId, startsAt, tokenNo }: Token): string => `${doctorId}/${dayOf(startsAt)}/${tokenNo}`;
