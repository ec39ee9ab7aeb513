import { expect } from 'chai';
import pg from 'pg';
import {
  isOutdatedConnection,
  isRerunnable,
  unavailableReason,
} from '../../../../src/store/postgres/postgres-errors.ts';
import { placeOf } from '../../../../src/store/postgres/server.ts';
import { locksOf } from '../../../../src/store/postgres/work-keys.ts';

const isUnavailable = (error: unknown) => unavailableReason(error) !== undefined;
const serverError = (code: string) => Object.assign(new pg.DatabaseError('no', 2, 'error'), { code });

describe('The specifics of PostgreSQL', () => {
  it('treat as unavailable what passes by itself or an operator can mend', () => {
    const codes = '08006 53100 53300 57P01 57P03 57014 55P03 25006 40001 40P01 28P01 26000 42P05';
    for (const code of codes.split(' ')) expect(isUnavailable(serverError(code)), code).to.equal(true);
    for (const code of ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'ENOENT']) {
      expect(isUnavailable(Object.assign(new Error('connect'), { code })), code).to.equal(true);
    }
    for (const message of [
      'Connection terminated unexpectedly',
      'timeout exceeded when trying to connect',
      'Query read timeout',
      'Client has encountered a connection error and is not queryable',
      'Cannot use a pool after calling end on the pool',
    ]) {
      expect(isUnavailable(new Error(message)), message).to.equal(true);
    }
  });

  it('treat as unavailable a write to a standby, and a statement older than a change of its table', () => {
    const outdated = (code: string, routine?: string) => Object.assign(serverError(code), { routine });
    for (const error of [
      outdated('0A000', 'call_bool_check_hook'),
      outdated('0A000', 'RevalidateCachedQuery'),
      outdated('25006'),
    ]) {
      expect(isUnavailable(error), error.routine).to.equal(true);
      expect(isOutdatedConnection(error), error.routine).to.equal(true);
    }
    expect(isUnavailable(outdated('0A000', 'transformSelectStmt'))).to.equal(false);
    expect(isOutdatedConnection(outdated('57P01'))).to.equal(false);
  });

  it('say in words what failed', () => {
    const reasons = ['53100', '57014', '55P03', '53300'].map((code) => unavailableReason(serverError(code)));
    expect(reasons).to.deep.equal(['disk full', 'timeout of a statement', 'timeout of a lock', 'too many connections']);
    const overQuota = Object.assign(serverError('XX000'), {
      message: 'could not extend file "a": Disk quota exceeded',
    });
    expect(unavailableReason(overQuota)).to.equal('disk full');
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    expect(unavailableReason(refused)).to.equal('no connection (ECONNREFUSED)');
    expect(unavailableReason(new Error('Query read timeout'))).to.equal('Query read timeout');
  });

  it('treat as our fault what is one', () => {
    for (const code of ['23503', '23505', '42601', '22003', '25P02']) {
      expect(isUnavailable(serverError(code)), code).to.equal(false);
    }
    for (const error of [new Error('no'), new TypeError('x is not a function'), 'text', undefined]) {
      expect(isUnavailable(error)).to.equal(false);
    }
  });

  it('repeat what deadlocked or could not be serialized, and nothing else', () => {
    expect(['40001', '40P01', '23P01', '57014'].map((code) => isRerunnable(serverError(code), 1))).to.deep.equal([
      true,
      true,
      false,
      false,
    ]);
    expect(isRerunnable(new Error('40P01'), 0)).to.equal(false);
  });

  it('lock keys in one order, each once, and everything if there are none', () => {
    expect(locksOf('s', ['a', 'b', 'a'])).to.deep.equal(locksOf('s', ['b', 'a']));
    expect(locksOf('s', ['a', 'b'])).to.have.length(3);
    expect(locksOf('s')).to.deep.equal(locksOf('s', []));
  });

  it('give the locks of another database other ids', () => {
    const [one, other] = [locksOf('s', ['a']), locksOf('t', ['a'])];
    expect(one.filter((id) => other.includes(id))).to.deep.equal([]);
  });

  for (const url of [
    'postgres://hospital:p@SECRET@db:5432/tp',
    'postgresql://db:5432/tp?password=pa@SECRET',
    'postgres://hospital@db:5432/tp?user=SECRET@x&password=SECRET@SECRET',
    'postgres://db:5432/tp?password=SECRET?SECRET',
  ]) {
    it(`show no part of a password in ${url}`, () => expect(placeOf({ url })).to.equal('db:5432/tp'));
  }
});
