import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Contract, Operation } from '../../../src/contract/contract.ts';
import { withExamplesMoved } from '../../../src/transports/pages/near-examples.ts';
import { samplePrograms } from '../../../src/transports/pages/sample-programs.ts';
import { ownContract } from '../../contract/own-wsdl.ts';
import { type RunningService, startService } from '../../support/process/start-service.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/process/temporary-folder.ts';
import { skipTest } from '../../support/skip-test.ts';

/** How a program is run; `file` is the file for its text. Each needs a tool that the machine may lack. */
const RUNNERS: Readonly<
  Record<string, { readonly tools: readonly string[]; readonly file: string; readonly command: string }>
> = {
  curl: { tools: ['curl'], file: 'call.sh', command: 'sh call.sh' },
  'curl, SOAP 1.1': { tools: ['curl'], file: 'call.sh', command: 'sh call.sh' },
};

/** All special characters of a shell, a compiler, XML or a form. */
const AWKWARD = `O'Neil "Jo" \\n $HOME \`id\` %41 & <b> é 😀`;

describe('Programs on the pages', () => {
  let service: RunningService;
  let folder: TemporaryFolder;
  before(async () => {
    service = await startService();
    folder = temporaryFolder();
  });
  after(async () => {
    await service.close();
    folder.remove();
  });

  async function outputOf(contract: Contract, operation: Operation, title: string): Promise<string> {
    const program = samplePrograms(contract, operation, service.endpoint).find((known) => known.title === title);
    const runner = RUNNERS[title];
    if (program === undefined || runner === undefined) throw new Error(`${title} is not there`);
    writeFileSync(join(folder.path, runner.file), program.text);
    // Java and Mono use the encoding of the locale; a modern terminal has UTF-8.
    const env = { ...process.env, LC_ALL: 'C.UTF-8' };
    const { stdout } = await promisify(execFile)('sh', ['-c', runner.command], { cwd: folder.path, env });
    return stdout;
  }

  it('are all run by these tests', () => {
    for (const operation of ownContract.operations) {
      const titles = samplePrograms(ownContract, operation, service.endpoint).map(({ title }) => title);
      expect(titles).to.deep.equal(Object.keys(RUNNERS));
    }
  });

  for (const [title, { tools }] of Object.entries(RUNNERS)) {
    it(`in ${title} book an appointment, whatever the values contain`, async function () {
      const needed = tools.map((tool) => `command -v ${tool}`).join(' && ');
      const there = await promisify(execFile)('sh', ['-c', needed]).then(
        () => true,
        () => false,
      );
      if (!there) {
        skipTest(this, `this machine has no ${tools.join(', or no ')}`);
      }
      // Each books its own days, for its own patient.
      const weeks = Object.keys(RUNNERS).indexOf(title) + 1;
      const near = withExamplesMoved(ownContract, weeks);
      const operations = near.operations.map((operation) => ({
        ...operation,
        parameters: operation.parameters.map((parameter) =>
          parameter.name === 'RegistrationNumber' ? { ...parameter, example: AWKWARD } : parameter,
        ),
      }));
      const [booking] = operations;
      if (booking === undefined) throw new Error('no operation');
      const output = await outputOf({ ...near, operations }, booking, title);
      expect(output).to.include('<ResultCode>0</ResultCode>');
      expect(output).to.include(AWKWARD.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
    });
  }
});
