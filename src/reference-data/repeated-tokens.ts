import { dayOf, spellDay } from '../rules/wall-minute.ts';
import type { HoldingAppointment } from '../store/queries/import-queries.ts';
import { LAST_HOLDING_STATUS } from '../vocabulary/appointments.ts';
import type { PlacedDraft } from './place-appointments.ts';
import { type Problem, placeText, storedText } from './problem.ts';

/**
 * One problem for each appointment with the same token as an earlier or a stored one of the doctor's day: when the token is called, both
 * patients would come. Only appointments that occupy their slots count. The service itself never assigns a token twice. All are of one
 * center.
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
