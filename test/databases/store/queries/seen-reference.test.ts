import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import { migrate } from '../../../../src/store/migrations/migrate.ts';
import { SeenReference } from '../../../../src/store/queries/seen-reference.ts';
import { sessionOf } from '../../../../src/store/sqlite/sqlite-session.ts';

describe('SeenReference', () => {
  const database = new DatabaseSync(':memory:', { defensive: false });
  const session = sessionOf(database);
  const statements: string[] = [];
  /** What other programs commit between the statements of a load. */
  let meanwhile: string | undefined;
  const counted: typeof session = {
    ...session,
    run: (sql, parameters) => {
      statements.push(sql);
      if (meanwhile !== undefined) database.exec(meanwhile);
      meanwhile = undefined;
      return session.run(sql, parameters);
    },
    first: (sql, parameters) => {
      statements.push(sql);
      return session.first(sql, parameters);
    },
  };
  const asked = () => statements.splice(0).length;
  let seen: SeenReference;

  before(async () => {
    await migrate(session.db, 'sqlite');
  });
  after(() => database.close());
  beforeEach(() => {
    asked();
    seen = new SeenReference(counted, {});
  });

  const addCenter = (id: number) => `INSERT INTO center (id, name, time_zone) VALUES (${id}, 'C', 'Asia/Kolkata')`;

  it('asks for the version once, even if several ask at the same moment, and loads nothing of a version that it knows', async () => {
    const loaded = await seen.data();
    asked();
    seen.forget();
    expect(await Promise.all([seen.data(), seen.data()])).to.deep.equal([loaded, loaded]);
    expect(asked()).to.equal(1);
  });

  it('has one version, although another program commits while it is loaded', async () => {
    meanwhile = `${addCenter(1)}; INSERT INTO message_template (template_id, text, active) VALUES (1, 'T', 1)`;
    const data = await seen.data();
    expect([data.center(1)?.name, data.template(1)?.text]).to.deep.equal(['C', 'T']);
    expect(data.version).to.equal(database.prepare('SELECT version FROM reference_version').get()?.version);
  });

  it('asks again after a failure', async () => {
    let isBroken = true;
    const failing = new SeenReference(
      { ...counted, first: (...query) => (isBroken ? Promise.reject(new Error('broken')) : counted.first(...query)) },
      {},
    );
    await failing.data().catch(() => {});
    isBroken = false;
    expect((await failing.data()).version).to.be.at.least(1);
  });

  it("keeps a writer's own changes to itself until its transaction has ended", async () => {
    const known = {};
    const writer = new SeenReference(counted, known);
    const other = new SeenReference(counted, known);
    const before = await other.data();
    database.exec('BEGIN');
    writer.noteChange();
    database.exec(addCenter(2));
    expect((await writer.data()).center(2)?.name).to.equal('C');
    database.exec('ROLLBACK');
    expect((await writer.data()).center(2)).to.equal(undefined);
    writer.forget();
    expect(await writer.data()).to.equal(before);
  });
});
