import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { root } from '../../house/source-files.ts';
import { perTest } from '../../support/prepared.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { skipTest } from '../../support/skip-test.ts';

const TPWS = fileURLToPath(new URL('src/tpws.js', root));

/** Programs that print how the shell completes the last of the words that follow them. */
const COMPLETED: Readonly<Record<string, string>> = {
  bash: `source ./script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tpws; printf '%s\\n' "\${COMPREPLY[@]}"`,
  fish: 'source ./script; complete -C (string join " " -- $argv)',
  // It completes only on a terminal.
  zsh: `zmodload zsh/zpty; zpty -b t zsh -f -i
zpty -w t 'autoload -Uz compinit && compinit -u -D; source ./script; print re"ady"'; zpty -r -m t out '*ready*'
zpty -w -n t "$*"$'\\t'; zpty -r -m t out "*$EXPECTED*"; print -r -- $EXPECTED`,
};

describe('tpws completion', () => {
  const folder = perTest(temporaryFolder);

  for (const [shell, program] of Object.entries(COMPLETED)) {
    it(`lets ${shell} complete commands, options, their values and the names of files`, function () {
      if (spawnSync(shell, ['-c', 'true']).error !== undefined) skipTest(this, `${shell} is not installed`);
      const { status, stdout } = spawnSync(process.execPath, [TPWS, 'completion', shell], { encoding: 'utf8' });
      expect(status).to.equal(0);
      writeFileSync(join(folder.path, 'script'), stdout);
      writeFileSync(join(folder.path, 'doctors.csv'), '');
      const completed = (line: string, expected: string) => {
        const name = shell === 'fish' ? [] : [shell];
        const env = { PATH: process.env.PATH, HOME: folder.path, TERM: 'xterm', EXPECTED: expected };
        const options = { cwd: folder.path, env, encoding: 'utf8', timeout: 20_000 } as const;
        return spawnSync(shell, ['-c', program, ...name, 'tpws', ...line.split(' ')], options)
          .stdout.trim()
          .split('\n');
      };
      expect(completed('hash', 'hash-secret')).to.deep.equal(['hash-secret']);
      expect(completed('outbox can', 'cancel')).to.deep.equal(['cancel']);
      expect(completed('outbox list --li', '--limit')).to.deep.equal(['--limit']);
      expect(completed('outbox list --status Que', 'Queued')).to.deep.equal(['Queued']);
      expect(completed('export appoi', 'appointments')).to.deep.equal(['appointments']);
      // Bash itself looks for files once no word fits.
      if (shell === 'bash') expect(completed('import docto', '')).to.deep.equal(['']);
      else expect(completed('import docto', 'doctors.csv')).to.deep.equal(['doctors.csv']);
    });
  }
});
