import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MessageChannel } from 'node:worker_threads';
import { expect } from 'chai';
import { openStore } from '../../../../src/store/open-store.ts';
import { firstColumn, firstValue, openFile } from '../../../../src/store/sqlite/database-file.ts';
import { failedWith } from '../../../../src/store/sqlite/sqlite-errors.ts';
import type { Store } from '../../../../src/store/store.ts';
import { ServiceError } from '../../../../src/vocabulary/errors.ts';
import { auditEntry } from '../../../support/database/audit-entry.ts';
import { addDoctor } from '../../../support/database/hospital.ts';
import {
  type TemporaryDatabase,
  type TemporarySettings,
  temporaryDatabase,
} from '../../../support/database/temporary-database.ts';
import { fillDisk, withConnections } from '../../../support/database/with-connections.ts';
import { expectMode, skipOnWindows } from '../../../support/process/on-windows.ts';
import { addDoctors, appointment, failure, TEN_FIFTEEN } from '../store-suite.ts';

describe('openSqliteStore', () => {
  let database: TemporaryDatabase;
  /** Another program's connection, without any of our settings. */
  let stranger: DatabaseSync;
  let store: Store;

  async function openDatabase(settings: TemporarySettings = {}) {
    database = temporaryDatabase(settings);
    const opened = await withConnections(() => database.open());
    store = opened.store;
    await addDoctors(store);
    stranger = openFile(database.file);
    return opened.connections;
  }
  const insert = (values: Parameters<typeof appointment>[0] = {}) =>
    store.write(async ({ appointments }) => (await appointments.insert(appointment(values))).id);

  afterEach(async () => {
    stranger.close();
    await database.dispose();
  });

  describe('a file', () => {
    it('can be read and written only by its owner', async () => {
      await openDatabase({ isNew: true });
      await store.write(({ facts }) => facts.set({ name: 'a', value: 'b' }));
      for (const file of ['', '-wal', '-shm'].map((end) => database.file + end)) {
        expectMode(file, 0o600);
      }
    });

    it('refuses to change a row of the audit, and to delete one that is not older than a recorded age limit', async () => {
      await openDatabase();
      await store.write(({ audit }) => audit.add(auditEntry({ recordedOn: 1000 })));
      const deletion = 'DELETE FROM audit_event';
      const overwriting =
        "INTO audit_event (id, recorded_on, action, outcome, client, correlation_id) VALUES (1, 1, 'R', 0, 'x', 'y')";
      for (const change of [
        'UPDATE audit_event SET outcome = 8',
        'UPDATE OR REPLACE audit_event SET outcome = 8',
        `REPLACE ${overwriting}`,
        `INSERT OR REPLACE ${overwriting}`,
        `INSERT ${overwriting} ON CONFLICT DO UPDATE SET outcome = 8`,
        deletion,
      ]) {
        expect(() => stranger.exec(change), change).to.throw('audit_event is append-only');
      }
      await store.write(({ audit }) => audit.add(auditEntry({ recordedOn: 2000 })));
      expect(await store.read(({ audit }) => audit.page({}))).to.have.length(2);
      stranger.exec("INSERT INTO service_fact VALUES ('forget-audit', '1000')");
      expect(() => stranger.exec(deletion)).to.throw('audit_event is append-only');
    });

    it('is private, even if others could read it before', async function () {
      skipOnWindows(this, 'files have no modes');
      await openDatabase({ isNew: true });
      await store.close();
      chmodSync(database.file, 0o644);
      await database.open();
      expectMode(database.file, 0o600);
    });

    it('may be named by a link: its other files are beside the file itself, and are private and counted, too', async function () {
      skipOnWindows(this, 'files have no modes');
      await openDatabase({ isNew: true });
      for (const end of ['', '-wal', '-shm']) chmodSync(database.file + end, 0o644);
      mkdirSync(join(database.folder, 'elsewhere'));
      const link = join(database.folder, 'elsewhere', 'link.db');
      symlinkSync(database.file, link);
      const linked = await openStore({ kind: 'sqlite', path: link, timeoutMs: 5000 });
      expect(linked.description).to.equal(`SQLite file ${realpathSync(database.file)}`);
      for (const end of ['', '-wal', '-shm']) expectMode(database.file + end, 0o600);
      expect(await linked.size()).to.equal(await store.size());
      rmSync(link);
      symlinkSync(`${database.file}.other`, link);
      expect(linked.flaw()).to.equal('The database file is gone while the service ran.');
      await linked.close();
    });

    it('is named in the description, with its whole path', async () => {
      await openDatabase();
      expect(store.description).to.equal(`SQLite file ${database.file}`);
    });

    it('is written with a write-ahead log, with each commit synced to disk, with foreign keys, and without temporary files', async () => {
      const [writing] = await openDatabase({ isNew: true });
      const expected = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1, temp_store: 2, busy_timeout: 0 };
      for (const [name, value] of Object.entries(expected)) {
        expect(firstValue(writing, `PRAGMA ${name}`), name).to.equal(value);
      }
    });

    const LARGEST = 9_000_000;
    const logSize = () => statSync(`${database.file}-wal`).size;
    /** One commit after the other, 100 kB each. */
    const write = async (commits: number) => {
      for (let n = 0; n < commits; n++) {
        await store.write(({ facts }) => facts.set({ name: 'much', value: String(n % 10).repeat(100_000) }));
      }
    };

    it('keeps its log small even if somebody is always reading', async () => {
      await openDatabase();
      let isOver = false;
      const reading = (async () => {
        while (!isOver) {
          await store.read(({ facts }) => facts.get('a'));
          await new Promise(setImmediate);
        }
      })();
      await write(200);
      isOver = true;
      await reading;
      expect(logSize()).to.be.lessThan(LARGEST + 4_000_000);
    });

    it('has a small log again after a long read has ended', async () => {
      await openDatabase();
      stranger.exec('BEGIN');
      stranger.prepare('SELECT count(*) FROM service_fact').get();
      await write(150);
      expect(logSize()).to.be.greaterThan(LARGEST);
      stranger.exec('COMMIT');
      await write(150);
      expect(logSize()).to.be.lessThan(LARGEST);
    });

    it('is read through a connection that cannot write', async () => {
      const [, reading] = await openDatabase();
      expect(() => reading.exec('DELETE FROM service_fact')).to.throw('attempt to write a readonly database');
    });

    it('has no table that accepts a value of another type', async () => {
      await openDatabase();
      const tables = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0";
      const loose = firstColumn<string>(stranger, tables);
      expect(loose.filter((name) => !/^(sqlite|kysely)_/.test(name))).to.deep.equal([]);
      expect(() => stranger.exec("INSERT INTO center (id, name, time_zone) VALUES (3, 'A', x'00')")).to.throw(
        /STRICT|datatype|cannot store/i,
      );
    });

    it('never gives out an AppointmentID twice, even if its row is deleted', async () => {
      await openDatabase();
      const first = await insert();
      stranger.exec('DELETE FROM appointment');
      expect(await insert()).to.equal(first + 1);
    });
  });

  it("refuses another program's booking of an occupied seat", async () => {
    await openDatabase();
    await insert();
    const COLUMNS =
      'id, center_id, doctor_id, start_wall_minute, end_wall_minute, seat, token_no, status, overlapping, reschedule_count, name_key, name, sex, phone, created_on, updated_on';
    const book = (start: number) =>
      stranger.exec(
        `INSERT INTO appointment (${COLUMNS}) VALUES ((SELECT last_id + 1 FROM appointment_number), 1, 1, ${start}, ${start + 15}, 1, 1, 2, 0, 0, 'B', 'N', 'F', '${appointment().phone}', 0, 0)`,
      );
    expect(() => book(TEN_FIFTEEN + 14)).to.throw('appointment_seat_held_once');
    book(TEN_FIFTEEN + 15);
  });

  describe('after another program has written', () => {
    const anyCenter = () => store.reference().then((reference) => reference.center(1));
    /** Resolves when the event loop next takes in what has arrived, as it does when a request arrives. */
    const arrival = async () => {
      const { port1: sender, port2: receiver } = new MessageChannel();
      const arrived = once(receiver, 'message');
      sender.postMessage('');
      await arrived;
      receiver.close();
    };

    for (const [where, begin] of [
      ['an immediate', () => new Promise(setImmediate)],
      ['a timer', () => new Promise((resume) => setTimeout(resume, 1))],
    ] as const) {
      it(`reads what it has written, even if ${where} has read just before that`, async () => {
        await openDatabase();
        await begin();
        await anyCenter();
        stranger.exec("UPDATE doctor SET name = 'Dr. New'");
        await arrival();
        const doctors = await store.reference().then((reference) => reference.doctors(1));
        expect(doctors.map(({ name }) => name)).to.deep.equal(['Dr. New', 'Dr. New']);
      });
    }
  });

  describe('while another program writes', () => {
    it('waits without blocking the event loop, and then writes', async () => {
      await openDatabase();
      stranger.exec('BEGIN IMMEDIATE');
      let settled = false;
      const write = insert().finally(() => {
        settled = true;
      });
      for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
      expect(settled).to.equal(false);
      stranger.exec('COMMIT');
      await write;
    });

    it('reads what was committed before', async () => {
      await openDatabase();
      stranger.exec('BEGIN IMMEDIATE');
      stranger.exec("UPDATE doctor SET name = 'Nobody'");
      const write = insert();
      const doctors = await store.reference().then((reference) => reference.doctors(1));
      expect(doctors.map(({ name }) => name)).to.deep.equal(['Dr. Asha Rao', 'Dr. Asha Rao']);
      stranger.exec('ROLLBACK');
      await write;
    });

    it('is Unavailable after its limit, without blocking the event loop', async () => {
      await openDatabase({ timeoutMs: 400 });
      stranger.exec('BEGIN IMMEDIATE');
      let turns = 0;
      let waiting = true;
      const turn = () => {
        turns++;
        if (waiting) setImmediate(turn);
      };
      turn();
      const error = await failure(insert());
      waiting = false;
      expect(error).to.be.instanceOf(ServiceError);
      expect(error.code).to.equal('Unavailable');
      expect(error.message).not.to.match(/sql|lock|busy:/i);
      expect(turns).to.be.greaterThan(20);
      stranger.exec('ROLLBACK');
      await insert();
    });
  });

  describe('when the disk is full', () => {
    it('is Unavailable, keeps what was acknowledged, and works again when there is space', async () => {
      const [writing] = await openDatabase();
      const id = await insert();
      fillDisk(writing);
      const error = await failure(insert({ startsAt: TEN_FIFTEEN + 60, nameKey: 'B', name: 'x'.repeat(200_000) }));
      expect(error).to.be.instanceOf(ServiceError);
      expect(error.code).to.equal('Unavailable');
      expect(failedWith(error.cause, 'FULL')).to.equal(true);
      expect((await store.read(({ appointments }) => appointments.byId({ id, centerId: 1 })))?.id).to.equal(id);
      writing.exec('PRAGMA max_page_count = 100000');
      await insert({ startsAt: TEN_FIFTEEN + 60, nameKey: 'B', name: 'x'.repeat(200_000) });
      expect(firstValue(stranger, 'PRAGMA integrity_check')).to.equal('ok');
    });
  });

  describe('when the file cannot be written', () => {
    it('is Unavailable, but still reads', async () => {
      const [writing] = await openDatabase();
      writing.exec('PRAGMA query_only = ON');
      expect((await failure(insert())).code).to.equal('Unavailable');
      expect(await store.reference().then((reference) => reference.doctors(1))).to.have.length(2);
      writing.exec('PRAGMA query_only = OFF');
      await insert();
    });
  });

  it('passes on an error of ours unchanged', async () => {
    await openDatabase();
    const error = await failure(
      // No capacity of 0 passes the CHECK of its column.
      addDoctor(store, { id: 900, capacity: 0 }),
    );
    expect(error).not.to.be.instanceOf(ServiceError);
  });

  it('refuses another program’s file with a clear message, and does not change it', async () => {
    database = temporaryDatabase();
    mkdirSync(`${database.folder}/data`);
    stranger = new DatabaseSync(database.file);
    stranger.exec('CREATE TABLE message (text TEXT)');
    expect((await failure(database.open())).message).to.match(
      /^The file .* is another program's database: it has the table message; expected/,
    );
    expect(firstValue(stranger, 'PRAGMA journal_mode')).to.equal('delete');
    const tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
    expect(firstColumn(stranger, tables)).to.deep.equal(['message']);
  });

  describe('when nothing may be created', () => {
    const open = (file: string) => openStore({ kind: 'sqlite', path: file, timeoutMs: 5000 }, { mayCreate: false });

    it('refuses a file that does not exist, and creates neither it nor its folder', async () => {
      await openDatabase();
      const file = join(database.folder, 'elsewhere', 'hospital.db');
      expect((await failure(open(file))).message).to.equal(
        `There is no TPWebServices database in ${file}. Point DATABASE_URL at the hospital's database, or create a new one: with tpws import, or by starting the service with DATABASE_CREATE=true.`,
      );
      expect(existsSync(`${database.folder}/elsewhere`)).to.equal(false);
    });

    it('refuses an empty file, and leaves it empty', async () => {
      await openDatabase();
      const file = `${database.folder}/empty.db`;
      writeFileSync(file, '');
      expect((await failure(open(file))).message).to.match(/^There is no TPWebServices database in /);
      expect(statSync(file).size).to.equal(0);
    });

    it('opens the service’s own file', async () => {
      await openDatabase();
      const again = await open(database.file);
      expect(await again.reference().then((reference) => reference.doctors(1))).to.have.length(2);
      await again.close();
    });
  });

  it('throws for a file that is not a database, and does not change it', async () => {
    await openDatabase();
    const file = `${database.folder}/letter.txt`;
    writeFileSync(file, 'Dear Sir or Madam, this is no database at all. '.repeat(100));
    expect((await failure(openStore({ kind: 'sqlite', path: file, timeoutMs: 5000 }))).message).to.match(
      /not a database/,
    );
    expect(readFileSync(file, 'utf8')).to.match(/^Dear Sir/);
  });
});

