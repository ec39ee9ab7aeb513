import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder that is empty, and how to get rid of it. */
export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'tpwebservices-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
