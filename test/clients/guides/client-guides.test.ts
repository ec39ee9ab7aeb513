import { execFile } from 'node:child_process';
import { copyFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { addDoctors } from '../../support/database/large-hospital.ts';
import { BLOCK_END, guideSections, shownOutput } from '../../support/guide-sections.ts';
import { type RunningService, startService } from '../../support/process/start-service.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/process/temporary-folder.ts';
import { skipTest } from '../../support/skip-test.ts';
import { type AccessService, startAccessService } from '../interop/access-service.ts';
import { pythonEnvironment } from '../interop/toolkits/python-toolkits.ts';

/** Compilers on a busy machine. */
const LIMIT = 300_000;
const ROOT = new URL('../../../', import.meta.url);
const DOTNET = 'dotnet --list-sdks | grep -q "^10[.]"';
const JAXWS = 'command -v wsimport javac';
/** Whether Maven has what the toolkits of test/clients/interop need. */
const maven = (profile: string) =>
  `timeout 180 mvn -q -B -f '${fileURLToPath(new URL('test/clients/interop/toolkits/java', ROOT))}' -P ${profile} dependency:build-classpath -Dmdep.outputFile=/dev/null`;

/** Whether Go has gowsdl. */
const GOWSDL = `cd '${fileURLToPath(new URL('test/clients/interop/toolkits/go', ROOT))}'
  go build -o /dev/null github.com/hooklift/gowsdl/cmd/gowsdl`;
/** The environment that test/clients/interop makes, too. */
const PYPI = `HERE='${fileURLToPath(new URL('test/clients/interop/toolkits', ROOT))}'; ${pythonEnvironment('python3')}`;

/**
 * What each guide needs, and a section that needs something else. PowerShell is in no package of Debian.
 */
const GUIDES: Readonly<
  Record<string, { readonly needs: string; readonly sections?: Readonly<Record<string, string>> }>
> = {
  'curl.md': { needs: 'command -v curl' },
  'dotnet.md': { needs: DOTNET, sections: { '.NET Framework, wsdl.exe': 'command -v wsdl mcs mono' } },
  'go.md': { needs: GOWSDL },
  'gsoap.md': { needs: 'command -v wsdl2h soapcpp2 g++' },
  'java.md': {
    needs: JAXWS,
    sections: {
      'Axis 1.4': 'ls /usr/share/java/axis.jar',
      'CXF, Metro, Camel and SAAJ': `${JAXWS} && ${maven('cxf4')}`,
      Axis2: maven('axis2'),
    },
  },
  'javascript.md': { needs: 'true' },
  'other-programs.md': { needs: 'Rscript -e "library(httr)"', sections: { Qt: 'pkg-config --exists Qt5Network' } },
  'perl.md': { needs: 'perl -MSOAP::Lite -MLWP::Protocol::https -e 1' },
  'php.md': { needs: 'php -m | grep -qx soap' },
  'python.md': {
    needs: '/usr/bin/python3 -c "import zeep"',
    sections: { 'suds-community': PYPI, 'The forms, with requests': PYPI },
  },
  'rust.md': { needs: 'cargo info --quiet reqwest@0.12.24' },
  'windows-scripts.md': { needs: 'ls /usr/lib/wine/wine64', sections: { PowerShell: 'command -v pwsh' } },
};

/** dotnet-svcutil, or what it would write if the registry does not have it. */
const SVCUTIL = `
  dotnet() {
    case "$1 $2" in
      'tool install') command dotnet "$@" >/dev/null 2>&1 || no_svcutil=1 ;;
      'dotnet-svcutil '*)
        if [ -z "\${no_svcutil-}" ]; then command dotnet "$@"
        else "$NODE" '${fileURLToPath(new URL('test/clients/interop/dotnet/write-contract.ts', ROOT))}' --today | sed 's/namespace Proxy/namespace Tp/' >Reference.cs
        fi ;;
      *) command dotnet "$@" ;;
    esac
  }`;
/** Windows' host of scripts, with Wine, and the Python that has the packages. */
const programs = (need: string) => `
  cscript() { /usr/lib/wine/wine64 cscript "$@"; }
  python3() { '${need === PYPI ? fileURLToPath(new URL('.toolkits/python3/venv/bin/python', ROOT)) : '/usr/bin/python3'}' "$@"; }`;

const run = async (script: string, folder: string, environment: Readonly<Record<string, string>>) => {
  const env = {
    ...process.env,
    // The system's programs, and the Node of these tests.
    PATH: `${dirname(process.execPath)}:/usr/bin:${process.env.PATH}`,
    NODE: process.execPath,
    LC_ALL: 'C.UTF-8',
    DOTNET_CLI_UI_LANGUAGE: 'en',
    DOTNET_CLI_TELEMETRY_OPTOUT: '1',
    DOTNET_SVCUTIL_TELEMETRY_OPTOUT: '1',
    DOTNET_NOLOGO: '1',
    // Compiler servers would outlive the test, and keep its output open.
    MSBUILDDISABLENODEREUSE: '1',
    DOTNET_CLI_USE_MSBUILD_SERVER: '0',
    UseSharedCompilation: 'false',
    MAVEN_OPTS: `-Dmaven.repo.local=${fileURLToPath(new URL('.toolkits/maven', ROOT))}`,
    GOMODCACHE: fileURLToPath(new URL('.toolkits/go/modules', ROOT)),
    GOCACHE: fileURLToPath(new URL('.toolkits/go/built', ROOT)),
    GOFLAGS: '-modcacherw',
    GOTOOLCHAIN: 'local',
    CARGO_TARGET_DIR: fileURLToPath(new URL('.toolkits/rust', ROOT)),
    WINEPREFIX: join(folder, 'wine'),
    WINEDEBUG: '-all',
    ...environment,
  };
  return promisify(execFile)('bash', ['-c', script], { cwd: folder, env, timeout: LIMIT }).then(
    ({ stdout, stderr }) => ({ output: stdout, errors: stderr, failed: false }),
    ({ stdout, stderr }) => ({ output: `${stdout}`, errors: `${stderr}`, failed: true }),
  );
};

for (const [guide, { needs, sections = {} }] of Object.entries(GUIDES)) {
  describe(`The guide ${guide}`, () => {
    let folder: TemporaryFolder;
    let service: RunningService;
    let access: AccessService;
    before(async function () {
      this.timeout(LIMIT);
      folder = temporaryFolder();
      service = await startService();
      // Longer than WCF takes by default.
      await addDoctors(service.store, 400);
      access = await startAccessService(folder.path);
      copyFileSync(access.environment.CA ?? '', join(folder.path, 'ca.pem'));
      symlinkSync(fileURLToPath(new URL('node_modules', ROOT)), join(folder.path, 'node_modules'));
    });

    for (const { title, script, outputs } of guideSections(guide)) {
      it(`shows what its commands print: ${title}`, async function () {
        this.timeout(LIMIT);
        const need = sections[title] ?? needs;
        const found = await run(need, folder.path, {});
        if (found.failed)
          return skipTest(
            this,
            `docs/callers/clients/${guide}: ${need} ${found.errors.trim().split('\n').at(-1) || 'fails'}`,
          );
        const here = script
          .replaceAll('http://localhost:8080', service.baseUrl)
          .replaceAll('https://his.example.org', `https://localhost:${access.service.port}`);
        const { output, errors } = await run(`${SVCUTIL}\n${programs(need)}\n${here}`, folder.path, access.environment);
        const printed = output.split(BLOCK_END).map((block) => block.replaceAll('\r', '').trim());
        for (const [index, shown] of outputs.entries()) {
          if (shown !== undefined) expect(printed[index], output + errors).to.match(shownOutput(shown));
        }
      });
    }
  });
}
