import { DatabaseSync, type StatementSync } from 'node:sqlite';

interface Staged {
  readonly row: { readonly id: number; readonly day?: number };
}

/**
 * Rows on disk instead of in memory, while a command runs: in a temporary SQLite file that no other process can open, and that is gone when
 * this one ends, however it ends. SQLITE_TMPDIR may name its folder.
 */
export class StagedRows<Row extends Staged> {
  readonly #database: DatabaseSync;
  readonly #add: StatementSync;
  readonly #onGroup: (done: number, total: number) => void;
  #size = 0;

  /** `onGroup`: called with each group that is taken out. */
  constructor(onGroup: (done: number, total: number) => void = () => {}) {
    this.#onGroup = onGroup;
    // An empty name stands for a temporary file.
    this.#database = new DatabaseSync('');
    // Nothing is committed, and the transaction finds no page that it would have to restore.
    this.#database.exec('PRAGMA cache_size = -4000; BEGIN; CREATE TABLE staged (center, id, day, json)');
    this.#add = this.#database.prepare('INSERT INTO staged VALUES (?, ?, ?, ?)');
  }

  /** `center` is 0 for a row that belongs to none. */
  add(center: number, staged: Row): void {
    this.#add.run(center, staged.row.id, staged.row.day ?? null, JSON.stringify(staged));
    this.#size++;
  }

  /** Each row whose center and number an earlier row has, with the first that has them. */
  *repeated(): Generator<{ readonly repeated: Row; readonly first: Row }> {
    const pairs = this.#database.prepare(`WITH key AS (SELECT center, id, min(rowid) AS first FROM staged
        GROUP BY center, id HAVING count(*) > 1)
      SELECT staged.json AS repeated, (SELECT json FROM staged WHERE rowid = key.first) AS first
      FROM key CROSS JOIN staged USING (center, id) WHERE staged.rowid > key.first ORDER BY staged.rowid`);
    for (const { repeated, first } of pairs.iterate()) {
      yield { repeated: JSON.parse(String(repeated)), first: JSON.parse(String(first)) };
    }
  }

  /**
   * The rows by center and day, in groups: one ends where `divides` says so of its first row, two neighbors and its size. Nothing else may
   * be asked during the iteration.
   */
  *groups(divides: (first: Row, last: Row, next: Row, size: number) => boolean): Generator<readonly Row[]> {
    const all = this.#database.prepare('SELECT json FROM staged ORDER BY center, day, rowid');
    let group: Row[] = [];
    let done = 0;
    for (const { json } of all.iterate()) {
      const next = JSON.parse(String(json)) as Row;
      const [first, last] = [group[0], group.at(-1)];
      if (first !== undefined && last !== undefined && divides(first, last, next, group.length)) {
        yield group;
        done += group.length;
        this.#onGroup(done, this.#size);
        group = [];
      }
      group.push(next);
    }
    if (group.length > 0) yield group;
  }

  close(): void {
    this.#database.close();
  }
}
