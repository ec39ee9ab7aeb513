import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanUpLater } from '../clean-up.ts';

export interface TemporaryFolder {
  readonly path: string;
  /** Removes it with all its contents. Windows refuses that for some moments after a process in it has ended. */
  remove(): void;
}

/** A new, empty folder, which is removed at the end of a test. */
export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'tpwebservices-'));
  return { path, remove: cleanUpLater(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 })) };
}
