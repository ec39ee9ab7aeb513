import { execFileSync } from 'node:child_process';
import { mkdirSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A small separate file system that soon fills up. Needs root; undefined if it cannot be created. */
export interface SmallDisk {
  readonly path: string;
  fill(): Promise<void>;
  empty(): Promise<void>;
  readOnly(yes: boolean): Promise<void>;
  remove(): void;
}

export function mountSmallDisk(path: string, megabytes: number): SmallDisk | undefined {
  mkdirSync(path, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  const ballast = join(path, 'ballast');
  return {
    path,
    fill: async () => {
      const { bavail, bsize } = statfsSync(path);
      try {
        writeFileSync(ballast, Buffer.alloc(bavail * bsize));
      } catch {
        // The service used some of it meanwhile: now it is really full.
      }
    },
    empty: async () => truncateSync(ballast, 0),
    readOnly: async (yes) => {
      execFileSync('mount', ['-o', `remount,${yes ? 'ro' : 'rw'}`, path]);
    },
    remove: () => execFileSync('umount', ['-l', path]),
  };
}
