import { dayOf } from '../rules/wall-minute.ts';
import type { DayToken } from '../store/queries/import-queries.ts';
import type { DraftAppointment } from './place-appointments.ts';

/**
 * Assigns a token to each appointment of one center that has none, in order of start, above all tokens already used on that doctor's day.
 * Returns the last token of each of these days.
 */
export function giveTokens(drafts: readonly DraftAppointment[], stored: readonly DayToken[]): DayToken[] {
  const last = new Map(stored.map(({ doctorId, day, lastToken }) => [keyOf(doctorId, day), lastToken]));
  const days = Map.groupBy(drafts, ({ doctorId, startsAt }) => keyOf(doctorId, dayOf(startsAt)));
  return [...days].flatMap(([key, ofDay]) => {
    const [first] = ofDay;
    if (first === undefined) return [];
    let token = last.get(key) ?? 0;
    for (const { tokenNo } of ofDay) token = Math.max(token, tokenNo);
    const without = ofDay.filter(({ tokenNo }) => tokenNo === 0);
    for (const draft of without.sort((a, b) => a.startsAt - b.startsAt)) draft.tokenNo = ++token;
    return [{ centerId: first.centerId, doctorId: first.doctorId, day: dayOf(first.startsAt), lastToken: token }];
  });
}

const keyOf = (doctorId: number, day: number): string => `${doctorId}/${day}`;
