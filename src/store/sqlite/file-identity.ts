import { type Stats, statSync } from 'node:fs';

/**
 * The files, by the ending of their names. If the shared index is replaced, processes that open the new one and those that have the old one
 * do not see each other's locks.
 */
const FILES: Readonly<Record<string, string>> = {
  '': 'The database file',
  '-wal': "The database's write-ahead log",
  '-shm': "The database's shared index (-shm)",
};

/**
 * Whether the database and its companion files are still the files that were opened. SQLite itself does not notice when a file is deleted
 * or replaced: it keeps writing to the old one, which nobody can find any longer. Nor does it notice that a file was truncated, or
 * overwritten by a copy, as long as it finds what it needs in its memory.
 */
export class FileIdentity {
  readonly #file: string;
  readonly #sizeNow: () => number;
  /** By the ending of the file's name. */
  readonly #inodes: readonly (readonly [end: string, inode: number])[];
  #size: number;
  #isCut = false;

  /**
   * Call it after the database was opened and was read or written, which creates its companion files. `sizeNow` returns how large the
   * database is according to SQLite, in bytes.
   */
  constructor(file: string, sizeNow: () => number) {
    this.#file = file;
    this.#sizeNow = sizeNow;
    this.#size = statsOf(file)?.size ?? 0;
    this.#inodes = Object.keys(FILES).flatMap((end) => {
      const stats = statsOf(file + end);
      return stats === undefined ? [] : [[end, stats.ino] as const];
    });
  }

  /** A sentence for the operator; undefined if there is no problem. Costs a few microseconds. */
  flaw(): string | undefined {
    for (const [end, inode] of this.#inodes) {
      const stats = statsOf(this.#file + end);
      if (stats?.ino !== inode) {
        return `${FILES[end]} ${stats === undefined ? 'is gone' : 'was replaced by another one'} while the service ran.`;
      }
      if (end === '') this.#compareSize(stats.size);
    }
    return this.#isCut ? 'The database file was cut short or overwritten while the service ran.' : undefined;
  }

  /**
   * The file only grows, unless somebody vacuums it, and SQLite knows about that. Copying another file over this one truncates it first: a
   * moment later it may be as long as before, but its content is different.
   */
  #compareSize(size: number): void {
    if (size < this.#size && size < this.#sizeNow()) this.#isCut = true;
    this.#size = size;
  }
}

const statsOf = (name: string): Stats | undefined => statSync(name, { throwIfNoEntry: false });
