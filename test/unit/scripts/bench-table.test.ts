import { expect } from 'chai';
import { type BenchFigures, LIMIT, OWN_SERVER, writeBenchTable } from '../../../scripts/bench/bench-table.ts';

const figures = (round: number, server: string, requestsPerCpuSecond: number, p99 = 4): BenchFigures => ({
  round,
  server,
  operation: 'GetDoctor',
  transport: 'SOAP 1.1',
  requestsPerSecond: 12_345,
  requestsPerCpuSecond,
  p50: 2,
  p99,
  longest: 20,
  kilobytes: 33,
  full: 1,
  errors: 0,
});
const ROUNDS = [
  figures(1, OWN_SERVER, 5000, 9),
  figures(1, LIMIT, 10_000),
  figures(2, OWN_SERVER, 9000, 3),
  figures(2, LIMIT, 10_000),
  figures(3, OWN_SERVER, 12_000, 5),
  figures(3, LIMIT, 20_000),
];
describe("The benchmark's figures", () => {
  const table = writeBenchTable(ROUNDS);

  it('are a table with the quartiles of the rounds, each compared within its round', () => {
    expect(table.split('\n').slice(2)).to.deep.equal([
      '| GetDoctor | SOAP 1.1 | TPWebServices | 9,000 / 9,000 / 12,000 | 0.60 / 0.60 / 0.90 | 12,345 | 2.00 | 5.00 | 20.0 | 33.0 | 1 |',
      '| GetDoctor | SOAP 1.1 | bare node:http | 10,000 / 10,000 / 20,000 | 1 | 12,345 | 2.00 | 4.00 | 20.0 | 33.0 | 1 |',
    ]);
  });
});
