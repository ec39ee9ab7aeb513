import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { root } from '../../house/source-files.ts';

/** The chapters whose sections say what to do about a fault. */
const CHAPTERS = ['When an alert fires', 'The database fails'];

const chapters = readFileSync(new URL('docs/operators/operating.md', root), 'utf8').split(/^## /m);

/** The entries of the runbook, with their text on one line. */
export const RUNBOOK: ReadonlyMap<string, string> = new Map(
  chapters
    .filter((chapter) => CHAPTERS.includes(chapter.split('\n', 1)[0] ?? ''))
    .flatMap((chapter) => chapter.split(/^### /m).slice(1))
    .map((section) => [section.split('\n', 1)[0] ?? '', section.replaceAll(/\s+/g, ' ')]),
);

interface CommandResult {
  readonly code: number;
  /** Standard output, then standard error. */
  readonly output: string;
}

/** The machine of an operator, who follows an entry. */
export interface Operator {
  /** Fails the test unless the entry says this. */
  reads(words: string): void;
  /** Runs a command that is in the entry as it is written there, but for the names that stand for something else. */
  runs(command: string, names?: Readonly<Record<string, string | number>>): Promise<CommandResult>;
}

/** `settings` are those of the service; `tpws` is on the path, and relative names are in the folder. */
export function operatorAt(entry: string, folder: string, settings: Readonly<Record<string, string>>): Operator {
  const text = RUNBOOK.get(entry);
  if (text === undefined) throw new Error(`docs/operators/operating.md has no entry ${entry}`);
  const reads = (words: string) => expect(text, entry).to.include(words);
  const programs = join(folder, 'bin');
  mkdirSync(programs, { recursive: true });
  const tpws = join(programs, 'tpws');
  writeFileSync(tpws, `#!/bin/sh\nexec ${process.execPath} ${fileURLToPath(new URL('src/tpws.js', root))} "$@"\n`);
  chmodSync(tpws, 0o755);
  const { PATH = '' } = process.env;
  return {
    reads,
    runs: (command, names = {}) => {
      reads(command);
      const line = Object.entries(names).reduce((sum, [name, value]) => sum.replaceAll(name, String(value)), command);
      return new Promise((resolve) => {
        const env = { PATH: `${programs}:${PATH}`, ...settings };
        execFile('sh', ['-c', line], { cwd: folder, env, encoding: 'utf8' }, (error, stdout, stderr) =>
          resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
        );
      });
    },
  };
}
