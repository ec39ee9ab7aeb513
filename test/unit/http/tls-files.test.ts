import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { changesOf } from '../../../src/http/tls-files.ts';
import { perTest } from '../../support/prepared.ts';
import { skipOnWindows } from '../../support/process/on-windows.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

describe('Changes of the TLS files', () => {
  const home = perTest(() => temporaryFolder());
  const path = (name: string) => join(home.path, name);

  const fill = (folder: string) => {
    mkdirSync(path(folder));
    for (const name of ['tls.crt', 'tls.key']) writeFileSync(path(`${folder}/${name}`), `${name} of ${folder}`);
  };
  const link = (name: string, to: string) => {
    rmSync(path(name), { force: true });
    symlinkSync(to, path(name));
  };

  const read = (folder = '') =>
    changesOf({
      cert: path(join(folder, 'tls.crt')),
      key: path(join(folder, 'tls.key')),
      clientCa: undefined,
      clientCertRequired: false,
    });

  /** What may be replaced on the way from the settings to the files; `prepare` returns the folder that the settings name. */
  const REPLACED: Readonly<Record<string, { readonly prepare: () => string; readonly replace: () => void }>> = {
    'a link behind a link, as of certbot': {
      prepare: () => {
        for (const name of ['tls.crt', 'tls.key']) link(name, `live-${name}`);
        for (const name of ['tls.crt', 'tls.key']) link(`live-${name}`, `old/${name}`);
        return '';
      },
      replace: () => link('live-tls.crt', 'new/tls.crt'),
    },
    'the link of a folder behind links, as of Kubernetes': {
      prepare: () => {
        link('..data', 'old');
        for (const name of ['tls.crt', 'tls.key']) link(name, `..data/${name}`);
        return '';
      },
      replace: () => link('..data', 'new'),
    },
    'the folder': {
      prepare: () => 'old',
      replace: () => {
        renameSync(path('old'), path('gone'));
        renameSync(path('new'), path('old'));
      },
    },
    'a file in place': { prepare: () => 'old', replace: () => writeFileSync(path('old/tls.key'), 'another') },
    'a file by nothing': { prepare: () => 'old', replace: () => rmSync(path('old/tls.key')) },
  };

  for (const [what, { prepare, replace }] of Object.entries(REPLACED)) {
    it(`are seen once if someone replaces ${what}`, function () {
      skipOnWindows(this, 'it lets few users make links');
      for (const folder of ['old', 'new']) fill(folder);
      const isChanged = read(prepare());
      expect(isChanged()).to.equal(false);
      replace();
      expect([isChanged(), isChanged()]).to.deep.equal([true, false]);
    });
  }
});
