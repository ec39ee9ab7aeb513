/** A repeatable source of random numbers. The same seed gives the same numbers on every machine. */
export class Random {
  private a: number;

  constructor(seed: number) {
    this.a = seed | 0;
    // Neighbouring seeds begin alike.
    for (let i = 0; i < 4; i++) this.next();
  }

  /** From 0 up to, but not, 1. Source: mulberry32. */
  next(): number {
    this.a = (this.a + 0x6d2b79f5) | 0;
    let t = Math.imul(this.a ^ (this.a >>> 15), 1 | this.a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
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
