import { seededRandom } from './seeded-random.ts';

/** A repeatable source of random numbers. The same seed produces the same numbers on every machine. */
export class Random {
  /** From 0 up to, but not including, 1. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = seededRandom(seed);
    // Neighbouring seeds begin alike.
    for (let i = 0; i < 4; i++) this.next();
  }

  /** A whole number from 0 to `below` - 1. */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  /** True in one of `n` cases. */
  oneIn(n: number): boolean {
    return this.below(n) === 0;
  }

  pick<T>(from: readonly T[]): T {
    if (from.length === 0) throw new Error('nothing to pick from');
    return from[this.below(from.length)] as T;
  }
}
