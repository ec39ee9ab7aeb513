import { expect } from 'chai';
import fc from 'fast-check';
import { isFull, type SeatSpan, seatAmong } from '../../../src/appointments/free-seat.ts';

interface Held extends SeatSpan {
  readonly id: number;
}

const CAPACITY = 3;

describe('seatAmong', () => {
  it('finds a seat whenever fewer are occupied at every moment than the doctor has, and gives no seat to two', () => {
    const step = fc.oneof(
      fc.record({ from: fc.integer({ min: 0, max: 60 }), length: fc.integer({ min: 1, max: 12 }) }),
      fc.record({ cancelled: fc.nat() }),
    );
    let changes = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
        let held: readonly Held[] = [];
        for (const [id, taken] of steps.entries()) {
          if ('cancelled' in taken) held = held.filter((_, index) => index !== taken.cancelled % held.length);
          else {
            const { from: startsAt } = taken;
            const endsAt = startsAt + taken.length;
            if (isFull(held, CAPACITY, startsAt, endsAt)) continue;
            const { seat, moved } = seatAmong(held, startsAt, endsAt);
            changes += moved.length;
            held = [
              ...held.map((one) => moved.find((other) => other.id === one.id) ?? one),
              { id, seat, startsAt, endsAt },
            ];
          }
          for (const a of held) {
            expect(a.seat).to.be.within(1, CAPACITY);
            const other = held.find(
              (b) => b.id > a.id && b.seat === a.seat && b.startsAt < a.endsAt && b.endsAt > a.startsAt,
            );
            expect(other, JSON.stringify(held)).to.equal(undefined);
          }
        }
      }),
      { numRuns: 300 },
    );
    expect(changes, 'how often a seat was changed').to.be.above(50);
  });
});
