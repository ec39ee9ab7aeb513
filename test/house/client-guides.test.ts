import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { guidePrograms, shownOutput } from '../support/guide-programs.ts';
import { type RunningService, startService } from '../support/process/start-service.ts';
import { root } from './source-files.ts';

const folder = new URL('docs/clients/', root);
const guides = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]),
);

const programs = guidePrograms('javascript.md');

describe('The guides for clients', () => {
  let service: RunningService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it('are all linked', () => {
    const links = Array.from(guides).flatMap(([, text]) =>
      [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => path),
    );
    expect(links).to.include.members([...guides.keys()].filter((name) => name !== 'README.md'));
  });

  it('contain the JavaScript programs', () => {
    expect(programs.map(({ name }) => name)).to.deep.equal(['doctors.mjs', 'soap.mjs']);
  });

  for (const { name, program, output } of programs) {
    it(`show what ${name} prints`, async () => {
      const code = program.replaceAll('http://localhost:8080', service.baseUrl);
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], {
        cwd: fileURLToPath(root),
      });
      expect(stdout.trimEnd()).to.match(shownOutput(output));
    });
  }
});