describe('openSqliteStore in memory', () => {
  it('reports that it is in memory', async () => {
    const store = await openStore({ kind: 'sqlite', path: ':memory:', timeoutMs: 5000 });
    expect(store.description).to.equal('SQLite in memory');
    await store.close();
  });

  it('keeps stores separate', async () => {
    const [a, b] = await Promise.all([
      openStore({ kind: 'sqlite', path: ':memory:', timeoutMs: 5000 }),
      openStore({ kind: 'sqlite', path: ':memory:', timeoutMs: 5000 }),
    ]);
    await addDoctors(a);
    const later = await openStore({ kind: 'sqlite', path: ':memory:', timeoutMs: 5000 });
    for (const store of [b, later]) expect(await store.read(({ facts }) => facts.isEmpty())).to.equal(true);
    for (const store of [a, b, later]) await store.close();
  });

  it('never reads in the middle of a write', async () => {
    const store = await openStore({ kind: 'sqlite', path: ':memory:', timeoutMs: 5000 });
    await addDoctors(store);
    let seen: boolean | undefined;
    const write = store.write(async ({ appointments }) => {
      await appointments.insert(appointment());
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      expect(seen).to.equal(undefined);
    });
    const read = store.read(async ({ appointments }) => {
      seen = (await appointments.byId({ id: 1, centerId: 1 })) !== undefined;
    });
    await Promise.all([write, read]);
    expect(seen).to.equal(true);
    await store.close();
  });
});
