import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { expect } from 'chai';
import type { DoctorHost } from '../../../src/commands/doctor-command.ts';
import { checkAccess } from '../../../src/doctor/access.ts';
import { loadDemoData } from '../../../src/reference/demo-data.ts';
import { readConfig } from '../../../src/settings/config.ts';
import type { MessageFate } from '../../../src/store/queries/outbox-fate.ts';
import { openFile } from '../../../src/store/sqlite/database-file.ts';
import { MessageStatus } from '../../../src/vocabulary/messages.ts';
import { MACHINE, runDoctor } from '../../support/commands/run-doctor.ts';
import { damageTable } from '../../support/database/damage-table.ts';
import { addHours, HOUR, openHospital } from '../../support/database/hospital.ts';
import { asLaterVersion } from '../../support/database/later-version.ts';
import { temporaryDatabase } from '../../support/database/temporary-database.ts';
import { patient } from '../../support/http/booking-parameters.ts';
import { needOpenssl, newIssuer, type TestIssuer } from '../../support/http/test-certificates.ts';
import { perTest } from '../../support/prepared.ts';
import { skipOnWindows } from '../../support/process/on-windows.ts';
import { startService, TEST_NOW } from '../../support/process/start-service.ts';
import { ownContract } from '../../wire/contract/own-wsdl.ts';
import { gatewayAt } from '../messages/example-gateways.ts';

