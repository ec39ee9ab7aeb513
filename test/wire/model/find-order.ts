import type { StoredAppointment } from '../../../src/vocabulary/stored-records.ts';
import type { FourTransportsAnswer } from '../../support/http/four-transports.ts';
import { answerMatches } from './answer-matches.ts';
import type { HospitalModel } from './hospital-model.ts';
import type { Call } from './model-types.ts';

/** The columns of an appointment that show which order was taken. */
export type FoundAppointment = Pick<
  StoredAppointment,
  'startsAt' | 'tokenNo' | 'status' | 'rescheduleCount' | 'sex' | 'ageText'
>;

/** A call and its answer, with the ticks of a common counter at which the call was sent and the answer had arrived. */
export interface Exchange {
  readonly client: number;
  readonly transport: string;
  readonly call: Call;
  readonly answer: FourTransportsAnswer;
  readonly sent: number;
  readonly received: number;
}

/**
 * Looks for an order in which the model gives each call the answer that it received, and ends with the appointments as they are `found`:
 * a call that was answered before another was sent comes before it. The answers alone do not show which of two reschedules came last.
 * The model is left in the state after that order. If there is no order, throws with what would have been expected.
 * Source: J. M. Wing, C. Gong, Testing and Verifying Concurrent Objects, 1993, with the memory of G. Lowe, 2017.
 */
export function findOrder(
  model: HospitalModel,
  exchanges: readonly Exchange[],
  found: ReadonlyMap<number, FoundAppointment>,
): void {
  const seen = new Set<string>();
  let furthest: { readonly left: number; readonly text: string } | undefined;
  const remaining = new Set(exchanges);

  const search = (): boolean => {
    const taken: Exchange[] = [];
    // A call that fits and changes nothing may as well come now: nothing after it depends on it.
    for (let goesOn = true; goesOn; ) {
      goesOn = false;
      for (const exchange of next(remaining)) {
        const expectation = model.expect(exchange.call);
        if (expectation.change !== undefined || !('id' in answerMatches(expectation, exchange.answer))) continue;
        remaining.delete(exchange);
        taken.push(exchange);
        goesOn = true;
      }
    }
    const fits = endsAsFound(model, remaining, found);
    if (fits && remaining.size === 0) return true;
    const state = stateOf(model, exchanges, remaining, found);
    if (fits && !seen.has(state)) {
      seen.add(state);
      if (furthest === undefined || remaining.size < furthest.left) {
        furthest = { left: remaining.size, text: problems(model, remaining) };
      }
      for (const exchange of next(remaining)) {
        const expectation = model.expect(exchange.call);
        const match = answerMatches(expectation, exchange.answer);
        if (expectation.change === undefined || !('id' in match)) continue;
        remaining.delete(exchange);
        const undo = expectation.change(match.id);
        if (search()) return true;
        undo();
        remaining.add(exchange);
      }
    }
    for (const exchange of taken) remaining.add(exchange);
    return false;
  };

  if (!search()) throw new Error(`No order of the calls explains their answers.\n${furthest?.text}`);
}

/** Whether each appointment is as it was found, or there are calls left that may change it. */
function endsAsFound(
  { appointments }: HospitalModel,
  remaining: ReadonlySet<Exchange>,
  found: ReadonlyMap<number, FoundAppointment>,
): boolean {
  const open = new Set([...remaining].map(appointmentOf));
  return [...found].every(([id, end]) => {
    const expected = appointments.get(id);
    return (
      open.has(id) ||
      (expected !== undefined &&
        expected.start === end.startsAt &&
        expected.token === end.tokenNo &&
        expected.status === end.status &&
        expected.reschedules === end.rescheduleCount &&
        expected.patient.sex === end.sex &&
        (expected.patient.age ?? null) === end.ageText)
    );
  });
}

/** The calls that may come next: those sent before any other one was answered. */
function next(remaining: ReadonlySet<Exchange>): readonly Exchange[] {
  let firstAnswer = Number.POSITIVE_INFINITY;
  for (const { received } of remaining) firstAnswer = Math.min(firstAnswer, received);
  return [...remaining].filter(({ sent }) => sent < firstAnswer);
}

/** What the rest of the search depends on: the remaining calls, the appointments that the round may have changed, the tokens. */
function stateOf(
  { appointments, guesses, tokens }: HospitalModel,
  exchanges: readonly Exchange[],
  remaining: ReadonlySet<Exchange>,
  found: ReadonlyMap<number, FoundAppointment>,
): string {
  const left = exchanges.map((exchange) => (remaining.has(exchange) ? 1 : 0)).join('');
  const now = [...found.keys()].map((id) => {
    const a = appointments.get(id);
    if (a === undefined) return '';
    const { sex, age } = a.patient;
    return `${a.start} ${a.status} ${a.token} ${a.reschedules} ${a.updatedOn} ${sex} ${age}`;
  });
  return `${left} ${now.join()} ${[...tokens.values()].join()} ${guesses.length}`;
}

/** The appointment that a call may have made or changed. */
export function appointmentOf({ call, answer }: Exchange): number | undefined {
  if (call.operation === 'Appointment_Status_Updates') return call.meaning.id;
  if (call.operation !== 'Fetch_Details' || answer.record.AppointmentID === undefined) return undefined;
  return Number(answer.record.AppointmentID);
}

function problems(model: HospitalModel, remaining: ReadonlySet<Exchange>): string {
  return next(remaining)
    .map(({ client, transport, call, answer }) => {
      const match = answerMatches(model.expect(call), answer);
      const told = 'id' in match ? 'fits, but leads no further' : match.difference;
      return `client ${client} over ${transport}: ${call.operation} ${JSON.stringify(call.parameters)}\n  ${told}\n  ${answer.text}`;
    })
    .join('\n');
}
