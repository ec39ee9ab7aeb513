import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import { firstColumn } from '../../../../src/store/sqlite/database-file.ts';
import { failedWith } from '../../../../src/store/sqlite/sqlite-errors.ts';
import { WriteBatch } from '../../../../src/store/sqlite/write-batch.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../support/process/temporary-folder.ts';

/** The commits in a write-ahead log. Source: SQLite's file format, 4.1 WAL file format: a commit's last frame says how large the file is. */
function commitsIn(log: Buffer): number {
  const pageSize = log.readUInt32BE(8);
  let commits = 0;
  for (let frame = 32; frame < log.length; frame += 24 + pageSize) if (log.readUInt32BE(frame + 4) > 0) commits++;
  return commits;
}

describe('WriteBatch', () => {
  let folder: TemporaryFolder;
  let path: string;
  let database: DatabaseSync;
  /** Another process, as far as SQLite can tell. */
  let other: DatabaseSync;
  let batch: WriteBatch;
  let commitsBefore: number;

  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder.path, 'a.db');
    database = new DatabaseSync(path, { timeout: 0 });
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
      CREATE TABLE note (text TEXT NOT NULL PRIMARY KEY) STRICT;
      CREATE TABLE orphan (parent TEXT REFERENCES note DEFERRABLE INITIALLY DEFERRED) STRICT`);
    other = new DatabaseSync(path, { timeout: 0 });
    commitsBefore = commitsIn(readFileSync(`${path}-wal`));
    batch = new WriteBatch(database, 0);
  });
  afterEach(() => {
    database.close();
    other.close();
    folder.remove();
  });

  const write = (text: string) => async () => {
    database.prepare('INSERT INTO note VALUES (?)').run(text);
    return text;
  };
  /** Makes the commit fail: only then does the database look for the parent. */
  const spoil = async () => void database.exec("INSERT INTO orphan VALUES ('nobody')");
  /** What others see. */
  const notes = () => firstColumn(other, 'SELECT text FROM note ORDER BY rowid');
  const commits = () => commitsIn(readFileSync(`${path}-wal`)) - commitsBefore;
  const failure = (promise: Promise<unknown>) =>
    promise.then(
      () => expect.fail('it was expected to fail'),
      (error) => error,
    );

  it('puts everything that is waiting at one moment into one commit', async () => {
    await Promise.all(Array.from({ length: 64 }, (_, n) => batch.run(write(`${n}`))));
    expect(commits()).to.equal(1);
    expect(notes()).to.have.length(64);
  });

  it('waits for more as long as each turn of the event loop brings more', async () => {
    const runs = [batch.run(write('a')), batch.run(write('b'))];
    for (const text of ['c', 'd', 'e']) {
      await new Promise(setImmediate);
      runs.push(batch.run(write(text)));
    }
    await Promise.all(runs);
    expect(commits()).to.equal(1);
  });

  it('does not wait for more after a turn that brings nothing', async () => {
    const runs = [batch.run(write('a'))];
    await new Promise(setImmediate);
    runs.push(batch.run(write('b')));
    await Promise.all(runs);
    expect(commits()).to.equal(2);
  });

  it('puts at most 64 into one commit', async () => {
    await Promise.all(Array.from({ length: 65 }, (_, n) => batch.run(write(`${n}`))));
    expect(commits()).to.equal(2);
    expect(notes()).to.have.length(65);
  });

  it('puts writes that arrive while it works into the next commit', async () => {
    let later: Promise<unknown> | undefined;
    await batch.run(async () => {
      later = batch.run(write('later'));
      return write('now')();
    });
    expect(notes()).to.deep.equal(['now']);
    await later;
    expect(notes()).to.deep.equal(['now', 'later']);
    expect(commits()).to.equal(2);
  });

  it('reports success only once others can see all of it', async () => {
    const seen: unknown[] = [];
    await Promise.all([
      batch.run(write('a')).then(() => seen.push(notes())),
      batch.run(write('b')).then(() => seen.push(notes())),
    ]);
    expect(seen).to.deep.equal([
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });

  it('reports no success when the commit fails, keeps nothing, and continues', async () => {
    const errors = await Promise.all([failure(batch.run(write('a'))), failure(batch.run(spoil))]);
    for (const error of errors) expect(error).to.have.property('message', 'FOREIGN KEY constraint failed');
    expect(notes()).to.deep.equal([]);
    await batch.run(write('b'));
    expect(notes()).to.deep.equal(['b']);
  });

  it('continues after a commit and a rollback that failed', async () => {
    const exec = database.exec.bind(database);
    let fails = true;
    database.exec = (sql: string) => {
      if (sql === 'ROLLBACK' && fails) {
        fails = false;
        throw new Error('disk is full');
      }
      return exec(sql);
    };
    await failure(batch.run(spoil));
    expect(fails).to.equal(false);
    await failure(batch.run(write('b')));
    await batch.run(write('c'));
    expect(notes()).to.deep.equal(['c']);
  });

  it('fails as a whole if one write ended the entire transaction', async () => {
    const ends = async () => {
      database.prepare('ROLLBACK').run();
      throw new Error('gone');
    };
    const results = await Promise.allSettled([batch.run(write('a')), batch.run(ends), batch.run(write('b'))]);
    for (const result of results) expect(result).to.have.nested.property('reason.message', 'gone');
    await batch.run(write('c'));
    expect(notes()).to.deep.equal(['c']);
  });

  it('keeps nothing of a write that throws halfway, and everything of its neighbors', async () => {
    const halfway = async () => {
      await write('half')();
      throw new Error('no');
    };
    const results = await Promise.allSettled([batch.run(write('a')), batch.run(halfway), batch.run(write('b'))]);
    expect(results.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
    expect(notes()).to.deep.equal(['a', 'b']);
  });

  describe('after a write that fails in a shared batch', () => {
    const runs: string[] = [];
    let does: (text: string) => () => Promise<void>;

    beforeEach(() => {
      runs.length = 0;
      does = (text) => async () => {
        runs.push(text);
        database.prepare('SELECT text FROM note').all();
        if (text !== 'refused') database.prepare('INSERT INTO note VALUES (?)').run(text);
        if (text === 'refused' || text.startsWith('half')) throw new Error(text);
      };
    });
    const batchOf = async (...texts: string[]) =>
      (await Promise.allSettled(texts.map((text) => batch.run(does(text))))).map(({ status }) => status);

    it('repeats nothing after a write that fails without a change', async () => {
      expect(await batchOf('a', 'refused', 'b')).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
      expect(runs).to.deep.equal(['a', 'refused', 'b']);
      expect(notes()).to.deep.equal(['a', 'b']);
    });

    it('repeats everything after a write that fails after a change, and keeps nothing of that write', async () => {
      expect(await batchOf('a', 'half', 'b')).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
      expect(runs).to.deep.equal(['a', 'half', 'a', 'half', 'b']);
      expect(notes()).to.deep.equal(['a', 'b']);
    });

    it('repeats nothing in the eight batches after such a failure, even if some of them have none', async () => {
      await batchOf('a', 'half');
      for (let n = 1; n <= 7; n++) await batchOf(`b${n}`, `c${n}`);
      runs.length = 0;
      await batchOf('d', 'half');
      expect(runs).to.deep.equal(['d', 'half']);
    });

    it('repeats a batch again after eight batches without such a failure', async () => {
      await batchOf('a', 'half');
      for (let n = 1; n <= 8; n++) await batchOf(`b${n}`, `c${n}`);
      runs.length = 0;
      await batchOf('d', 'half');
      expect(runs).to.deep.equal(['d', 'half', 'd', 'half']);
    });
  });

  it('starts a write after the previous one is done, even if that one waits', async () => {
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
    for (let n = 0; n < 100; n++) void batch.run(write(`${n}`)).then(() => done++);
    await batch.idle();
    expect(notes()).to.have.length(100);
    await Promise.resolve();
    expect(done).to.equal(100);
  });

  it('batches writes that arrive while another process writes with those that are waiting', async () => {
    const waiting = new WriteBatch(database, 5000);
    other.exec('BEGIN IMMEDIATE');
    const first = waiting.run(write('first'));
    // It has met the other's lock by then; if not, both are in one commit all the same.
    await new Promise((resume) => setTimeout(resume, 20));
    const second = waiting.run(write('second'));
    other.exec('COMMIT');
    await Promise.all([first, second]);
    expect(commits()).to.equal(1);
  });

  it('keeps to the time limit for waiting for another process, however many writes wait', async () => {
    other.exec('BEGIN IMMEDIATE');
    const limited = new WriteBatch(database, 50);
    // Five batches. Once the first fails, the lock is free: a batch that waited its own turn would be written.
    const release = () => other.isTransaction && other.exec('COMMIT');
    const calls = Array.from({ length: 300 }, (_, n) => failure(limited.run(write(`${n}`))).finally(release));
    for (const error of await Promise.all(calls)) expect(failedWith(error, 'BUSY')).to.equal(true);
    expect(notes()).to.deep.equal([]);
  });
});
