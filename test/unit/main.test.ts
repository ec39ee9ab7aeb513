import { execFile, spawn } from 'node:child_process';
import { chmodSync, chownSync, closeSync, existsSync, openSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { BOOKING_PARAMETERS, patient } from '../support/http/booking-parameters.ts';
import { callOver, resultCodeOf } from '../support/http/four-transports.ts';
import { parseAnswer, rawExchange } from '../support/http/raw-exchange.ts';
import { freePort } from '../support/process/free-port.ts';
import { skipOnWindows } from '../support/process/on-windows.ts';
import { IN_TERMINAL, type ReadyService, SERVICE, startReady } from '../support/process/service-process.ts';
import { startedServices } from '../support/process/started-services.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';
import { skipTest } from '../support/skip-test.ts';

describe('main', function () {
  // Several starts each, on a machine that may be busy.
  this.timeout(60_000);
  const services = startedServices();
  const { start, ready } = services;
  const book = (service: ReadyService, n: number, app_time = '10:15') =>
    callOver('httpPost', service.endpoint, 'Fetch_Details', {
      ...BOOKING_PARAMETERS,
      ...patient(n),
      app_date: `${new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)}`,
      app_time,
    });

  describe('prints to a terminal', () => {
    const ownFolder = temporaryFolder();
    let service: ReadyService;
    before(async function () {
      skipOnWindows(this, 'there is no program `script`');
      service = await startReady(ownFolder.path, {}, IN_TERMINAL);
    });
    after(async () => {
      await service.stop();
      ownFolder.remove();
    });

    const curlLine = () => /^ {2}(curl .*?)\r?$/m.exec(service.output())?.[1] ?? '';

    it('the addresses, the location of the data, and that the data is for demonstration', async () => {
      expect(service.output()).to.contain(`Service page  http://127.0.0.1:${service.port}/TPWebServices.asmx\r\n`);
      expect(service.output()).to.contain(`WSDL          ${service.endpoint}?wsdl\r\n`);
      expect(service.output()).to.contain(`SQLite file ${ownFolder.path}/data/tpwebservices.db (with demo data)`);
      expect((await fetch(`${service.endpoint}?wsdl`)).status).to.equal(200);
      expect((await fetch(service.endpoint)).status).to.equal(200);
    });

    it('a curl line that books an appointment exactly as printed', async () => {
      const [, url = '', body = ''] = /^curl (\S+) -d '([^']+)'$/.exec(curlLine()) ?? [];
      const type = 'application/x-www-form-urlencoded';
      const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': type }, body });
      const text = await response.text();
      expect(response.status, text).to.equal(200);
      expect(text).to.contain('<ResultCode>0</ResultCode>');
    });

    it('a curl line that works in a shell', async function () {
      const script = `command -v curl >/dev/null || exit 127; ${curlLine()} --silent`;
      const { stdout } = await promisify(execFile)('sh', ['-c', script]).catch((error: { code?: number }) => {
        // There is no curl on this machine; the previous test sent the same request.
        if (error.code === 127) return skipTest(this, 'this machine has no curl');
        throw error;
      });
      expect(stdout).to.match(/<ResultCode>[01]<\/ResultCode>/);
    });
  });

  it('prints only lines of JSON to anything else, from the first one on, and nothing to standard error', async () => {
    const service = await ready({ LOG_LEVEL: 'debug' });
    await book(service, 1);
    await fetch(`${service.endpoint}/Nothing`);
    await service.stop();
    const lines = service.output().trimEnd().split('\n');
    expect(lines.length).to.be.greaterThan(3);
    for (const line of lines) expect(JSON.parse(line)).to.have.property('msg');
    expect(service.errors()).to.equal('');
  });

  it('prints no curl line and loads no data without DEMO_DATA, and keeps its data in the configured place', async () => {
    const service = await ready({
      DEMO_DATA: 'false',
      DATABASE_URL: `sqlite:${services.folder.path}/elsewhere/hospital.db`,
    });
    expect(service.output()).not.to.match(/demo|curl/);
    expect(resultCodeOf(await callOver('httpGet', service.endpoint, 'GetDoctor', { centerid: 1 }))).to.equal(11);
    expect(existsSync(`${services.folder.path}/elsewhere/hospital.db`)).to.equal(true);
  });

  it("warns at the start if a hospital's texts go to a file, or its database contains demo data, but not in a trial", async () => {
    const DATABASE_URL = `sqlite:${services.folder.path}/tried.db`;
    const warned = async (DEMO_DATA: string) => {
      const service = await ready({ DATABASE_URL, DEMO_DATA });
      await service.stop();
      return service
        .logLines()
        .filter(({ msg }) => msg === 'a check warns')
        .map(({ subject }) => subject);
    };
    expect(await warned('true')).to.deep.equal([]);
    expect(await warned('false')).to.deep.equal(['text messages', 'demo data']);
  });

  it('runs on a database that it may use but does not own, and warns of its mode', async function () {
    if (process.getuid?.() !== 0) skipTest(this, 'only root can start it as another user');
    await (await ready()).stop();
    const data = join(services.folder.path, 'data');
    // As on a volume of Kubernetes with an fsGroup.
    chmodSync(services.folder.path, 0o755);
    for (const [path, mode] of [
      ['', 0o2770],
      ['tpwebservices.db', 0o660],
    ] as const) {
      chownSync(join(data, path), 0, 2000);
      chmodSync(join(data, path), mode);
    }
    const other = ['setpriv', '--reuid=1500', '--regid=2000', '--clear-groups', ...SERVICE] as const;
    const service = await startReady(services.folder.path, { DEMO_DATA: 'false', SMS_GATEWAY: 'off' }, other);
    expect(resultCodeOf(await book(service, 1))).to.equal(0);
    const [{ subject, reason } = {}] = service.logLines().filter(({ subject }) => subject === 'file modes');
    expect(`${subject} ${reason}`).to.match(
      /^file modes \S+tpwebservices\.db has mode 660: others may read it; let it belong/,
    );
    expect(await service.stop()).to.equal(0);
  });

  it('continues after a SIGHUP, even if there is no file to read again', async () => {
    const service = await services.ready();
    service.signal('SIGHUP');
    expect((await fetch(service.endpoint)).status).to.equal(200);
    expect(await service.stop()).to.equal(0);
  });

  it('serves and stops as usual if the disk has no room for its log', async () => {
    const port = await freePort();
    // Every write to it fails as on a full disk. Source: full(4).
    const full = openSync('/dev/full', 'w');
    const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
    const env = { PATH: process.env.PATH, PORT: String(port), DEMO_DATA: 'true', LOG_LEVEL: 'debug' };
    const service = spawn(process.execPath, [main], {
      cwd: services.folder.path,
      env,
      stdio: ['ignore', full, 'inherit'],
    });
    const ended = new Promise((resolve) => service.once('exit', (code) => resolve(code)));
    const endpoint = `http://127.0.0.1:${port}/TPWebServices.asmx`;
    let answer: Response | undefined;
    while (answer === undefined && service.exitCode === null) {
      answer = await fetch(`${endpoint}/GetDoctor?centerid=1`).catch(() => undefined);
    }
    for (let call = 0; call < 200; call++) {
      expect((await fetch(`${endpoint}/GetDoctor?centerid=1`)).status).to.equal(200);
    }
    service.kill('SIGTERM');
    expect(await ended).to.equal(0);
    closeSync(full);
  });

  it('keeps its data after a stop and after a kill, and does not load demo data again', async () => {
    const times = Array.from({ length: 10 }, (_, n) => `1${n}:00`);
    const bookAll = (service: ReadyService) => Promise.all(times.map((time, n) => book(service, n, time)));
    const first = await ready();
    const booked = await bookAll(first);
    expect(booked.map(resultCodeOf)).to.deep.equal(times.map(() => 0));
    const ids = booked.map(({ record }) => record.AppointmentID);

    expect(await first.stop()).to.equal(0);
    const second = await ready();
    const afterStop = await bookAll(second);
    expect(afterStop.map(resultCodeOf)).to.deep.equal(times.map(() => 1));
    expect(afterStop.map(({ record }) => record.AppointmentID)).to.deep.equal(ids);
    const late = await book(second, 99, '20:00');

    second.signal('SIGKILL');
    expect(await second.exited()).to.equal(null);
    const third = await ready();
    expect((await book(third, 99, '20:00')).record).to.include({
      ResultCode: '1',
      AppointmentID: late.record.AppointmentID,
    });
    const { record } = await callOver('httpGet', third.endpoint, 'GetDoctor', { centerid: 1 });
    expect(record.Doctors.Doctor).to.have.length(10);
  });

  it('shares a new file with another process that starts at the same moment', async () => {
    const [a, b] = await Promise.all([ready(), ready()]);
    const codes = (await Promise.all([book(a, 1), book(b, 2)])).map(resultCodeOf);
    expect(codes.toSorted((x, y) => x - y)).to.deep.equal([0, 14]);
    const { record } = await callOver('httpGet', b.endpoint, 'GetDoctor', { centerid: 1 });
    expect(record.Doctors.Doctor).to.have.length(10);
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`rejects new connections on ${signal}, finishes the request in flight, stops once, and exits with 0`, async () => {
      const service = await ready();
      const body = 'centerid=2';
      const socket = connect(service.port, '127.0.0.1');
      const chunks: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      const ended = new Promise<void>((resolve, reject) => {
        socket.on('end', resolve);
        socket.on('error', reject);
      });
      socket.write(
        `POST /TPWebServices.asmx/GetDoctor HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 4)}`,
      );
      // An answer on a second connection shows that the first one's bytes have arrived.
      await callOver('httpGet', service.endpoint, 'GetDoctor', { centerid: 1 });
      service.signal(signal);
      await service.printed('"msg":"stopping"');
      service.signal(signal);
      const turnedAway = await rawExchange(service.port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n').catch((error) => error);
      // The kernel may have accepted it in the moment before the port was closed.
      expect(turnedAway.code).to.be.oneOf(['ECONNREFUSED', 'ECONNRESET']);

      socket.write(body.slice(4));
      await ended;
      const answer = parseAnswer(Buffer.concat(chunks));
      expect(answer.status).to.equal(200);
      expect(answer.body.length).to.equal(Number(answer.headers['content-length']));
      expect(answer.body.toString())
        .to.contain('Dr. Anita Urs')
        .and.match(/<\/DoctorList>\s*$/);
      expect(await service.exited()).to.equal(0);
      expect(service.logLines().map(({ msg }) => msg)).to.include.members(['stopping', 'stopped']);
      expect(service.logLines().filter(({ msg }) => msg === 'stopping')).to.have.length(1);
    });
  }

  it('reports at first that it is not ready, and keeps serving with answers that close their connections, before it stops', async () => {
    const service = await ready({ STOP_GRACE_SECONDS: '3' });
    service.signal('SIGTERM');
    const { origin } = new URL(service.endpoint);
    let readiness = await fetch(`${origin}/readyz`);
    while (readiness.status === 200) readiness = await fetch(`${origin}/readyz`);
    expect(readiness.status).to.equal(503);
    expect(await readiness.text()).to.equal('The service is stopping.');
    const answer = await fetch(`${service.endpoint}/GetDoctor?centerid=1`);
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('connection')).to.equal('close');
    expect(await service.exited()).to.equal(0);
  });

  it('shares a port if both processes say so, and only then', async () => {
    const shared = { PORT: String(await freePort()), SHARED_PORT: 'true' };
    const first = await ready(shared);
    const second = await ready(shared);
    expect(second.port).to.equal(first.port);
    const third = start({ ...shared, SHARED_PORT: 'false' });
    expect(await third.exited()).to.equal(1);
    expect(third.errors()).to.contain(`PORT=${first.port}: another program listens on this port`);
  });

  describe('does not start', () => {
    it('with a misspelt setting, instead of running unprotected', async () => {
      const service = await start({ CLIENT_FILE: '/etc/clients.json' });
      expect(await service.exited()).to.equal(1);
      expect(service.errors()).to.equal(
        'The configuration has a mistake:\n  CLIENT_FILE: no setting has this name; expected CLIENTS_FILE, or no such variable\n',
      );
    });

    it('with three mistakes in the settings: it reports all three and exits with 1', async () => {
      const service = start({ PORT: '99999', TIME_ZONE: 'Mars/Olympus', REFUSALS: 'maybe' });
      expect(await service.exited()).to.equal(1);
      expect(service.errors()).to.match(/3 mistakes/);
      for (const mistake of ['PORT=99999: ', 'TIME_ZONE=Mars/Olympus: ', 'REFUSALS=maybe: ']) {
        expect(service.errors()).to.contain(mistake);
      }
      expect(service.errors()).not.to.match(/^\s+at /m);
      expect(service.output()).to.equal('');
    });

    it('on a port that another program uses: it names the setting and exits with 1', async () => {
      const other = createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => other.on('listening', resolve));
      const { port } = other.address() as { port: number };
      const service = start({ PORT: String(port) });
      expect(await service.exited()).to.equal(1);
      expect(service.errors()).to.equal(
        `PORT=${port}: another program listens on this port of 127.0.0.1, perhaps another replica; expected a free port.\n`,
      );
      other.close();
    });

    for (const [what, settings, words] of [
      [
        'with a path without a database',
        { DATABASE_URL: 'sqlite:@/wrong/hospital.db', DATABASE_CREATE: 'false' },
        /^There is no TPWebServices database in .*hospital\.db\. Point DATABASE_URL .* DATABASE_CREATE=true\.\n$/,
      ],
      [
        'with a file that is not a database',
        { DATABASE_URL: 'sqlite:@/page.html' },
        /The database cannot be used: file is not a database/,
      ],
      [
        'with a file in place of the folder',
        { DATABASE_URL: 'sqlite:@/page.html/a.db' },
        /^The database cannot be opened: .*page\.html is a file; expected a folder\.\n$/,
      ],
      [
        'with a file of text messages in a folder that is a file',
        { SMS_GATEWAY: 'file:@/page.html/sms.jsonl' },
        /^SMS_GATEWAY=file:.*page\.html\/sms\.jsonl: .*page\.html is a file; expected a folder\.\n$/,
      ],
      [
        'with a folder in place of the file of text messages',
        { SMS_GATEWAY: 'file:@' },
        /^SMS_GATEWAY=file:.* is a folder; expected a file\.\n$/,
      ],
      [
        "on an address that is not this machine's",
        { HOST: '192.0.2.1' },
        /^PORT=\d+: it cannot listen on 192\.0\.2\.1 \(EADDRNOTAVAIL\); expected an address of this machine, .*\.\n$/,
      ],
    ] as const) {
      it(`${what}: it prints a clear message and exits with 1`, async () => {
        writeFileSync(join(services.folder.path, 'page.html'), '<p>no database</p>'.repeat(100));
        const service = start(
          Object.fromEntries(
            Object.entries(settings).map(([name, value]) => [name, value.replace('@', services.folder.path)]),
          ),
        );
        expect(await service.exited()).to.equal(1);
        expect(service.errors()).to.match(words);
        expect(service.errors()).not.to.match(/^\s+at /m);
      });
    }
  });
});
