import { hash } from 'node:crypto';
import type { MovedRow } from './moved-table.ts';

const BITS = 64;

/** A checksum of the rows of a table that does not depend on their order: the sum of the first 64 bits of each row's SHA-256. */
export class RowChecksum {
  #sum = 0n;
  rows = 0;

  add(row: MovedRow): void {
    this.#sum = BigInt.asUintN(BITS, this.#sum + hash('sha256', JSON.stringify(row), 'buffer').readBigUInt64BE());
    this.rows++;
  }

  /** 16 hexadecimal digits. */
  toString(): string {
    return this.#sum.toString(16).padStart(16, '0');
  }
}
