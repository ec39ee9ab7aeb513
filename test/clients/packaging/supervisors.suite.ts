import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { parseStringPromise } from 'xml2js';
import { SETTING_GROUPS } from '../../../src/settings/config.ts';
import { root } from '../../house/source-files.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

describe('The systemd unit', () => {
  const folder = temporaryFolder();
  const unit = join(folder.path, 'tpwebservices@8081.service');
  before(() => copyFileSync(fileURLToPath(new URL('deploy/systemd/tpwebservices@.service', root)), unit));
  after(() => folder.remove());

  it('is valid for systemd', () => {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    // Node and the program need not be here at the paths in the unit.
    const complaints = stderr.split('\n').filter((line) => line !== '' && !/is not executable|Failed to/.test(line));
    expect({ status: complaints.length === 0 ? 0 : status, complaints }).to.deep.equal({ status: 0, complaints: [] });
  });

  const complaintsOf = (name: string) =>
    spawnSync('systemd-analyze', ['verify', join(folder.path, name)], { encoding: 'utf8' })
      .stderr.split('\n')
      .filter((line) => line !== '' && !/is not executable|Failed to/.test(line));
  const shipped = (file: string) => fileURLToPath(new URL(`deploy/systemd/${file}`, root));
  const BACKUP = ['tpwebservices-backup.service', 'tpwebservices-backup.timer', 'tpwebservices-alert@.service'];

  for (const name of BACKUP) {
    it(`is accompanied by ${name}, which is also valid for systemd`, () => {
      for (const file of BACKUP) copyFileSync(shipped(file), join(folder.path, file));
      copyFileSync(shipped('tpwebservices-alert@.service'), join(folder.path, 'tpwebservices-alert@backup.service'));
      expect(complaintsOf(name.replace('@', '@backup'))).to.deep.equal([]);
    });
  }

  it('reports a failed backup', () => {
    expect(readFileSync(shipped('tpwebservices-backup.service'), 'utf8')).to.match(
      /^OnFailure=tpwebservices-alert@%n\.service$/m,
    );
  });

  it('passes secret files as credentials, each for an existing setting', () => {
    const dropIn = join(folder.path, 'tpwebservices@8081.service.d');
    mkdirSync(dropIn);
    copyFileSync(shipped('secrets.conf'), join(dropIn, 'secrets.conf'));
    expect(complaintsOf('tpwebservices@8081.service')).to.deep.equal([]);
    const text = readFileSync(shipped('secrets.conf'), 'utf8');
    const credentials = [...text.matchAll(/^LoadCredential=([^:]+):/gm)].map(([, name]) => name);
    const settings = [...text.matchAll(/^Environment=(\w+)=%d\/(.+)$/gm)];
    expect(settings.map(([, , credential]) => credential)).to.deep.equal(credentials);
    const known = SETTING_GROUPS.flatMap(({ settings }) => settings).flatMap(({ name }) => [name, `${name}_FILE`]);
    expect(known).to.include.members(settings.map(([, name]) => name));
  });

  it('is accompanied by tpws, which runs the program with the settings and the user of the unit', () => {
    expect(spawnSync('sh', ['-n', shipped('tpws')]).status).to.equal(0);
    const script = readFileSync(shipped('tpws'), 'utf8');
    const unitText = readFileSync(unit, 'utf8');
    for (const [, property = ''] of script.matchAll(/-p ([A-Z]\S+)/g)) {
      expect(unitText).to.include(property.replace('WorkingDirectory=/var/lib/', 'StateDirectory='));
    }
    const [, path = ''] = / \/opt\/tpwebservices\/(\S+) "\$@"$/m.exec(script) ?? [];
    expect(existsSync(new URL(path, root))).to.equal(true);
  });

  it('is accompanied by tpws, which passes on the secret files, and files of the folder where it is called', () => {
    const folder = temporaryFolder();
    const script = readFileSync(shipped('tpws'), 'utf8').replace(/^secrets=.*/m, `secrets=${shipped('secrets.conf')}`);
    writeFileSync(join(folder.path, 'systemd-run'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
    writeFileSync(join(folder.path, 'my doctors.csv'), '');
    const { stdout } = spawnSync('sh', ['-c', script, 'tpws', 'import', '--dry-run', 'my doctors.csv', 'none.csv'], {
      cwd: folder.path,
      env: { ...process.env, PATH: `${folder.path}:${process.env.PATH}` },
      encoding: 'utf8',
    });
    const words = stdout.split('\n');
    const [, name = ''] = /^--unit=(tpws-\d+)$/m.exec(stdout) ?? [];
    expect(words).to.include('LoadCredential=clients.json:/etc/tpwebservices/secrets/clients.json');
    expect(words).to.include(`Environment=CLIENTS_FILE=/run/credentials/${name}.service/clients.json`);
    const file = join(realpathSync(folder.path), 'my doctors.csv');
    expect(words.slice(-5)).to.deep.equal(['import', '--dry-run', file, 'none.csv', '']);
    folder.remove();
  });

  it('gives each replica its own ports', () => {
    expect(readFileSync(unit, 'utf8')).to.match(/^Environment=.* PORT=%i OPERATIONS_PORT=1%i$/m);
  });

  it('gives the service few rights', () => {
    const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', unit], { encoding: 'utf8' });
    const level = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1];
    expect(Number(level)).to.be.below(2);
  });
});

describe("IIS's web.config", () => {
  const rules = async () => {
    const { configuration } = await parseStringPromise(readFileSync(new URL('deploy/iis/web.config', root), 'utf8'));
    return configuration['system.webServer'][0].rewrite[0].rules[0].rule;
  };

  it('clears the tokens of Windows authentication, and no other Authorization, before it passes a request on', async () => {
    const [{ action, conditions, serverVariables }] = await rules();
    expect(action[0].$.type).to.equal('None');
    expect(serverVariables[0].set[0].$).to.deep.equal({ name: 'HTTP_AUTHORIZATION', value: '' });
    const { input, pattern } = conditions[0].add[0].$;
    expect(input).to.equal('{HTTP_AUTHORIZATION}');
    const values = ['Negotiate YII', 'NTLM TlR', 'negotiate YII', 'Basic YTpi', 'Bearer x', ''];
    expect(values.filter((value) => new RegExp(pattern, 'i').test(value))).to.deep.equal(values.slice(0, 3));
  });

  it("clears a caller's headers about a client certificate", async () => {
    const [, rule] = await rules();
    const variables = rule.serverVariables[0].set.map(({ $ }: { $: object }) => $);
    for (const name of ['HTTP_X_CLIENT_CERT', 'HTTP_X_CLIENT_CERT_FINGERPRINT']) {
      expect(variables).to.deep.include({ name, value: '' });
    }
  });
});
