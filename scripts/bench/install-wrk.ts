import { execFileSync } from 'node:child_process';

/** Makes sure that wrk is installed; on Debian as root it installs it. */
export function installWrk(): void {
  try {
    execFileSync('wrk', ['-v'], { stdio: 'ignore' });
  } catch (error) {
    // wrk -v prints its version and ends with 1
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return;
    console.log('Installing wrk from the packages of Debian.');
    execFileSync('apt-get', ['update'], { stdio: 'ignore' });
    execFileSync('apt-get', ['install', '-y', 'wrk'], { stdio: 'ignore' });
  }
}
