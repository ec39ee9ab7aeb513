import { expect } from 'chai';
import { readConfig } from '../../../../src/settings/config.ts';
import { openStore } from '../../../../src/store/open-store.ts';
import { requireFit } from '../../../../src/store/postgres/server.ts';
import { MIGRATION_LOCK } from '../../../../src/store/postgres/work-keys.ts';
import { BEFORE_FIRST } from '../../../../src/store/queries/export-queries.ts';
import { type Store, StoreConflict } from '../../../../src/store/store.ts';
import { ServiceError, SetUpError } from '../../../../src/vocabulary/errors.ts';
import { asAdministrator } from '../../../support/database/as-administrator.ts';
import {
  databaseUrl,
  emptyPostgresDatabase,
  newPostgresDatabase,
  ON_POSTGRES,
  type OwnDatabase,
} from '../../../support/database/test-database.ts';
import { addDoctors, appointment, failure, TEN_FIFTEEN } from '../store-suite.ts';

describe('A PostgreSQL server', () => {
  const server = {
    version: '14.1',
    versionNumber: 140_001,
    encoding: 'UTF8',
    synchronousCommit: 'on',
    database: 'd',
    address: 'h:5432',
  };

  it('is accepted from version 14 on, and only with UTF-8', () => {
    requireFit(server);
    requireFit({ ...server, version: '17.2', versionNumber: 170_002 });
    expect(() => requireFit({ ...server, version: '13.22', versionNumber: 130_022 })).to.throw(
      'PostgreSQL at h:5432 is version 13.22; expected 14 or later.',
    );
    expect(() => requireFit({ ...server, encoding: 'LATIN1' })).to.throw(/keeps texts as LATIN1; expected UTF8/);
  });
});

