import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { VERSION } from '../../../src/vocabulary/version.ts';
import { root } from '../../house/source-files.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

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

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string } & Readonly<Partial<Record<Kind, boolean>>>>>;
}
type Kind = 'dev' | 'devOptional' | 'link' | 'optional';

const titleOf = ({ name, version }: { readonly name: string; readonly version?: string }) => `${name}@${version}`;

const SCRIPT = fileURLToPath(new URL('scripts/checks/sbom.ts', root));

describe('The bill of materials', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  it('is CycloneDX with every package that the service runs with, with its version, and without development packages', () => {
    const file = join(folder.path, 'bill.json');
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, file], { encoding: 'utf8' });
    expect(status, stderr).to.equal(0);
    const bill = JSON.parse(readFileSync(file, 'utf8')) as Bill;
    expect(bill).to.include({ bomFormat: 'CycloneDX' });
    expect(bill.metadata.component.name).to.equal('tpwebservices');
    expect(Number(bill.specVersion)).to.be.at.least(1.5);
    const listed = new Set(bill.components.map(titleOf));
    const lock = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')) as Lock;
    const packages = Object.entries(lock.packages)
      .filter(([path]) => path.startsWith('node_modules/'))
      .map(([path, entry]) => ({ ...entry, name: path.split('node_modules/').at(-1) ?? '' }));
    const needed = packages
      .filter(({ dev, devOptional, link, optional }) => !dev && !devOptional && !link && !optional)
      .map(titleOf);
    expect(needed).to.have.length.above(50);
    expect(needed.filter((name) => !listed.has(name))).to.deep.equal([]);
    const forMaking = packages.filter(({ dev }) => dev).map(titleOf);
    expect(forMaking.filter((name) => listed.has(name) && !needed.includes(name))).to.deep.equal([]);
    const known = new Set([bill.components.map((one) => one['bom-ref']), `tpwebservices@${VERSION}`].flat());
    const mentioned = bill.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
    expect(mentioned.filter((ref) => !known.has(ref))).to.deep.equal([]);
    for (const { name, version, purl } of bill.components) {
      expect(purl).to.equal(`pkg:npm/${name.replace('@', '%40')}@${version}`);
    }
  });
});
