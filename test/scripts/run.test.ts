import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { root } from '../house/source-files.ts';

const RUN = fileURLToPath(new URL('scripts/run.js', root));
const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
/** The commands for operators. */
const OPERATOR = ['audit', 'backup', 'doctor', 'export', 'hash-secret', 'import', 'outbox', 'restore'];

describe('scripts/run.js', () => {
  for (const name of OPERATOR) {
    it(`runs ${name} with its arguments, and ends it quietly if nothing reads its output`, async () => {
      expect(scripts[name]).to.equal(`node scripts/run.js ${name}`);
      const whole = spawn(process.execPath, [RUN, name, '--help']);
      const [text] = await once(whole.stdout.setEncoding('utf8'), 'data');
      expect(text).to.match(new RegExp(`^Usage: npm run ${name} -- `));

      const cut = spawn(process.execPath, [RUN, name, '--help']);
      cut.stdout.destroy();
      let errors = '';
      cut.stderr.on('data', (chunk) => (errors += chunk));
      const [code] = await once(cut, 'close');
      expect({ code, errors }).to.deep.equal({ code: 0, errors: '' });
    });
  }
});
