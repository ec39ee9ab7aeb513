import { expect } from 'chai';
import { weeksToNearExamples, withNearExamples } from '../../../../src/transports/pages/near-examples.ts';
import { TEST_NOW } from '../../../support/process/start-service.ts';
import { ownContract } from '../../../wire/contract/own-wsdl.ts';

const ZONE = 'Asia/Kolkata';
const DAY = 86_400_000;

/** The days since 1970 of every dateTime example. */
function daysAt(now: number): readonly number[] {
  const { operations } = withNearExamples(ownContract, weeksToNearExamples(ownContract, now, ZONE));
  return operations.flatMap(({ parameters }) =>
    parameters.filter(({ type }) => type === 'dateTime').map(({ example }) => dayNumber(example.slice(0, 10))),
  );
}
const dayNumber = (day: string): number =>
  Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1, Number(day.slice(8))) / DAY;

describe('Examples near today', () => {
  it('The earliest is 2 to 8 days ahead on every day of two years; the others keep their distance from it.', () => {
    const [first = 0, ...rest] = daysAt(TEST_NOW);
    for (let i = 0; i < 730; i++) {
      const now = TEST_NOW + i * DAY;
      const [moved = 0, ...others] = daysAt(now);
      expect(others.map((day) => day - moved)).to.deep.equal(rest.map((day) => day - first));
      const today = Math.floor((now + 5.5 * 3_600_000) / DAY);
      expect(Math.min(moved, ...others) - today).to.be.within(2, 8);
      // 1970-01-05 was a Monday.
      expect((moved - 4) % 7).to.equal(0);
    }
  });

  it('Times of day and other types stay unchanged.', () => {
    const before = ownContract.operations[0]?.parameters ?? [];
    const after = withNearExamples(ownContract, 5).operations[0]?.parameters ?? [];
    expect(after.map(({ example, type }) => (type === 'dateTime' ? example.slice(10) : example))).to.deep.equal(
      before.map(({ example, type }) => (type === 'dateTime' ? example.slice(10) : example)),
    );
  });
});
