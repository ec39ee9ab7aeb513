import { statSync } from 'node:fs';

/**
 * Whether the database and its write-ahead log are still the files that were opened. SQLite itself does not notice when a file is deleted or
 * replaced: it keeps writing to the old one, which nobody can find any longer.
 */
export class FileIdentity {
  readonly #file: string;
  /** By name. */
  readonly #inodes: readonly (readonly [name: string, inode: number])[];

  /** Call it after the database was opened and written to or read, which creates the log. */
  constructor(file: string) {
    this.#file = file;
    this.#inodes = [file, `${file}-wal`].flatMap((name) => {
      const inode = inodeOf(name);
      return inode === undefined ? [] : [[name, inode] as const];
    });
  }

  /** One sentence for the operator; undefined if there is no problem. Costs a few microseconds. */
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
