// npm run ci -- dependencies: asks the package registry whether any installed package has a known vulnerability. Exits 1 if so.
// If no registry can be reached, it says so and exits 0, because that is not a finding.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { judgeAudit } from './judge-audit.ts';

const npm = spawnSync('npm', ['audit', '--json'], {
  cwd: fileURLToPath(new URL('../../', import.meta.url)),
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  timeout: 120_000,
});
const { text, isFine } = judgeAudit(npm.stdout ?? '');
process.stdout.write(`${text}\n`);
if (!isFine) process.exitCode = 1;
