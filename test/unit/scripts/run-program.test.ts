import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { endPrograms, runProgram } from '../../../scripts/ci/run-program.ts';
import type { Step } from '../../../scripts/ci/run-steps.ts';
import { perTest } from '../../support/prepared.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

describe('runProgram', () => {
  const folder = perTest(temporaryFolder);

  const run = (script: string, environment: Step['environment'] = {}) =>
    runProgram({ name: 'a step, or two', command: ['sh', '-c', script], environment, cores: 1 }, folder.path);

  it('returns everything that the program printed to both streams', async () => {
    const ending = await run('echo one; echo two >&2; echo "$WHERE"', { WHERE: 'three' });
    expect(ending).to.deep.include({ ok: true, output: 'one\ntwo\nthree\n' });
  });

  it('reports that it failed', async () => expect(await run('exit 3')).to.include({ ok: false }));

  it('stops running programs', async () => {
    const running = run('echo begun; sleep 600');
    const output = () => readFileSync(join(folder.path, 'a-step-or-two'), 'utf8');
    while (output() === '') await setTimeout(10);
    endPrograms();
    expect(await running).to.include({ ok: false, output: 'begun\n' });
  });
});
