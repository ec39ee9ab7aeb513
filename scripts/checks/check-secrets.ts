// Searches the files of the repository for secrets, databases and personal data. Prints the location of each, never its text; exits 1 if there is one.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Finding, findSecrets } from './find-secrets.ts';

const root = new URL('../../', import.meta.url);

/** What .gitignore excludes, for a copy of the files without git. */
const NOT_OURS = /^(?:node_modules|\.toolkits|data|coverage|test-output|\.git)(?:\/|$)|\.log$|\.db/;

/** Paths of the files that are in the repository, or would be with the next commit. */
export function repositoryFiles(): readonly string[] {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: fileURLToPath(root),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0 && stdout !== '') return stdout.split('\0').filter((path) => path !== '');
  return filesBelow('');
}

function filesBelow(folder: string): string[] {
  return readdirSync(new URL(folder, root), { withFileTypes: true }).flatMap((entry) => {
    const path = folder + entry.name;
    if (NOT_OURS.test(path)) return [];
    return entry.isDirectory() ? filesBelow(`${path}/`) : [path];
  });
}

/** Package digests are not secrets, but look like them. */
const textOf = (path: string): string => {
  const text = readFileSync(new URL(path, root), 'utf8');
  return path.endsWith('package-lock.json') ? text.replace(/"sha512-[^"]*"/g, '""') : text;
};

/** Everything that was found, by file. */
export const findings = (): readonly (Finding & { readonly path: string })[] =>
  repositoryFiles().flatMap((path) => {
    let text: string;
    try {
      text = textOf(path);
    } catch {
      // Deleted, but the deletion is not committed yet.
      return [];
    }
    return findSecrets(text).map((finding) => ({ path, ...finding }));
  });

if (process.argv[1] === import.meta.filename) {
  const found = findings();
  for (const { path, line, what } of found) process.stdout.write(`${path}:${line}: ${what}\n`);
  process.stdout.write(`${repositoryFiles().length} files, ${found.length} findings\n`);
  if (found.length > 0) {
    process.stdout.write('What is harmless goes into scripts/checks/known-harmless.ts, with the reason.\n');
    process.exitCode = 1;
  }
}
