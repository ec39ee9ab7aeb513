import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { WriteBatch } from '../../../src/store/sqlite/write-batch.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

describe('WriteBatch', () => {
  let database: Database.Database;
  let batch: WriteBatch;
  /** Transaction statements as they were run, and what the test notes between them. */
  let events: string[];
  /** Statements that fail the next time they are run. */
  let failing: Set<string>;

  beforeEach(() => {
    database = new Database(':memory:');
    database.exec('CREATE TABLE note (text TEXT NOT NULL) STRICT');
    events = [];
    failing = new Set();
    const exec = database.exec.bind(database);
    database.exec = (sql: string) => {
      events.push(sql);
      if (failing.delete(sql)) throw new Database.SqliteError('disk is full', 'SQLITE_FULL');
      return exec(sql);
    };
    batch = new WriteBatch(database, 0);
  });
  afterEach(() => database.close());

  const write = (text: string) => async () => {
    database.prepare('INSERT INTO note VALUES (?)').run(text);
    return text;
  };
  const notes = () => database.prepare('SELECT text FROM note').pluck().all();
  const count = (sql: string) => events.filter((event) => event === sql).length;
  const failure = (promise: Promise<unknown>) =>
    promise.then(
      () => expect.fail('it was expected to fail'),
      (error) => error,
    );

  it('puts what waits at one moment into one commit', async () => {
    await Promise.all(Array.from({ length: 64 }, (_, n) => batch.run(write(`${n}`))));
    expect(count('COMMIT')).to.equal(1);
    expect(notes()).to.have.length(64);
  });

  it('puts at most 64 into one commit', async () => {
    await Promise.all(Array.from({ length: 65 }, (_, n) => batch.run(write(`${n}`))));
    expect(count('COMMIT')).to.equal(2);
    expect(notes()).to.have.length(65);
  });

  it('takes what comes while it works into the next commit', async () => {
    let later: Promise<unknown> | undefined;
    await batch.run(async () => {
      later = batch.run(write('later'));
    });
    expect(notes()).to.deep.equal([]);
    await later;
    expect(notes()).to.deep.equal(['later']);
    expect(count('COMMIT')).to.equal(2);
  });

  it('tells nobody of success before the commit', async () => {
    await Promise.all([
      batch.run(write('a')).then(() => events.push('told a')),
      batch.run(write('b')).then(() => events.push('told b')),
    ]);
    expect(events.slice(-3)).to.deep.equal(['COMMIT', 'told a', 'told b']);
  });

  it('tells nobody of success when the commit fails, and keeps nothing', async () => {
    failing.add('COMMIT');
    const errors = await Promise.all([failure(batch.run(write('a'))), failure(batch.run(write('b')))]);
    expect(errors.map((error) => error.code)).to.deep.equal(['SQLITE_FULL', 'SQLITE_FULL']);
    expect(notes()).to.deep.equal([]);
  });

  it('works on after a commit that failed', async () => {
    failing.add('COMMIT');
    await failure(batch.run(write('a')));
    await batch.run(write('b'));
    expect(notes()).to.deep.equal(['b']);
  });

  it('works on after a commit and a rollback that failed', async () => {
    failing.add('COMMIT');
    failing.add('ROLLBACK');
    await failure(batch.run(write('a')));
    await failure(batch.run(write('b')));
    await batch.run(write('c'));
    expect(notes()).to.deep.equal(['c']);
  });

  it('fails as one when a work ended the whole transaction', async () => {
    const ends = async () => {
      database.prepare('ROLLBACK').run();
      throw new Error('gone');
    };
    const results = await Promise.allSettled([batch.run(write('a')), batch.run(ends), batch.run(write('b'))]);
    for (const result of results) expect(result).to.have.nested.property('reason.message', 'gone');
    await batch.run(write('c'));
    expect(notes()).to.deep.equal(['c']);
  });

  it('keeps nothing of a work that throws halfway, and all of its neighbours', async () => {
    const halfway = async () => {
      await write('half')();
      throw new Error('no');
    };
    const results = await Promise.allSettled([batch.run(write('a')), batch.run(halfway), batch.run(write('b'))]);
    expect(results.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
    expect(notes()).to.deep.equal(['a', 'b']);
  });

  it('runs a work after the one before it is done, even if that waits', async () => {
    const order: string[] = [];
    const slow = async () => {
      order.push('slow begins');
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      order.push('slow ends');
    };
    await Promise.all([batch.run(slow), batch.run(async () => order.push('next'))]);
    expect(order).to.deep.equal(['slow begins', 'slow ends', 'next']);
  });

  it('is idle once everything that waits is done', async () => {
    let done = 0;
    for (let n = 0; n < 100; n++) void batch.run(write('a')).then(() => done++);
    await batch.idle();
    expect(notes()).to.have.length(100);
    await Promise.resolve();
    expect(done).to.equal(100);
  });

  it('is idle at once when nothing waits', async () => {
    await batch.idle();
  });

  it('takes what comes while another process writes along with what waits', async () => {
    const folder = temporaryFolder();
    const path = join(folder.path, 'a.db');
    const other = new Database(path);
    other.pragma('journal_mode = WAL');
    other.exec('CREATE TABLE note (text TEXT NOT NULL) STRICT');
    const own = new Database(path, { timeout: 0 });
    let commits = 0;
    const exec = own.exec.bind(own);
    own.exec = (sql: string) => {
      if (sql === 'COMMIT') commits++;
      return exec(sql);
    };
    const waiting = new WriteBatch(own);
    const insert = async () => void own.exec("INSERT INTO note VALUES ('a')");
    other.exec('BEGIN IMMEDIATE');
    const first = waiting.run(insert);
    await new Promise((resume) => setTimeout(resume, 20));
    const second = waiting.run(insert);
    other.exec('COMMIT');
    await Promise.all([first, second]);
    expect(commits).to.equal(1);
    own.close();
    other.close();
    folder.remove();
  });

  it('lets nobody wait longer than the limit for another process, however many wait', async () => {
    const folder = temporaryFolder();
    const path = join(folder.path, 'a.db');
    const other = new Database(path);
    const own = new Database(path, { timeout: 0 });
    other.exec('CREATE TABLE note (text TEXT); BEGIN IMMEDIATE');
    const limited = new WriteBatch(own, 50);
    let tries = 0;
    const exec = own.exec.bind(own);
    own.exec = (sql: string) => {
      tries++;
      return exec(sql);
    };
    const triesBefore: number[] = [];
    const calls = Array.from({ length: 300 }, () =>
      limited
        .run(async () => 1)
        .then(
          () => expect.fail('it was not held up'),
          () => triesBefore.push(tries),
        ),
    );
    await Promise.all(calls);
    // Five batches; after the first of them nobody tries again.
    expect(tries).to.equal(triesBefore[0]);
    other.close();
    own.close();
    folder.remove();
  });
});
