import { expect } from 'chai';
import pg from 'pg';
import { startFailure } from '../../../src/doctor/start-failure.ts';
import { ServiceError, SetUpError } from '../../../src/vocabulary/errors.ts';

describe('startFailure', () => {
  it('says in one sentence why the database cannot be used', () => {
    const words = 'PostgreSQL at h:5432 is version 13.1; expected 14 or later.';
    expect(startFailure(new ServiceError('Unavailable', words))).to.equal(words);
  });

  it('reports the cause if the error has only a message for callers', () => {
    const error = new ServiceError('Unavailable', undefined, { cause: new Error('connect ECONNREFUSED') });
    expect(startFailure(error)).to.equal('The database cannot be used: connect ECONNREFUSED');
  });

  it('reports mistakes in the setup unchanged, names system errors, and shows the stack of internal ones', () => {
    expect(startFailure(new SetUpError('A file is missing.'))).to.equal('A file is missing.');
    const elsewhere = Object.assign(new Error('listen EADDRNOTAVAIL'), { code: 'EADDRNOTAVAIL' });
    expect(startFailure(elsewhere)).to.equal('listen EADDRNOTAVAIL');
    const ofSqlite = (message: string, errcode: number) =>
      Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode });
    expect(startFailure(ofSqlite('unable to open', 526))).to.equal('The database cannot be used: unable to open');
    expect(startFailure(ofSqlite('disk I/O error', 4874))).to.equal(
      "The disk of the database is full, failed, or is limited by a quota or ulimit -f: SQLite's code 4874.",
    );
    expect(startFailure(new Error('ours'))).to.match(/^Error: ours\n {4}at /);
    expect(startFailure('text')).to.equal('text');
  });

  it('says in one sentence that PostgreSQL ended the connection', () => {
    const stops = Object.assign(new pg.DatabaseError('ends', 4, 'error'), { code: '57P01' });
    expect(startFailure(stops)).to.equal('The database cannot be used: ends');
    for (const words of ['Connection terminated unexpectedly', 'Postgres connection has been discarded']) {
      expect(startFailure(new Error(words))).to.equal(`The database cannot be used: ${words}`);
    }
  });
});