(ON_POSTGRES ? describe : describe.skip)('openPostgresStore (npm run ci -- postgres)', () => {
  let own: OwnDatabase;
  let toRemove: OwnDatabase | undefined;
  const opened: Store[] = [];
  const open = async (
    url: string,
    limits: { readonly timeoutMs?: number; readonly poolSize?: number } = {},
    mustExist = false,
  ) => {
    const store = await openStore({ ...readConfig({ DATABASE_URL: url }).database, ...limits }, { mustExist });
    opened.push(store);
    return store;
  };
  const sql = (...statements: readonly string[]) =>
    asAdministrator(own.url, async (client) => {
      for (const statement of statements) await client.query(statement);
    });
  const insert = (store: Store, values: Parameters<typeof appointment>[0] = {}) =>
    store.write(async ({ appointments }) => (await appointments.insert(appointment(values))).id, ['any']);

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
    await toRemove?.remove();
    toRemove = undefined;
  });

  describe('on a new database', () => {
    beforeEach(async () => {
      own = toRemove = await emptyPostgresDatabase();
    });

    it('creates its tables once, even if ten processes start at the same moment', async () => {
      const stores = await Promise.all(Array.from({ length: 10 }, () => open(own.url, { poolSize: 2 })));
      for (const store of stores) expect((await store.reference()).version).to.equal(1);
    });

    it('reports the server, version and database, but no password', async () => {
      const { description } = await open(own.url);
      expect(description).to.match(/^PostgreSQL \d+\.\d+ at 127\.0\.0\.1:\d+, database test_\w+$/);
    });

    it('creates nothing if the database must already exist', async () => {
      const error = await failure(open(own.url, {}, true));
      expect(error).to.be.instanceOf(ServiceError);
      expect(error.message).to.match(/^The database test_\w+ at \S+ is of an older version of the service, or empty/);
      await open(own.url);
      await open(own.url, {}, true);
    });

    it('creates nothing if a new database was not intended', async () => {
      const location = readConfig({ DATABASE_URL: own.url }).database;
      const error = await failure(openStore(location, { mayCreate: false }));
      expect(error.message).to.match(/^There is no TPWebServices database in test_\w+ at \S+\. Point DATABASE_URL/);
      await (await open(own.url)).close();
      await (await openStore(location, { mayCreate: false })).close();
    });

    it('does not change a database that a newer version has changed', async () => {
      await (await open(own.url)).close();
      await sql("INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-future', '2030')");
      for (const mustExist of [false, true]) {
        const error = await failure(open(own.url, {}, mustExist));
        expect(error.message).to.match(
          /is of a newer version of the service, and this is \S+; install that version, or restore an earlier backup/,
        );
      }
    });

    it('does not change a database whose schema cannot be migrated', async () => {
      await sql('CREATE TABLE message (text text)');
      expect((await failure(open(own.url))).message).to.match(/message/);
      await sql('DROP TABLE message');
      await open(own.url);
    });

    it("sorts texts by their bytes, whatever the server's locale", async () => {
      const store = await open(own.url);
      await store.write(async ({ referenceTables }) => {
        await referenceTables.put('center', { id: 1, name: 'A', timeZone: 'Asia/Kolkata', phoneRegion: null });
        const rest = { department: null, specialization: null, qualification: null, slotMinutes: 15, capacity: 1 };
        for (const [n, name] of ['éclair', 'b', 'Z', 'a', 'B'].entries()) {
          await referenceTables.put('doctor', { active: 1, ...rest, centerId: 1, id: n + 1, name });
        }
      });
      const sorted = await asAdministrator(own.url, (client) => client.query('SELECT name FROM doctor ORDER BY name'));
      expect(sorted.rows.map(({ name }) => name)).to.deep.equal(['B', 'Z', 'a', 'b', 'éclair']);
    });
  });

  describe('reports clearly that it cannot use', () => {
    it('a server that does not exist', async () => {
      const error = await failure(open('postgres://u:hidden@127.0.0.1:1/d'));
      expect(error).to.be.instanceOf(ServiceError);
      expect(error.message).to.match(/^PostgreSQL at 127\.0\.0\.1:1\/d cannot be used \(.*ECONNREFUSED.*\)/);
      expect(error.message).not.to.include('hidden');
    });

    it('a database that does not exist', async () => {
      const error = await failure(open(databaseUrl('nowhere')));
      expect(error.message).to.match(/database "nowhere" does not exist/);
      expect(error).to.be.instanceOf(ServiceError);
    });

    it('a database whose schema has been migrated by another process for too long', async () => {
      own = toRemove = await newPostgresDatabase();
      await asAdministrator(own.url, async (client) => {
        await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
        const { database } = readConfig({ DATABASE_URL: own.url });
        const error = await failure(openStore({ ...database, timeoutMs: 100 }));
        expect(error).to.be.instanceOf(ServiceError);
        expect(error.message).to.match(
          /^Another process is bringing the schema of the database \S+ up to date \(role \S+, program [^,]*, process [0-9]+, idle in a transaction\); /,
        );
      });
      await open(own.url);
    });

    it('a database with another encoding', async () => {
      own = toRemove = await emptyPostgresDatabase("ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C'");
      expect((await failure(open(own.url))).message).to.match(/SQL_ASCII; expected UTF8/);
    });

    it('a database in which the user may not create anything', async () => {
      own = toRemove = await emptyPostgresDatabase();
      await sql('DROP ROLE IF EXISTS reader', 'CREATE ROLE reader LOGIN', 'REVOKE CREATE ON SCHEMA public FROM public');
      const url = new URL(own.url);
      url.username = 'reader';
      const error = await failure(open(url.href));
      expect(error).to.be.instanceOf(SetUpError);
      expect(error.message).to.match(/does not let the service create its tables \(permission denied/);
    });
  });

  it('refuses a user whose search_path names no schema', async () => {
    own = toRemove = await emptyPostgresDatabase();
    const error = await failure(open(`${own.url}?options=-csearch_path%3Dnosuch`));
    expect(error).to.be.instanceOf(SetUpError);
    expect(error.message).to.match(/: the search_path of this user names no schema that exists; create it, or/);
  });

  describe('encrypts its connections', () => {
    const certificateFile = () =>
      asAdministrator(own.url, async (client) => (await client.query('SHOW ssl_cert_file')).rows[0]?.ssl_cert_file);
    const encrypted = () =>
      asAdministrator(own.url, async (client) => {
        const { rows } = await client.query(`SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`);
        return rows.map(({ ssl }) => ssl);
      });
    beforeEach(async () => {
      own = toRemove = await newPostgresDatabase();
    });

    it('if the URL asks for it', async () => {
      await (await open(own.url)).reference();
      expect(await encrypted()).to.deep.equal([false]);
      await opened.pop()?.close();
      await (await open(`${own.url}?sslmode=require`)).reference();
      expect(await encrypted()).to.deep.equal([true]);
    });

    it('to a server whose certificate it knows, with sslmode=verify-full', async () => {
      const error = await failure(open(`${own.url}?sslmode=verify-full`));
      expect(error).to.be.instanceOf(ServiceError);
      expect(error.message).to.match(/cannot be used \(.*self-signed certificate/);
      const known = `${own.url}?sslmode=verify-full&sslrootcert=${await certificateFile()}`;
      await (await open(known)).reference();
      expect(await encrypted()).to.deep.equal([true]);
    });

    it('or says which file is missing', async () => {
      const error = await failure(open(`${own.url}?sslmode=verify-full&sslrootcert=/nowhere.crt`));
      expect(error.message).to.match(/cannot be used \(ENOENT: .*nowhere\.crt/);
    });
  });

  describe("on the service's database", () => {
    let store: Store;
    const reopened = async (limits: Parameters<typeof open>[1]) => {
      store = await open(own.url, limits);
    };
    beforeEach(async () => {
      own = toRemove = await newPostgresDatabase();
      store = await open(own.url);
      await addDoctors(store);
    });

    const row = (start: number) => `
      INSERT INTO appointment (center_id, doctor_id, start_wall_minute, end_wall_minute, seat, token_no, status, overlapping, reschedule_count,
        name_key, name, sex, phone, created_on, updated_on, id)
      VALUES (1, 1, ${start}, ${start + 15}, 1, 1, 2, 0, 0, 'B', 'N', 'F', '${appointment().phone}', 0, 0, nextval('appointment_number'))`;

    it("refuses another program's booking of an occupied seat", async () => {
      await insert(store);
      expect(await failure(sql(row(TEN_FIFTEEN + 14)))).to.have.property('code', '23P01');
      await sql(row(TEN_FIFTEEN + 15));
    });

    it('refuses to change, delete or truncate the audit', async () => {
      await store.write(({ audit }) =>
        audit.add({
          recordedOn: 1,
          operation: 'Fetch_Details',
          action: 'C',
          outcome: 0,
          client: 'anonymous',
          address: '10.0.0.7',
          transport: 'soap11',
          correlationId: 'a',
        }),
      );
      for (const change of ['UPDATE audit_event SET outcome = 4', 'DELETE FROM audit_event', 'TRUNCATE audit_event']) {
        expect((await failure(sql(change))).message).to.equal('audit_event is append-only');
      }
      expect(await store.write(({ audit }) => audit.forget(Date.now() + 60_000))).to.equal(1);
    });

    it('counts a change to the reference data by another program', async () => {
      const before = (await store.reference()).version;
      await sql("UPDATE doctor SET name = 'Dr. Else'");
      expect((await store.reference()).version).to.be.greaterThan(before);
    });

    it('queries once for all calls of one turn', async () => {
      const versions = await Promise.all([store.reference(), store.reference()]);
      expect(new Set(versions)).to.have.property('size', 1);
    });

    it('runs transactions with different keys concurrently, and with the same key one after the other', async () => {
      const other = await open(own.url);
      const order: string[] = [];
      const work = (from: Store, name: string, key: string, until: Promise<unknown>) =>
        from.write(
          async ({ reference }) => {
            (await reference()).center(1);
            order.push(`${name} begins`);
            await until;
            order.push(`${name} ends`);
          },
          [key],
        );
      const turn = Promise.withResolvers<void>();
      const first = work(store, 'first', 'a', turn.promise);
      while (order.length < 1) await new Promise((resume) => setTimeout(resume, 5));
      const second = work(other, 'second', 'a', Promise.resolve());
      await work(other, 'third', 'b', Promise.resolve());
      turn.resolve();
      await Promise.all([first, second]);
      expect(order).to.deep.equal([
        'first begins',
        'third begins',
        'third ends',
        'first ends',
        'second begins',
        'second ends',
      ]);
    });

    it('repeats a transaction that PostgreSQL ended because of a deadlock', async () => {
      const ids = [await insert(store), await insert(store, { nameKey: 'B', startsAt: TEN_FIFTEEN + 60 })];
      const both = Promise.withResolvers<void>();
      let runs = 0;
      const cross = (first: number, second: number) =>
        store.write(
          async ({ appointments }) => {
            await appointments.setStatus({ centerId: 1, id: ids[first] ?? 0, status: 3, now: 1 });
            if (++runs === 2) both.resolve();
            await both.promise;
            await appointments.setStatus({ centerId: 1, id: ids[second] ?? 0, status: 3, now: 1 });
          },
          [`cross ${first}`],
        );
      await Promise.all([cross(0, 1), cross(1, 0)]);
      expect(runs).to.equal(3);
    });

    it('is Unavailable if a transaction keeps deadlocking', async () => {
      await sql(
        "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no' USING ERRCODE = '40001'; END $$",
        'CREATE TRIGGER fail BEFORE INSERT ON appointment EXECUTE FUNCTION fail()',
      );
      expect(await failure(insert(store))).to.have.property('code', 'Unavailable');
      await sql('DROP FUNCTION fail CASCADE');
      await insert(store);
    });

    it('is Unavailable while another program holds a lock for too long, and works afterwards', async () => {
      await reopened({ timeoutMs: 200 });
      await asAdministrator(own.url, async (stranger) => {
        await stranger.query('BEGIN');
        await stranger.query('LOCK TABLE appointment');
        expect(await failure(insert(store))).to.have.property('code', 'Unavailable');
        expect(
          await failure(store.read(({ appointments }) => appointments.byId({ id: 1, centerId: 1 }))),
        ).to.have.property('code', 'Unavailable');
        await stranger.query('ROLLBACK');
      });
      await insert(store);
    });

    it('is Unavailable if no connection for writing becomes free, or its turn does not come, and reads go on', async () => {
      await reopened({ timeoutMs: 200, poolSize: 2 });
      const free = Promise.withResolvers<void>();
      const hold = (key: string) =>
        store.write(
          async ({ reference }) => {
            (await reference()).center(1);
            await free.promise;
          },
          [key],
        );
      const held = hold('a');
      const late = await Promise.all([failure(hold('b')), failure(hold('a')), failure(store.write(async () => {}))]);
      for (const error of late) expect(error).to.have.property('code', 'Unavailable');
      expect(await store.reference().then((reference) => reference.center(1))).to.have.property('id', 1);
      free.resolve();
      await held;
      await insert(store);
    });

    const cut = () =>
      sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE pid <> pg_backend_pid() AND datname = current_database()`);

    it('continues by itself after its connections were cut', async () => {
      await Promise.all(Array.from({ length: 5 }, (_, n) => store.write(async () => {}, [`${n}`])));
      await cut();
      let recovered = false;
      for (let tries = 0; tries < 20 && !recovered; tries++) {
        recovered = await insert(store).then(
          () => true,
          (error) => {
            expect(error).to.have.property('code', 'Unavailable');
            return false;
          },
        );
      }
      expect(recovered).to.equal(true);
    });

    it('is Unavailable if the connection is cut in a transaction, none of which stays', async () => {
      const error = await failure(
        store.write(async ({ appointments }) => {
          await appointments.insert(appointment());
          await cut();
          await appointments.insert(appointment({ nameKey: 'B', startsAt: TEN_FIFTEEN + 60 }));
        }),
      );
      expect(error).to.have.property('code', 'Unavailable');
      expect(error.message).not.to.match(/terminat|connection|sql/i);
      expect(await store.read(({ exports }) => exports.appointmentsAfter(BEFORE_FIRST))).to.deep.equal([]);
    });

    it('is Unavailable if the connection is cut during the commit', async () => {
      await sql(
        'CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$',
        'CREATE CONSTRAINT TRIGGER cut AFTER INSERT ON appointment DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION cut()',
      );
      expect(await failure(insert(store))).to.have.property('code', 'Unavailable');
      await sql('DROP FUNCTION cut CASCADE');
      await insert(store);
    });

    it('detects a transaction that continues after one of its queries failed', async () => {
      const error = await failure(
        store.write(async ({ appointments }) => {
          await appointments.insert(appointment());
          await appointments
            .insert(appointment())
            .catch((refused) => expect(refused).to.have.property('code', '23P01'));
        }),
      );
      expect(error.message).to.equal('a query of the work failed, but the work continued');
    });

    it('reports a conflict between two concurrent transactions', async () => {
      const results = await Promise.allSettled(
        [1, 2].map((n) =>
          store.write(({ appointments }) => appointments.insert(appointment({ nameKey: `P${n}` })), [`${n}`]),
        ),
      );
      const refused = results.find((result) => result.status === 'rejected');
      expect(refused?.reason).to.be.instanceOf(StoreConflict);
    });

    it('drops a connection to a server that became a standby, or changed a table', async () => {
      await insert(store);
      const pids = () =>
        asAdministrator(own.url, async (client) => {
          const { rows } = await client.query(`SELECT pid FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`);
          return rows.map(({ pid }) => pid);
        });
      const before = await pids();
      // A standby's answer to a write.
      await sql(
        "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no' USING ERRCODE = '25006'; END $$",
        'CREATE TRIGGER fail BEFORE INSERT ON appointment EXECUTE FUNCTION fail()',
      );
      const other = { nameKey: 'B', startsAt: TEN_FIFTEEN + 60 };
      expect(await failure(insert(store, other))).to.have.property('code', 'Unavailable');
      await sql('DROP FUNCTION fail CASCADE');
      await insert(store, other);
      expect(await pids()).not.to.have.members(before);
      // The result of a prepared statement now has another type.
      await sql('ALTER TABLE center ALTER COLUMN time_zone TYPE varchar');
      const look = () => store.reference().then((reference) => reference.center(1));
      await look().catch((error) => expect(error).to.have.property('code', 'Unavailable'));
      expect(await look()).to.have.property('id', 1);
      await sql('ALTER TABLE center ALTER COLUMN time_zone TYPE text COLLATE "C"');
    });

    it('writes to the disk before it answers, even if the server is set up to answer earlier', async () => {
      await sql(`ALTER DATABASE ${new URL(own.url).pathname.slice(1)} SET synchronous_commit = off`);
      try {
        await sql(
          "CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO service_fact VALUES ('sync', current_setting('synchronous_commit')); RETURN NULL; END $$",
          'CREATE TRIGGER tell AFTER INSERT ON appointment EXECUTE FUNCTION tell()',
        );
        await reopened({});
        await insert(store);
        expect(await store.read(({ facts }) => facts.get('sync'))).to.equal('on');
        await sql('DROP FUNCTION tell CASCADE');
      } finally {
        await sql(`ALTER DATABASE ${new URL(own.url).pathname.slice(1)} RESET synchronous_commit`);
      }
    });
  });
});
