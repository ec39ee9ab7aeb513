import { expect } from 'chai';
import type pg from 'pg';
import { locksOf, WorkLocks, WorkQueue } from '../../../../src/store/postgres/work-keys.ts';

describe('The locks of a unit of work', () => {
  /** The statement that locks, and its values. */
  async function lockedBy(keys: readonly string[] | undefined) {
    const sent: { text: string; values: string[] }[] = [];
    const query = async (statement: string | (typeof sent)[number]) => {
      if (typeof statement !== 'string') sent.push(statement);
      return { rows: [{ pid: 7 }] };
    };
    await new WorkLocks({} as pg.Pool).begin({ query } as unknown as pg.PoolClient, 'secret', keys);
    const [{ text, values } = expect.fail('nothing is locked')] = sent;
    const functions = [...text.matchAll(/(pg_advisory_xact_lock\w*)\(\$(\d+)\)/g)];
    return functions.map(([, name, number]) => `${name} ${values[Number(number) - 1]}`);
  }

  for (const count of [0, 1, 2, 3, 4, 5]) {
    it(`are one for each of ${count} keys, behind a share of the one of everything`, async () => {
      const keys = ['doctor', 'patient', 'appointment', 'idempotency', 'other'].slice(0, count);
      const [everything, ...others] = locksOf('secret', keys);
      expect(others).to.have.length(count);
      expect(await lockedBy(keys)).to.deep.equal([
        `pg_advisory_xact_lock_shared ${everything}`,
        ...others.map((lock) => `pg_advisory_xact_lock ${lock}`),
      ]);
    });
  }

  it('are the one of everything alone, if it has no keys', async () => {
    expect(await lockedBy(undefined)).to.deep.equal([`pg_advisory_xact_lock ${locksOf('secret')[0]}`]);
  });
});

/** Tasks that end when they are told to, and the order in which they began. */
function worksOf(queue: WorkQueue) {
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    began,
    start: (name: string, keys: readonly string[] | undefined) =>
      queue.run(keys, () => {
        began.push(name);
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
      }),
    end: async (name: string) => {
      ends.get(name)?.();
      await new Promise(setImmediate);
    },
  };
}

describe('The queue of units of work', () => {
  it('runs tasks with different keys concurrently, and tasks with the same key in order', async () => {
    const { began, start, end } = worksOf(new WorkQueue(1000));
    const all = [
      start('a1', ['a']),
      start('b1', ['b']),
      start('a2', ['a', 'c']),
      start('c1', ['c']),
      start('none', []),
    ];
    expect(began).to.deep.equal(['a1', 'b1', 'none']);
    await end('a1');
    expect(began).to.deep.equal(['a1', 'b1', 'none', 'a2']);
    await end('a2');
    expect(began).to.deep.equal(['a1', 'b1', 'none', 'a2', 'c1']);
    for (const name of ['b1', 'none', 'c1']) await end(name);
    expect(await Promise.all(all)).to.deep.equal(['a1', 'b1', 'a2', 'c1', 'none']);
  });

  it('runs a task without keys alone, and makes later ones wait', async () => {
    const { began, start, end } = worksOf(new WorkQueue(1000));
    const all = [start('a', ['a']), start('alone', undefined), start('b', ['b']), start('none', [])];
    expect(began).to.deep.equal(['a']);
    await end('a');
    expect(began).to.deep.equal(['a', 'alone']);
    await end('alone');
    expect(began).to.deep.equal(['a', 'alone', 'b', 'none']);
    for (const name of ['b', 'none']) await end(name);
    await Promise.all(all);
  });

  it('continues after a task that throws, and passes on its error', async () => {
    const queue = new WorkQueue(1000);
    const error = new Error('no');
    const failed = queue.run(['a'], () => Promise.reject(error)).catch((reason) => reason);
    expect(await queue.run(['a'], async () => 'next')).to.equal('next');
    expect(await failed).to.equal(error);
  });

  it('is Unavailable for a task that waits too long, which still keeps its place', async () => {
    const { began, start, end } = worksOf(new WorkQueue(20));
    const first = start('first', ['a']);
    const late = await start('late', ['a', 'b']).catch((reason) => reason);
    expect(late).to.have.property('code', 'Unavailable');
    const next = start('next', ['b']);
    expect(began).to.deep.equal(['first']);
    await end('first');
    expect(began).to.deep.equal(['first', 'next']);
    await end('next');
    await Promise.all([first, next]);
  });
});
