import { expect } from 'chai';
import {
  type BenchFigures,
  LIMIT,
  OWN_SERVER,
  readBenchTable,
  writeBenchTable,
} from '../../scripts/bench/bench-table.ts';
import { withFigures } from '../../scripts/bench/write-figures.ts';
import { speedPicture } from '../../scripts/generate/speed-picture.ts';

const figures = (round: number, server: string, requestsPerCpuSecond: number, p99 = 4): BenchFigures => ({
  round,
  server,
  operation: 'GetDoctor',
  transport: 'SOAP 1.1',
  requestsPerSecond: 12_345,
  requestsPerCpuSecond,
  p50: 2,
  p99,
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
const DOCUMENT = `# Speed

<!-- Written by npm run bench -- --write -->
An earlier run.
<!-- Written by hand from here on -->

The target is met.
`;

describe("The benchmark's figures", () => {
  const table = writeBenchTable(ROUNDS);

  it('are a table with the minimum, median and maximum of the rounds, each compared within its round', () => {
    expect(table.split('\n').slice(2)).to.deep.equal([
      '| GetDoctor | SOAP 1.1 | TPWebServices | 5,000 / 9,000 / 12,000 | 0.50 / 0.60 / 0.90 | 12,345 | 2.00 | 5.00 |',
      '| GetDoctor | SOAP 1.1 | bare node:http | 10,000 / 10,000 / 20,000 | 1 | 12,345 | 2.00 | 4.00 |',
    ]);
  });

  it('are read back from the table', () => {
    expect(readBenchTable(table)).to.deep.equal([
      { operation: 'GetDoctor', transport: 'SOAP 1.1', server: OWN_SERVER, ratio: 0.6 },
      { operation: 'GetDoctor', transport: 'SOAP 1.1', server: LIMIT, ratio: 1 },
    ]);
    expect(() => readBenchTable('| Operation | Server |')).to.throw('No table has the columns Operation, Transport');
  });

  it('replace those of the previous run in the document, together with their picture', () => {
    const document = withFigures(DOCUMENT, 'Measured today.', table);
    expect(document).to.match(/^# Speed\n\n<!-- .* -->\nMeasured today\.\n\n\| Operation /);
    expect(document).to.match(/\n!\[.*\]\(images\/speed\.svg\)\n<!-- .* -->\n\nThe target is met\.\n$/);
    expect(document).to.not.include('An earlier run.');
    expect(speedPicture(document)).to.include('GetDoctor over SOAP 1.1, TPWebServices: 0.60.');
    expect(withFigures(document, 'Measured today.', table)).to.equal(document);
  });

  it('are not written into a document without markers for them', () => {
    expect(() => withFigures('# Speed\n', 'Measured today.', table)).to.throw('has no lines');
  });
});
