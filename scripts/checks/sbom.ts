// npm run ci -- sbom -- [FILE]: writes the bill of materials of the packages that the service runs with, as CycloneDX JSON, from npm's own
// data.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from '../ci/read-arguments.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const { positionals } = readArguments('npm run ci -- sbom --', { allowPositionals: true });
const file = resolve(positionals[0] ?? 'sbom.cdx.json');

interface Bill {
  readonly metadata: { readonly component: { name: string } };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

interface Component {
  readonly 'bom-ref': string;
  readonly properties?: readonly { readonly name: string }[];
}

/** Used to build, test and measure, but not at run time. */
const isForMaking = ({ properties = [] }: Component): boolean =>
  properties.some(({ name }) => name === 'cdx:npm:package:development');

// `--omit dev` would leave out what both the service and its tests need, such as `debug`.
// `--loglevel`: after `npm run --silent sbom`, npm would otherwise not say why it failed.
const npm = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--loglevel=error'], {
  cwd: ROOT,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
if (npm.status === 0) {
  const bill = JSON.parse(npm.stdout) as Bill;
  // npm uses the name of the folder.
  bill.metadata.component.name = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).name;
  const left = new Set(bill.components.filter(isForMaking).map((component) => component['bom-ref']));
  const kept = {
    ...bill,
    components: bill.components.filter((component) => !left.has(component['bom-ref'])),
    dependencies: bill.dependencies
      .filter(({ ref }) => !left.has(ref))
      .map((dependency) => ({
        ...dependency,
        // The project itself depends on its development tools.
        dependsOn: (dependency.dependsOn ?? []).filter((ref) => !left.has(ref)),
      })),
  };
  writeFileSync(file, `${JSON.stringify(kept, undefined, 2)}\n`);
  process.stdout.write(`${file}: ${kept.components.length} components\n`);
} else {
  process.stderr.write(npm.error === undefined ? npm.stderr : `npm: ${npm.error.message}\n`);
  process.exitCode = 1;
}
