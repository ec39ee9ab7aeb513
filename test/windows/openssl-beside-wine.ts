import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Tests make their certificates with openssl, which Wine does not have: runtime/preload.mjs writes each call into a file of this folder, and
 * this machine's openssl carries it out. `toHost` returns the name of a Windows path on this machine.
 */
export function openOpenssl(folder: string, toHost: (path: string) => string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const watcher = watch(folder, (_, name) => {
    const [, id] = /^(.+)\.call$/.exec(name ?? '') ?? [];
    if (id === undefined) return;
    const { args, cwd }: { args: string[]; cwd?: string } = JSON.parse(
      readFileSync(join(folder, `${id}.call`), 'utf8'),
    );
    execFile('openssl', args.map(toHost), { cwd: toHost(cwd ?? folder) }, (error) => {
      // The file is complete as soon as it has its name.
      const answer = join(folder, id);
      writeFileSync(answer, JSON.stringify({ error: error?.message }));
      renameSync(answer, `${answer}.answer`);
    });
  });
  // The run ends when its steps have ended.
  watcher.unref();
}
