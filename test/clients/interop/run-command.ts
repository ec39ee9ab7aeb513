import { spawn } from 'node:child_process';

export interface CommandResult {
  /** Exit code; null if a signal or the time limit ended it. */
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs a bash script that stops at its first failure. Killed after `limit` milliseconds, with everything that it started. */
export function runCommand(
  script: string,
  folder: string,
  environment: Readonly<Record<string, string>>,
  limit: number,
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: folder,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      // In its own process group, so that the time limit also applies to what the script started.
      detached: true,
    });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    const timer = setTimeout(() => {
      errors += `\nended after ${limit / 1000} s`;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, limit);
    child.on('error', (error) => {
      errors += error.message;
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, output, errors });
    });
  });
}
