import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { guidePrograms, shownOutput } from '../support/guide-programs.ts';
import { type RunningService, startService } from '../support/process/start-service.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/process/temporary-folder.ts';
import { skipTest } from '../support/skip-test.ts';

/** Compilers on a busy machine. */
const LIMIT = 180_000;
/** Messages that a tool or package is not available on this machine, which is not the guide's fault. */
const NOT_HAD = /is not found in NuGet feeds|NU1101|NU1102|NU1301|Unable to load the service index/;

const programs = guidePrograms('dotnet.md');

/** How each is built and run: its folder, the guide's preceding commands, and the commands that run it. */
const STEPS: Readonly<Record<string, { file: string; needs: string; first: boolean; run?: string }>> = {
  'doctors.cs': {
    file: 'doctors.cs',
    needs: 'dotnet --list-sdks | grep -q "^10[.]"',
    first: false,
    run: 'dotnet run doctors.cs',
  },
  'Program.cs': {
    file: 'Doctors/Program.cs',
    needs: 'dotnet --list-sdks | grep -q "^10[.]"',
    first: true,
    run: 'cd Doctors && dotnet build >/dev/null && dotnet run --no-build',
  },
  'Doctors.cs': { file: 'Doctors.cs', needs: 'command -v wsdl mcs mono', first: false },
};

describe('The guide for .NET', () => {
  let service: RunningService;
  let folder: TemporaryFolder;
  before(async () => {
    service = await startService();
    folder = temporaryFolder();
  });
  after(async () => {
    folder.remove();
    await service.close();
  });

  const shell = async (script: string): Promise<{ output: string; failed: boolean }> => {
    const env = {
      ...process.env,
      // Messages are matched in English.
      LC_ALL: 'C',
      DOTNET_CLI_UI_LANGUAGE: 'en',
      DOTNET_CLI_TELEMETRY_OPTOUT: '1',
      DOTNET_SVCUTIL_TELEMETRY_OPTOUT: '1',
      DOTNET_NOLOGO: '1',
      // Compiler servers would outlive the test, and keep its output open.
      MSBUILDDISABLENODEREUSE: '1',
      DOTNET_CLI_USE_MSBUILD_SERVER: '0',
      UseSharedCompilation: 'false',
    };
    const options = { cwd: folder.path, env, timeout: LIMIT };
    const address = script.replaceAll('http://localhost:8080', service.baseUrl);
    return promisify(execFile)('bash', ['-euc', address], options).then(
      ({ stdout }) => ({ output: stdout.trimEnd(), failed: false }),
      ({ stdout, stderr }) => ({ output: `${stdout}${stderr}`, failed: true }),
    );
  };

  it('has the programs', () => {
    expect(programs.map(({ name }) => name)).to.deep.equal(Object.keys(STEPS));
  });

  for (const { name, commands, program, output } of programs) {
    it(`shows what ${name} prints`, async function () {
      this.timeout(2 * LIMIT);
      const step = STEPS[name];
      if (step === undefined) throw new Error(`no steps for ${name}`);
      // A skip says that this machine has no such compiler, or its registry no such package.
      if ((await shell(step.needs)).failed) return skipTest(this, `this machine has no compiler for ${name}`);
      const made = await shell(step.first ? commands.join('\n') : 'true');
      if (made.failed && NOT_HAD.test(made.output)) return skipTest(this, `the registry has no package for ${name}`);
      expect(made.failed, made.output).to.equal(false);
      mkdirSync(dirname(join(folder.path, step.file)), { recursive: true });
      writeFileSync(join(folder.path, step.file), program.replaceAll('http://localhost:8080', service.baseUrl));
      // The last command of a guide runs the program; the others print their own output.
      const block = commands.at(-1)?.split('\n') ?? [];
      const ran = await shell(step.run ?? `{\n${block.slice(0, -1).join('\n')}\n} >/dev/null\n${block.at(-1)}`);
      expect(ran.failed, ran.output).to.equal(false);
      expect(ran.output).to.match(shownOutput(output));
    });
  }
});
