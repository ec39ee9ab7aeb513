import Database from 'better-sqlite3';

/** Where a row was found, and 1 if it is good. Of a bad row, which may lack values, only the key counts. */
interface Staged {
  readonly file: string;
  readonly line: number;
  readonly isGood: number;
}

interface FirstPlace {
  readonly firstFile: string;
  readonly firstLine: number;
}

/**
 * Rows on disk instead of in memory, while a command runs: in a temporary SQLite file that no other process can open, and that is gone when
 * this one ends, however it ends. SQLITE_TMPDIR may name its folder.
 */
export class StagedRows<Row extends Staged> {
  readonly #database: Database.Database;
  readonly #add: Database.Statement;
  readonly #columns: readonly (keyof Row & string)[];
  readonly #key: readonly string[];
  readonly #order: readonly string[];
  #count = 0;

  /** `key` names the columns that identify a row, `order` those by which rows are sorted before the order in which they were added. */
  constructor(
    columns: readonly (keyof Row & string)[],
    key: readonly (keyof Row & string)[],
    order: readonly (keyof Row & string)[],
  ) {
    const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`);
    this.#columns = columns;
    this.#key = quoted(key);
    this.#order = quoted(order);
    // An empty name stands for a temporary file.
    this.#database = new Database('');
    this.#database.pragma('journal_mode = OFF');
    this.#database.pragma('cache_size = -4000');
    this.#database.exec(`BEGIN; CREATE TABLE staged (${quoted(columns)})`);
    this.#add = this.#database.prepare(`INSERT INTO staged VALUES (${columns.map(() => '?')})`);
  }

  get count(): number {
    return this.#count;
  }

  /** Values that the row does not have become null. */
  add(row: { readonly [Name in keyof Row]?: Row[Name] | undefined }): void {
    this.#add.run(this.#columns.map((name) => row[name] ?? null));
    this.#count++;
  }

  /** Each row whose key an earlier row has, with the place of the first that has it. Keys that contain null are left out. */
  repeated(): IterableIterator<Row & FirstPlace> {
    this.#database.exec(`CREATE INDEX IF NOT EXISTS by_key ON staged (${this.#key})`);
    const same = this.#key.map((name) => `earlier.${name} = staged.${name}`).join(' AND ');
    const pairs = this.#database.prepare(`SELECT staged.*, first.file AS firstFile, first.line AS firstLine FROM staged
      JOIN staged AS first ON first.rowid = (SELECT min(rowid) FROM staged AS earlier WHERE ${same})
      WHERE first.rowid < staged.rowid ORDER BY staged.rowid`);
    return pairs.iterate() as IterableIterator<Row & FirstPlace>;
  }

  /**
   * The good rows by `order`, in groups: one ends where `divides` says so of two neighbors and the size of the group. Nothing else may be asked
   * during the iteration.
   */
  *groups(divides: (last: Row, next: Row, size: number) => boolean): Generator<readonly Row[]> {
    if (this.#order.length > 0) this.#database.exec(`CREATE INDEX IF NOT EXISTS by_order ON staged (${this.#order})`);
    const all = this.#database.prepare(`SELECT * FROM staged WHERE isGood = 1 ORDER BY ${[...this.#order, 'rowid']}`);
    let group: Row[] = [];
    for (const next of all.iterate() as IterableIterator<Row>) {
      const last = group.at(-1);
      if (last !== undefined && divides(last, next, group.length)) {
        yield group;
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
