import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { readConfig } from '../../../src/settings/config.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { type Hospital, openHospital } from '../../support/database/hospital.ts';
import { startPrivatePostgres } from '../../support/database/private-postgres.ts';
import { shellBlocks } from '../../support/guide-sections.ts';
import { patient } from '../../support/http/booking-parameters.ts';
import { perSuite, perTest } from '../../support/prepared.ts';
import { freePort } from '../../support/process/free-port.ts';
import { startProcess } from '../../support/process/service-process.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import { skipTest } from '../../support/skip-test.ts';

const ROOT = new URL('../../../', import.meta.url);
/** The last commit of version 1.0.0. */
const LAST_RELEASE = '15e4b84815b51573f686737eb57333ad4b9537a2';
const NAMES = ['tpwebservices', 'tpwebservices-1.0.0'] as const;
const [NEW, OLD] = NAMES;
/** What a fresh clone has after `npm ci`, as far as the commands use it. */
const CLONE = ['node_modules', 'src'];
const HEADER =
  'centerid,AppointmentID,DoctorID,appdate,apptime,Name,Sex,Age,contactnumber,Status,CreatedOn\n' +
  '1,25,101,2027-01-18,10:15,Asha Pai,F,34Y,9845012345,Booked,2026-11-01T10:00:00Z\n' +
  '1,26,101,2027-01-18,10:30,Ravi Kumar,M,40,9845012346,Booked,2026-11-01T10:00:00Z\n';

const page = readFileSync(new URL('docs/operators/going-back.md', ROOT), 'utf8')
  .replace('npx tpws', 'tpws')
  .replaceAll(/^ {3}/gm, '');
const [toLater = '', to100 = ''] = page.split(/^## /m).slice(1);
const TPWS = 'tpws() { node src/tpws.js "$@"; }\n';

describe('Going back to the version before', () => {
  const postgres = perSuite(() => startPrivatePostgres());
  const folder = perTest(temporaryFolder);

  const shell = (script: string, cwd: string, settings: Record<string, string>) => {
    const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: folder.path, ...settings };
    return new Promise<string>((resolve, reject) => {
      execFile('bash', ['-eo', 'pipefail', '-c', TPWS + script], { cwd, env }, (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(`${script}\n${stdout}${stderr}`));
      });
    });
  };
  const at = (name: string) => join(folder.path, name);
  const inHospital = async (url: string, work: (hospital: Hospital) => Promise<void>) => {
    const store = await openStore(readConfig({ DATABASE_URL: url }).database);
    try {
      await work(await openHospital({}, store));
    } finally {
      await store.close();
    }
  };

  beforeEach(() => {
    for (const name of NAMES) mkdirSync(join(folder.path, name, 'data'), { recursive: true });
    for (const name of CLONE) symlinkSync(fileURLToPath(new URL(name, ROOT)), join(folder.path, NEW, name));
    writeFileSync(at('appointments.csv'), HEADER);
  });

  for (const database of ['SQLite', 'PostgreSQL']) {
    it(`takes along what was booked and changed since the upgrade from 1.0.0, on ${database}`, async function () {
      try {
        const archive = execFileSync('git', ['archive', LAST_RELEASE], {
          cwd: ROOT,
          maxBuffer: 2 ** 28,
          stdio: 'pipe',
        });
        execFileSync('tar', ['x'], { cwd: at(OLD), input: archive });
      } catch {
        skipTest(this, 'this checkout does not have the commit of version 1.0.0');
      }
      const installed = spawnSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: at(OLD) });
      if (installed.status !== 0) skipTest(this, 'the packages of version 1.0.0 cannot be installed');
      const isServer = database === 'PostgreSQL';
      const url = isServer ? await postgres.createDatabase('upgraded') : `sqlite:${at('hospital.db')}`;
      const back = isServer ? await postgres.createDatabase('back') : `sqlite:${at(`${OLD}/data/back.db`)}`;

      const first = 'tpws import examples/{centers,doctors,opening-hours,leave,templates}.csv ../appointments.csv';
      await shell(first, at(OLD), { DATABASE_URL: url });
      await shell('tpws migrate', at(NEW), { DATABASE_URL: url });
      await inHospital(url, async (hospital) => {
        await hospital.cancel(25);
        const given = { DoctorID: 101, centerid: 1, app_date: '2027-01-18' };
        const without = { ...given, ...patient(1), app_time: '11:00', contactnumber: '' };
        const long = { ...given, ...patient(2), app_time: '10:15', Age: 'about forty' };
        expect(await hospital.ok('Fetch_Details', without)).to.include({ AppointmentID: 27 });
        expect(await hospital.ok('Fetch_Details', long)).to.include({ AppointmentID: 28 });
      });

      const script = shellBlocks(to100)
        .map(({ code }) => code)
        .join('\n')
        .replace('sqlite:./data/back.db', back);
      const printed = await shell(script, folder.path, { DATABASE_URL: url });
      expect(printed).to.include('appointments.csv: 3 rows').and.include('appointments-left-out.csv: 1 row\n');
      expect(printed).to.match(/In no file, so not in version 1\.0\.0: \d+ rows of the audit trail, 0 text messages/);
      expect(printed).to.include('appointments: 3 added');
      const changes = readFileSync(at('back/changes.csv'), 'utf8').split('\r\n');
      expect(changes).to.include.members([
        'appointment:1/27,contactnumber,"is empty, so the row is in appointments-left-out.csv"',
        'appointment:1/28,Age,"is written otherwise, or emptied"',
      ]);
      await shell('tpws export --out ../again appointments', at(OLD), { DATABASE_URL: back });
      const rows = (path: string) => readFileSync(at(path), 'utf8');
      expect(rows('again/appointments.csv')).to.equal(rows('back/appointments.csv'));

      const port = `${await freePort()}`;
      const service = startProcess(at(OLD), { DATABASE_URL: back, PORT: port }, [process.execPath, 'src/start.js']);
      await service.printed('"ready"');
      const query = 'AppointmentID=25&centerid=1';
      const answer = await fetch(`http://127.0.0.1:${port}/TPWebServices.asmx/Appointment_Status?${query}`);
      expect(await answer.text()).to.include('<StatusText>Cancelled</StatusText>');
    });
  }

  it('takes along what was changed since the backup, from this version on', async () => {
    const DATABASE_URL = `sqlite:${at('hospital.db')}`;
    const settings = { DATABASE_URL, upgraded: '2026-11-10T00:00:00Z' };
    const examples = fileURLToPath(new URL('examples', ROOT));
    await shell(`tpws import ${examples}/{centers,doctors}.csv ../appointments.csv`, at(NEW), settings);
    await shell('tpws backup ../before.db', at(NEW), settings);
    await inHospital(DATABASE_URL, async (hospital) => {
      await hospital.cancel(25);
    });
    const script = shellBlocks(toLater)
      .map(({ code }) => code)
      .join('\n');
    expect(await shell(script, at(NEW), settings)).to.include('AppointmentID 25: Status (Booked is stored)');
    const [command = ''] = /tpws import.*/.exec(script) ?? [];
    const imported = await shell(command.replace('--dry-run ', ''), at(NEW), settings);
    expect(imported).to.include('appointments: 0 added, 1 changed');
    await inHospital(DATABASE_URL, async (hospital) => {
      const status = await hospital.ok('Appointment_Status', { AppointmentID: 25, centerid: 1 });
      expect(status).to.include({ StatusText: 'Cancelled' });
    });
  });
});