describe('The doctor', () => {
  const database = perTest(() => temporaryDatabase({ isNew: true }));

  async function doctor(environment: Readonly<Record<string, string>> = {}, host: Partial<DoctorHost> = {}) {
    const url = { DATABASE_URL: `sqlite:${database.file}`, DATABASE_CREATE: 'true' };
    const end = await runDoctor({ ...url, ...environment }, host);
    expect(end.errors).to.equal('');
    const lines = end.output.split('\n').slice(0, -1);
    return { ...end, line: (start: RegExp) => lines.find((line) => start.test(line)) ?? '', lines };
  }

  it('finds nothing wrong with a new installation', async () => {
    const { code, output } = await doctor();
    expect(output).not.to.match(/^wrong/m);
    expect(output).to.match(/^ok {7}database .* does not exist yet; the first start creates it$/m);
    expect(code).to.equal(0);
  });

  it('says how much one address may store in a day, and warns if there is no limit', async () => {
    // 4230 characters of 4 bytes, 6000 times a minute; a tenth of it at a tenth of the rate.
    expect((await doctor()).line(/growth/)).to.match(/^ok .* RATE_LIMIT=6000, .* up to 154 GB of feedback a day$/);
    expect((await doctor({ RATE_LIMIT: '600' })).line(/growth/)).to.match(/^ok .* up to 16 GB /);
    expect((await doctor({ RATE_LIMIT: '0' })).line(/growth/)).to.match(/^warning .*RATE_LIMIT=0/);
  });

  it('reports that there is no database where none may be created, or that it has no tables', async () => {
    const missing = await doctor({ DATABASE_CREATE: 'false' });
    expect(missing.line(/database/)).to.match(
      /^wrong .* does not exist; correct DATABASE_URL, or set DATABASE_CREATE=true/,
    );
    expect(missing.code).to.equal(1);
    writeFileSync(join(database.folder, 'empty.db'), '');
    const file = `sqlite:${join(database.folder, 'empty.db')}`;
    const empty = await doctor({ DATABASE_CREATE: 'false', DATABASE_URL: file });
    expect(empty.line(/schema/)).to.match(/^wrong .*There are no tables yet/);
  });

  it('says which periods are not set and what that means, until each is set or set to never', async () => {
    const { lines } = await doctor();
    expect(lines.filter((line) => line.includes('retention'))).to.deep.equal([
      'warning  retention      APPOINTMENT_RETENTION_DAYS is not set: names, phone numbers and visits of patients stay forever; set a number of days, or never.',
      'warning  retention      FEEDBACK_RETENTION_DAYS is not set: inpatient numbers and comments stay forever; set a number of days, or never.',
      'warning  retention      AUDIT_RETENTION_DAYS is not set: who saw and changed what stays forever, with addresses of callers; set a number of days, or never.',
    ]);
    const set = { APPOINTMENT_RETENTION_DAYS: '3650', FEEDBACK_RETENTION_DAYS: 'never', AUDIT_RETENTION_DAYS: '1095' };
    expect((await doctor(set)).line(/retention/)).to.match(/^ok/);
  });

  it('reads the whole file, and reports where it is damaged', async () => {
    await (await database.open()).close();
    expect((await doctor()).line(/integrity/)).to.match(/^ok/);
    damageTable(database.file, 'doctor');
    const { code, lines } = await doctor();
    const found = lines.filter((line) =>
      /^wrong +integrity .* is damaged: .*docs\/operators\/operating\.md/.test(line),
    );
    expect(found).to.have.length(1);
    expect(code).to.equal(1);
  });

  it('finds nothing wrong with a database in use', async function () {
    skipOnWindows(this, 'it has no file modes, which are looked at here');
    await database.open();
    const { code, line } = await doctor();
    expect(line(/database/)).to.match(/^ok .*, can be written$/);
    expect(line(/schema/)).to.match(/^ok .*that of this version$/);
    expect(line(/durability/)).to.match(/^ok .*journal mode is wal$/);
    expect(line(/file modes/)).to.match(/^ok/);
    expect(code).to.equal(0);
  });

  it('says in the morning how old backup and retention are, what waits in the outbox and how long lists are', async () => {
    const store = await database.open();
    const hospital = await openHospital({}, store);
    expect((await doctor()).line(/backup/)).to.match(/^warning +backup +None is recorded yet; /);
    await store.write(({ facts }) => facts.noteStart('last-backup', TEST_NOW - 30 * HOUR));
    await store.write(({ facts }) => facts.noteStart('cleaned-on', TEST_NOW - HOUR));
    await hospital.ok('Sent_SMS', { Mobileno: '9845012345', Message: 'Hello', tempid: 0, SMSmode: 0 });
    const { lines } = await doctor();
    const about = (subject: string) => lines.filter((line) => line.slice(9).startsWith(subject));
    expect(about('backup')).to.deep.equal([
      'warning  backup         The last one was 30 hours ago; docs/operators/operating.md says how to make and record one.',
    ]);
    expect(about('retention')[0]).to.equal('ok       retention      The last one was 60 minutes ago');
    expect(about('outbox')[0]).to.include('1 message waiting, the oldest that may be sent for ');
    expect(about('outbox')[1]).to.include('no message is Dead');
    expect(about('free pages')[0]).to.match(/^ok +free pages +\d% of the file$/);
    expect(about('lists')[0]).to.match(/^ok +lists +GetDoctor of center 1, the longest such list, has \d+ bytes$/);
    expect(about('files')[0]).to.match(/^ok +files +enough file descriptors for MAX_CONNECTIONS=\d+$/);
  });

  it('reports that the next AppointmentID is one that an appointment has', async () => {
    await (await openHospital({}, await database.open())).book();
    expect((await doctor()).line(/numbers/)).to.match(/^ok/);
    const file = openFile(database.file);
    file.exec('UPDATE appointment_number SET last_id = 0');
    file.close();
    expect((await doctor()).line(/numbers/)).to.match(/^wrong .*New rows of appointment get numbers/);
  });

  it('says the same of a database with a table too many, and what it still can of one with a table too few', async () => {
    await (await database.open()).close();
    const file = openFile(database.file);
    file.exec('CREATE TABLE junk (x)');
    const found = async () => {
      const { line } = await doctor();
      return [/guards/, / outbox /, / clock /].map((start) => line(start).slice(0, 8).trimEnd());
    };
    expect(await found()).to.deep.equal(['wrong', 'ok', 'ok']);
    file.exec('DROP TABLE message');
    expect(await found()).to.deep.equal(['wrong', '', 'ok']);
    file.close();
  });

  it('doubts a backup from the future, instead of calling it new for as long as that lasts', async () => {
    const store = await database.open();
    await store.write(({ facts }) => facts.noteStart('last-backup', TEST_NOW + 48 * HOUR));
    expect((await doctor()).line(/backup/)).to.match(
      /^warning +backup +The last one is 2 days ahead of this machine's clock; set the clock\.$/,
    );
  });

  it('warns if many of the messages of the last hour failed after the gateway had accepted them, with the code and the template', async () => {
    const store = await database.open();
    const hospital = await openHospital({}, store);
    const { now } = hospital.clock;
    const lease = { holder: 'a process', now, leasedUntil: now + HOUR };
    for (let id = 1; id <= 12; id++) {
      await hospital.ok('Sent_SMS', { Mobileno: `98450123${id + 10}`, Message: 'Hello', tempid: 0, SMSmode: 0 });
    }
    await store.write(({ outbox }) => outbox.claim({ ...lease, limit: 12 }));
    for (let id = 1; id <= 12; id++) {
      await store.write(async ({ outbox, messages }) => {
        await outbox.record({ kind: 'submitted', id, gateway: 'g', reference: `r${id}` }, lease.holder, now);
        const status = id > 6 ? 'failed' : 'delivered';
        await messages.receive({ messageId: id, reference: undefined, status, code: `UNDELIV:628` }, now);
      });
    }
    expect((await doctor()).line(/deliveries/)).to.match(
      /^warning .* 6 of 12 messages that ended in the last hour failed: 6 Failed UNDELIV:628 \(template 0\); docs/,
    );
  });

  it('says of the gateway when it last accepted a message, and what it said to those that were queued since', async () => {
    const store = await database.open();
    const hospital = await openHospital({}, store);
    const gateway = async () => (await doctor()).line(/ gateway /);
    expect(await gateway()).to.equal('ok       gateway        It was handed no message of the last 24 hours');
    for (let id = 1; id <= 6; id++) {
      if (id === 3) hospital.clock.now += 2000;
      await hospital.ok('Sent_SMS', { Mobileno: `984501234${id}`, Message: 'Hello', tempid: 0, SMSmode: 0 });
    }
    const { now } = hospital.clock;
    const lease = { holder: 'a process', now, leasedUntil: now + HOUR };
    await store.write(({ outbox }) => outbox.claim({ ...lease, limit: 6 }));
    const record = (outcome: MessageFate) =>
      store.write(({ outbox }) => outbox.record(outcome, lease.holder, TEST_NOW + 1000));
    const refused = (id: number, code: string) => record({ kind: 'ended', id, status: MessageStatus.Rejected, code });
    await refused(1, 'queued-before');
    await record({ kind: 'submitted', id: 2, gateway: 'g', reference: undefined });
    await refused(3, 'no-sender');
    await refused(4, 'no-sender');
    expect(await gateway()).to.match(/^ok .* ago; 2 messages tried without success: no-sender$/);
    await record({ kind: 'queued', id: 5, dueOn: now + HOUR, usesAttempt: true, code: 'busy' });
    await refused(6, 'cancelled');
    const text =
      '3 of 4 messages that ended in the last hour failed: 2 Rejected no-sender .template 0., 1 Rejected queued-before';
    expect((await doctor()).line(/deliveries/)).to.match(new RegExp(`^ok .* ${text}`));
    expect(await gateway()).to.match(
      /^warning .* ago; 3 messages tried without success: no-sender, busy; docs.operators.text-messages.md says what/,
    );
  });

  it('warns of demo data in the database of a hospital', async () => {
    const store = await database.open();
    expect((await doctor()).line(/demo data/)).to.equal('');
    await loadDemoData(store, 'Asia/Kolkata');
    expect((await doctor()).line(/demo data/)).to.match(/^warning .*DEMO_DATA is off.*docs\/operators\/importing\.md/);
    expect((await doctor({ DEMO_DATA: 'true' })).line(/demo data/)).to.equal('');
  });

  it('lists standing appointments that do not fit a doctor’s hours, 20 days at most', async () => {
    const store = await database.open();
    const hospital = await openHospital({}, store);
    for (let day = 1; day <= 22; day++) {
      const app_date = `2027-02-${`${day}`.padStart(2, '0')}`;
      await hospital.book({ DoctorID: 102, app_date, app_time: '10:07', ...patient(day) });
    }
    expect((await doctor()).line(/appointments/)).to.equal('');
    await addHours(store, { doctorId: 102, weekday: 1, from: 600, to: 660 });
    const { lines, code } = await doctor();
    const found = lines.filter((line) => line.startsWith('warning  appointments'));
    expect(found).to.have.length(21);
    expect(found[0]).to.include(
      'Doctor 102 of center 1, Dr. Vikram Shetty, on Monday 1 February 2027: 1 appointment does not fit the hours, leave, slots and capacity: 1.',
    );
    expect(found[20]).to.include('2 appointments more on 2 other days of doctors.');
    expect(code).to.equal(0);
  });

  it('reports every mistake in the settings, and no secret', async () => {
    const wrong = { PORT: 'x', LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://root:hush@host/db' };
    const { code, lines, output } = await doctor(wrong);
    expect(lines.filter((line) => /^wrong +configuration/.test(line))).to.have.length(3);
    expect(output).to.include('PORT=x: expected a whole number').and.not.include('hush');
    expect(code).to.equal(1);
  });

  it('reports an older and a newer schema', async () => {
    await (await database.open()).close();
    expect((await asLaterVersion(() => doctor())).line(/schema/)).to.match(/^warning .*earlier version.*backup/);
    await asLaterVersion(async () => (await database.open()).close());
    const { code, line } = await doctor();
    expect(line(/schema/)).to.match(/^wrong .*version 99\.0\.0 of the service, and this is/);
    expect(code).to.equal(1);
  });

  it('reports a file that is not a database', async () => {
    writeFileSync(join(database.folder, 'letter.db'), 'Dear Sirs, this is not a database, nor will it ever be one.');
    const { code, line } = await doctor({ DATABASE_URL: `sqlite:${join(database.folder, 'letter.db')}` });
    expect(line(/database/)).to.match(/^wrong .*not a database/);
    expect(code).to.equal(1);
  });

  it('reports files that others may read', async function () {
    skipOnWindows(this, 'it has no file modes');
    await database.open();
    chmodSync(database.file, 0o644);
    const secret = join(database.folder, 'url');
    writeFileSync(secret, `sqlite:${database.file}`, { mode: 0o640 });
    const { lines, code } = await doctor({ DATABASE_URL: '', DATABASE_URL_FILE: secret });
    const found = lines.filter((line) => /file modes/.test(line));
    expect(found).to.have.length(2);
    expect(found.join('\n')).to.include('has mode 644').and.include('has mode 640');
    expect(code).to.equal(0);
  });

  it('names on Windows the folders whose permissions a person must check', async () => {
    await database.open();
    const secret = join(database.folder, 'url');
    writeFileSync(secret, `sqlite:${database.file}`);
    const environment = { DATABASE_URL: '', DATABASE_URL_FILE: secret };
    const { lines, output, code } = await doctor(environment, { machine: { ...MACHINE, platform: 'win32' } });
    const found = lines.filter((line) => /^warning +file rights/.test(line));
    expect(found).to.have.length(2);
    expect(found[0]).to.include(`icacls "${join(database.folder, 'data')}" must list only`);
    expect(found[1]).to.include(`icacls "${database.folder}" must`);
    expect(output).not.to.include('chmod');
    expect(code).to.equal(0);
  });

  it('reports a clock that cannot be right, and the versions of Node and its time zones', async () => {
    const { line } = await doctor();
    expect(line(/clock/)).to.include('In Asia/Kolkata it is 2026-11-20 08:30; compare');
    expect(line(/Node/)).to.match(/^ok .*v26\.10\.0, with time zone data of 2026a$/);
    expect((await doctor({}, { clock: () => 86_400_000 })).line(/clock/)).to.match(/^wrong/);
  });

  it('distinguishes a free port from one used by the service or by another program', async () => {
    const service = await startService();
    try {
      const { line } = await doctor({ PORT: String(service.port) });
      expect(line(/ port /)).to.match(/^ok .*used by a running instance/);
    } finally {
      await service.close();
    }
    expect((await doctor({ PORT: String(service.port) })).line(/ port /)).to.match(/^ok .*is free$/);
    const other = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await new Promise((resume) => other.once('listening', resume));
    try {
      const { port } = other.address() as { readonly port: number };
      const { line, code } = await doctor({ PORT: String(port) });
      expect(line(/ port /)).to.match(/^wrong .*another program/);
      expect(code).to.equal(1);
    } finally {
      other.close();
    }
    expect((await doctor({ HOST: '192.0.2.1' })).line(/ port /)).to.match(/^wrong .*EADDRNOTAVAIL/);
  });

  const OPEN = { HOST: '0.0.0.0' };
  const PUBLIC = { PUBLIC_URL: 'https://his.example.org' };
  const SMPP = { SMS_GATEWAY: 'smpp://sms.example.org:2775', SMS_USERNAME: 'hospital' };
  /** What it says of a subject, if anything. */
  const SAID: readonly (readonly [subject: RegExp, settings: Readonly<Record<string, string>>, said: RegExp])[] = [
    [/PUBLIC_URL/, {}, /^ok/],
    [/PUBLIC_URL/, OPEN, /^warning .*ALLOWED_HOSTS/],
    [/PUBLIC_URL/, { TRUSTED_PROXIES: '127.0.0.1' }, /^warning .*get 421 under a name with a dot/],
    [/PUBLIC_URL/, { ...OPEN, ALLOWED_HOSTS: 'his.example.org' }, /^ok/],
    [/PUBLIC_URL/, { PUBLIC_URL: 'http://his.example.org' }, /^warning .*clear text/],
    [
      /PUBLIC_URL/,
      PUBLIC,
      /^ok .*without a secret, callers reach the service by IP address, by names without a dot, his\.example\.org$/,
    ],
    [/^\w+ +database/, { DATABASE_URL: 'sqlite::memory:' }, /^warning .*In memory/],
    [
      /database/,
      { DATABASE_URL: 'postgres://nowhere.invalid/h' },
      /^wrong +database +PostgreSQL at nowhere\.invalid\/h cannot be used \(.*\); expected DATABASE_URL to name a running server/,
    ],
    [/access/, OPEN, /^warning .*CLIENTS_FILE/],
    [/access/, {}, /^ok/],
    [
      /access/,
      { HOST: 'his.invalid', CLIENTS_FILE: '/x' },
      /^warning .*HOST=his\.invalid is a name: the service listens on his\.invalid; set an address\.$/,
    ],
    [/access/, { HOST: hostname() }, /^warning .* is a name: the service listens on 127\.0\.0\.1; set an address\.$/],
    [/is a name/, { HOST: 'localhost' }, /^$/],
    [/ TLS /, OPEN, /^warning .*in clear text; set TLS_CERT/],
    [/ TLS /, {}, /^$/],
    [/ TLS /, { ...OPEN, TRUSTED_PROXIES: '10.0.0.1' }, /^$/],
    // Anybody can pose as a proxy.
    [/proxies/, { TRUSTED_PROXIES: '0.0.0.0/0' }, /^warning .*name only the proxies/],
    [/proxies/, { TRUSTED_PROXIES: '10.0.0.1, ::/0' }, /^warning .*name only the proxies/],
    [/proxies/, { TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8' }, /^$/],
    // A proxy on this machine that is not trusted to name its callers.
    [/proxies/, PUBLIC, /^warning .*no rate limit; set TRUSTED_PROXIES/],
    [/proxies/, { ...PUBLIC, TRUSTED_PROXIES: '127.0.0.1' }, /^$/],
    [/proxies/, { ...PUBLIC, ...OPEN }, /^$/],
    [/proxies/, { PUBLIC_URL: 'http://localhost' }, /^$/],
    [/CLIENT_FILE/, { CLIENT_FILE: '/etc/clients.json' }, /^wrong .*CLIENTS_FILE/],
    [/^\w+ +text messages/, { SMS_GATEWAY: 'off' }, /^warning .*never sent/],
    [/^\w+ +text messages/, SMPP, /^ok/],
    [
      /192/,
      { OPERATIONS_PORT: '192.0.2.1:0' },
      /^wrong .*OPERATIONS_PORT=192\.0\.2\.1:0 cannot be used \(EADDRNOTAVAIL\); expected an address of this machine\.$/,
    ],
  ];
  for (const [subject, settings, said] of SAID) {
    it(`says of ${JSON.stringify(settings)}, as to ${subject.source.trim()}: ${said.source}`, async () =>
      expect((await doctor(settings)).line(subject)).to.match(said));
  }

  it('reports a gateway that cannot work, and a center in the clients file that does not exist', async () => {
    const saidOf = async (SMS_GATEWAY: string) => (await doctor({ SMS_GATEWAY })).line(/text messages/);
    expect(await saidOf('smpp://127.0.0.1:2775')).to.match(/^wrong .* SMS_USERNAME: expected the system_id/);
    writeFileSync(join(database.folder, 'plain'), '');
    const path = join(database.folder, 'plain', 'sms.jsonl');
    expect(await saidOf(`file:${path}`)).to.match(/^wrong .* is a file; expected a folder\.$/);
    expect(await saidOf(`file:${database.folder}`)).to.match(/^wrong .* is a folder; expected a file\.$/);
    await (await database.open()).close();
    const file = join(database.folder, 'clients.json');
    const clients = [{ name: 'desk', networks: ['10.1.0.0/16'], centers: [77] }];
    writeFileSync(file, JSON.stringify({ clients }), { mode: 0o600 });
    const { lines } = await doctor({ CLIENTS_FILE: file });
    const unknown = /^warning +access .*client desk names center 77, which the database does not have/;
    expect(lines.filter((line) => unknown.test(line))).to.have.length(1);
  });

  it('reads the clients file and the TLS files as the service does', async () => {
    const file = join(database.folder, 'clients.json');
    writeFileSync(file, JSON.stringify({ clients: [{ name: 'desk', networks: ['10.1.0.0/16'] }] }), { mode: 0o600 });
    expect((await doctor({ CLIENTS_FILE: file })).line(/access/)).to.match(/^ok .*for the client of /);
    writeFileSync(file, JSON.stringify({ clients: [{ name: 'desk', networks: ['10.1'] }, { name: 'kiosk' }] }));
    const tls = { TLS_CERT: join(database.folder, 'none.pem'), TLS_KEY: join(database.folder, 'none.key') };
    const { line, code } = await doctor({ CLIENTS_FILE: file, ...tls });
    expect(line(/access/)).to.match(/^wrong .*clients\[0\]\.networks.*clients\[1\]/);
    expect(line(/TLS/)).to.match(/^wrong .*TLS_CERT=.*expected a file that can be read/);
    expect(code).to.equal(1);
  });

  it('reports when the certificate expires', async function () {
    needOpenssl(this);
    const { certFile, keyFile } = newIssuer(database.folder).issue('server', 30);
    const ends = new X509Certificate(readFileSync(certFile)).validToDate;
    const tls = { TLS_CERT: certFile, TLS_KEY: keyFile };
    const at = async (days: number) =>
      (await doctor(tls, { clock: () => ends.getTime() - days * 24 * HOUR })).line(/ TLS /);
    expect(await at(29)).to.match(/^ok .*server\.crt ends \d{4}-\d\d-\d\d$/);
    expect(await at(20)).to.match(/^warning .*replace it in time/);
    expect(await at(-1)).to.match(/^wrong .*it expired/);
    expect(await at(31)).to.match(/^wrong .*server\.crt is not valid before \d{4}-\d\d-\d\dT/);
  });

  it('reports when each issuer of client certificates expires', async function () {
    needOpenssl(this);
    const [own, old] = ['own', 'old'].map((name) => newIssuer(database.folder, name)) as [TestIssuer, TestIssuer];
    const { certFile, keyFile } = own.issue('server', 30);
    const both = join(database.folder, 'both.pem');
    writeFileSync(both, own.cert + old.cert);
    const ends = new X509Certificate(old.cert).validToDate;
    const tls = { TLS_CERT: certFile, TLS_KEY: keyFile, TLS_CLIENT_CA: both };
    const at = async (days: number) =>
      (await doctor(tls, { clock: () => ends.getTime() - days * 24 * HOUR })).line(/ TLS .*CN=old in /);
    expect(await at(1)).to.match(/^warning .*both\.pem ends \d{4}-\d\d-\d\d; replace it in time/);
    expect(await at(-1)).to.match(/^wrong .*both\.pem ended \d{4}-\d\d-\d\d; replace or remove it/);
  });

  it("reports when a client's certificate expires, also after its file was replaced", async function () {
    needOpenssl(this);
    const issuer = newIssuer(database.folder);
    const [old, renewed] = [issuer.issue('laboratory', 10), issuer.issue('renewed', 60)];
    const file = join(database.folder, 'clients.json');
    const clients = [{ name: 'laboratory', certificateFile: 'laboratory.pem' }];
    writeFileSync(file, JSON.stringify({ clients }), { mode: 0o600 });
    const pem = join(database.folder, 'laboratory.pem');
    const config = readConfig({ CLIENTS_FILE: file });
    const ends = new X509Certificate(old.cert).validToDate.getTime();
    const found = (days: number) =>
      checkAccess({
        config,
        contract: ownContract,
        environment: {},
        machine: { ...MACHINE, who: 'It' },
        clock: () => ends - days * 24 * HOUR,
      })
        .filter(({ subject }) => subject === 'TLS')
        .map(({ verdict, text }) => `${verdict} ${text}`);
    writeFileSync(pem, old.cert);
    expect(found(9)[0]).to.match(
      /^warning The certificate CN=laboratory of client laboratory ends .*; replace it in time/,
    );
    expect(found(-1)[0]).to.match(/^wrong .* ended .*; replace or remove it/);
    writeFileSync(pem, old.cert + renewed.cert);
    expect(found(9)).to.have.length(2);
    writeFileSync(pem, renewed.cert);
    expect(found(9)[0]).to.match(/^ok The certificate CN=renewed of client laboratory ends/);
  });

  it('does not try a gateway that is behind a web proxy', async () => {
    const account = { SMS_USERNAME: 'u', SMS_PASSWORD: 'p' };
    const SMS_GATEWAY = `http:${gatewayAt(database.folder, 'https://sms.example.invalid')}`;
    const { line } = await doctor({ ...account, SMS_GATEWAY, HTTPS_PROXY: 'http://127.0.0.1:1' });
    expect(line(/ gateway .*proxy/)).to.match(
      /^ok .*sms\.example\.invalid, port 443, is behind the web proxy of HTTPS_PROXY/,
    );
  });

  it('connects to the gateway for text messages, and sends nothing to it', async () => {
    let heard = '';
    const gateway = createServer((socket) => socket.setEncoding('utf8').on('data', (text: string) => (heard += text)));
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
    const { port } = gateway.address() as AddressInfo;
    const account = { SMS_USERNAME: 'u', SMS_PASSWORD: 'p' };
    const smpp = { ...account, SMS_GATEWAY: `smpp://127.0.0.1:${port}` };
    const http = { ...account, SMS_GATEWAY: `http:${gatewayAt(database.folder, `http://127.0.0.1:${port}`)}` };
    for (const settings of [smpp, http]) {
      const { line, code } = await doctor(settings);
      expect(line(/gateway/)).to.equal(
        `ok       gateway        127.0.0.1, port ${port} accepts connections; nothing was sent`,
      );
      expect(code).to.equal(0);
    }
    await new Promise((resolve) => gateway.close(resolve));
    expect(heard).to.equal('');
    for (const settings of [smpp, http]) {
      const { line, code } = await doctor(settings);
      expect(line(/gateway/)).to.match(
        /^wrong +gateway +127\.0\.0\.1, port \d+ cannot be reached \(ECONNREFUSED\): text messages wait\./,
      );
      expect(code).to.equal(1);
    }
  });

  it('finds a gateway whose certificate would be refused', async function () {
    needOpenssl(this);
    const { cert, key } = newIssuer(database.folder, 'gateway').issue('gateway', -1);
    const gateway = createTlsServer({ cert, key }).listen(0, 'localhost');
    await once(gateway, 'listening');
    const place = `localhost:${(gateway.address() as AddressInfo).port}`;
    const account = { SMS_USERNAME: 'u', SMS_PASSWORD: 'p' };
    try {
      for (const SMS_GATEWAY of [`ssmpp://${place}`, `http:${gatewayAt(database.folder, `https://${place}`)}`]) {
        const { line } = await doctor({ ...account, SMS_GATEWAY });
        expect(line(/gateway/)).to.match(
          /^wrong +gateway +localhost, port \d+ cannot be reached \([A-Z_]*(CERT|VERIFY)[A-Z_]*\): text/,
        );
      }
    } finally {
      gateway.close();
    }
  });
});
