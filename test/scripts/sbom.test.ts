import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { root } from '../house/source-files.ts';
import { perSuite } from '../support/prepared.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';

interface Bill {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly metadata: { readonly component: { readonly name: string } };
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  readonly components: readonly {
    readonly 'bom-ref': string;
    readonly name: string;
    readonly version: string;
    readonly purl: string;
  }[];
}

const SCRIPT = fileURLToPath(new URL('scripts/sbom.ts', root));

describe('The bill of materials', () => {
  const folder = perSuite(temporaryFolder);

  it('is CycloneDX with every package that the service runs with, with its version, and without development packages', () => {
    const file = join(folder.path, 'bill.json');
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, file], { encoding: 'utf8' });
    expect(status, stderr).to.equal(0);
    const bill = JSON.parse(readFileSync(file, 'utf8')) as Bill;
    expect(bill).to.include({ bomFormat: 'CycloneDX' });
    expect(bill.metadata.component.name).to.equal('tpwebservices');
    expect(Number(bill.specVersion)).to.be.at.least(1.5);
    const listed = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
    type Entry = { version?: string; dev?: boolean; devOptional?: boolean; link?: boolean; optional?: boolean };
    const lock = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8'));
    const packages = Object.entries<Entry>(lock.packages)
      .filter(([path]) => path.startsWith('node_modules/'))
      .map(([path, entry]) => ({ ...entry, name: path.split('node_modules/').at(-1) ?? '' }));
    const needed = packages.filter(
      ({ dev, devOptional, link, optional }) => !dev && !devOptional && !link && !optional,
    );
    expect(needed).to.have.length.above(50);
    const names = needed.map(({ name, version }) => `${name}@${version}`);
    expect(names.filter((name) => !listed.has(name))).to.deep.equal([]);
    const forMaking = packages.filter(({ dev }) => dev).map(({ name, version }) => `${name}@${version}`);
    expect(forMaking.filter((name) => listed.has(name) && !names.includes(name))).to.deep.equal([]);
    const known = new Set([bill.components.map((one) => one['bom-ref']), 'tpwebservices@1.0.0'].flat());
    const named = bill.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
    expect(named.filter((ref) => !known.has(ref))).to.deep.equal([]);
    for (const { name, version, purl } of bill.components) {
      expect(purl).to.equal(`pkg:npm/${name.replace('@', '%40')}@${version}`);
    }
  });
});
