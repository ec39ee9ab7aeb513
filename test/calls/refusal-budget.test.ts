import { expect } from 'chai';
import { RefusalBudget } from '../../src/calls/refusal-budget.ts';
import { CountedEvents } from '../../src/log/counted-events.ts';

const REFUSAL = { caller: 'client desk', client: 'desk', correlationId: 'c' };

describe('The budget for refusals', () => {
  it('begins a new minute after the clock was set back', () => {
    let now = 3_600_000;
    const told: number[] = [];
    const tellRest = async (_: unknown, count: number) => void told.push(count);
    const budget = new RefusalBudget({ clock: () => now, tellRest, counted: new CountedEvents() });
    for (let n = 0; n < 602; n++) budget.take(REFUSAL);
    now = 0;
    expect(budget.take(REFUSAL)).to.equal(true);
    expect(told).to.deep.equal([2]);
  });
});
