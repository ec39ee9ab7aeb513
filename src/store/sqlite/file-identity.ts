import { statSync } from 'node:fs';

/**
 * Whether the database and its write-ahead log are still the files that were opened. SQLite itself does not notice when a file is deleted or
 * another one is put in its place: it goes on writing to the old one, which nobody finds again.
 */
export class FileIdentity {
  readonly #file: string;
  /** By name. */
  readonly #inodes: readonly (readonly [name: string, inode: number])[];

  /** After the database was opened and written to or read, which makes the log. */
  constructor(file: string) {
    this.#file = file;
    this.#inodes = [file, `${file}-wal`].flatMap((name) => {
      const inode = inodeOf(name);
      return inode === undefined ? [] : [[name, inode] as const];
    });
  }

  /** One sentence for the operator; undefined if all is well. Costs a few microseconds. */
  flaw(): string | undefined {
    for (const [name, opened] of this.#inodes) {
      const inode = inodeOf(name);
      if (inode === opened) continue;
      const what = name === this.#file ? 'The database file' : "The database's write-ahead log";
      return `${what} ${inode === undefined ? 'is gone' : 'was replaced by another one'} while the service ran.`;
    }
    return undefined;
  }
}

const inodeOf = (name: string): number | undefined => statSync(name, { throwIfNoEntry: false })?.ino;
