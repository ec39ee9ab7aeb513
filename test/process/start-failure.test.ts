import { expect } from 'chai';
import { startFailure } from '../../src/process/start-failure.ts';
import { ServiceError, SetUpError } from '../../src/vocabulary/errors.ts';

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
    const folder = Object.assign(new Error('unable to open'), { code: 'SQLITE_CANTOPEN_ISDIR' });
    expect(startFailure(folder)).to.equal('The database cannot be used: unable to open');
    const noRoom = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_SHMSIZE' });
    expect(startFailure(noRoom)).to.equal('The disk of the database is full, or failed: SQLITE_IOERR_SHMSIZE.');
    expect(startFailure(new Error('ours'))).to.match(/^Error: ours\n {4}at /);
    expect(startFailure('text')).to.equal('text');
  });
});
