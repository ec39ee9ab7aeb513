import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type RunningService, startService } from '../support/process/start-service.ts';
import { root } from './source-files.ts';

const folder = new URL('docs/clients/', root);
const guides = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]),
);

/** The JavaScript programs, each with what it prints. */
const programs = [
  ...(guides.get('javascript.md') ?? '').matchAll(/`([\w.]+)`:\n\n```js\n([\s\S]*?)\n```\n\n```text\n([\s\S]*?)\n```/g),
].map(([, name = '', program = '', output = '']) => ({ name, program, output }));

describe('The guides for clients', () => {
  let service: RunningService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it('are all led to', () => {
    const links = Array.from(guides).flatMap(([, text]) =>
      [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => path),
    );
    expect(links).to.include.members([...guides.keys()].filter((name) => name !== 'README.md'));
  });

  it('have the JavaScript programs', () => {
    expect(programs.map(({ name }) => name)).to.deep.equal(['doctors.mjs', 'soap.mjs']);
  });

  for (const { name, program, output } of programs) {
    it(`show what ${name} prints`, async () => {
      const code = program.replaceAll('http://localhost:8080', service.baseUrl);
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], {
        cwd: fileURLToPath(root),
      });
      const pattern = output.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
      expect(stdout.trimEnd()).to.match(new RegExp(`^${pattern.join('[\\s\\S]*')}$`));
    });
  }
});
