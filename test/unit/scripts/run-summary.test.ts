import { expect } from 'chai';
import { runSummary, skippedFor, summaryCounts } from '../../support/reporter/run-summary.ts';

const RUN = { passed: 4290, failed: 0, skipped: [], milliseconds: 57_600 };

describe('runSummary', () => {
  it('says how many tests passed and how long they took', () => {
    expect(runSummary(RUN)).to.equal('4290 tests passed in 58 s.');
    expect(runSummary({ ...RUN, passed: 1, milliseconds: 240_000 })).to.equal('1 test passed in 4 min 0 s.');
  });

  it('says how many failed', () => {
    expect(runSummary({ ...RUN, failed: 2 })).to.equal('4290 tests passed and 2 failed in 58 s.');
  });

  it('lists each reason for skips once, with the command that runs those tests', () => {
    const skipped = [
      'openPostgresStore (npm run ci -- postgres) is safe',
      `TLS${skippedFor('this machine has no openssl')} serves`,
      'the outbox in PostgreSQL: needs npm run ci -- postgres',
      'something not done',
    ];
    expect(runSummary({ ...RUN, skipped }).split('\n')).to.deep.equal([
      '4290 tests passed in 58 s.',
      '4 tests did not run here, which is no failure. How many, and what they need or who runs them:',
      '  2: npm run ci -- postgres runs them',
      '  1: this machine has no openssl',
      '  1: something not done',
    ]);
  });
});

describe('summaryCounts', () => {
  it('reads the numbers of a summary within other output', () => {
    expect(summaryCounts(`output\n${runSummary({ ...RUN, failed: 3 })}\nmore`)).to.deep.equal({
      passed: 4290,
      failed: 3,
    });
    expect(summaryCounts(runSummary(RUN))).to.deep.equal({ passed: 4290, failed: 0 });
    expect(summaryCounts('no test was found')).to.equal(undefined);
  });
});
