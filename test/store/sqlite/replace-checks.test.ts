import Database from 'better-sqlite3';
import { expect } from 'chai';
import { type TemporaryDatabase, temporaryDatabase } from '../../support/database/temporary-database.ts';

const ROW =
  "INSERT INTO audit_event (recorded_on, action, outcome, client, correlation_id) VALUES (1, 'C', 0, 'c', 'i')";

describe('The audit of an SQLite file whose checks were lists', () => {
  let database: TemporaryDatabase;
  let file: Database.Database;
  /** The whole schema of the audit, except its checks. */
  const belongings = () =>
    file
      .prepare(
        "SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = 'audit_event' AND type <> 'table' ORDER BY name",
      )
      .all();
  const checks = (): string =>
    String(file.prepare("SELECT sql FROM sqlite_schema WHERE name = 'audit_event'").pluck().get());

  beforeEach(async () => {
    database = temporaryDatabase();
    await (await database.open()).close();
    file = new Database(database.file);
  });
  afterEach(() => {
    file.close();
    database.dispose();
  });

  /** The table as the previous step left it: with its lists, and three rows of which the last is deleted. */
  async function asBefore(): Promise<void> {
    const kept = belongings() as { sql: string | null }[];
    const lists = checks()
      .replace("action = 'C' or action = 'R' or action = 'U' or action = 'E'", "action in ('C', 'R', 'U', 'E')")
      .replace('outcome = 0 or outcome = 4 or outcome = 8', 'outcome in (0, 4, 8)');
    expect(lists).to.include("in ('C', 'R', 'U', 'E')").and.include('in (0, 4, 8)');
    file.exec(`DROP TABLE audit_event; ${lists}; ${ROW}; ${ROW}; ${ROW}; DELETE FROM audit_event WHERE id = 3`);
    for (const { sql } of kept) if (sql !== null) file.exec(sql);
    file.exec("DELETE FROM kysely_migration WHERE name LIKE '%checks-of-the-audit'");
  }

  it('keeps its rows, count, indexes and triggers, and refuses what the lists refused', async () => {
    const before = belongings();
    await asBefore();
    await (await database.open()).close();
    expect(belongings()).to.deep.equal(before);
    expect(checks()).to.not.match(/ in \(/i);
    expect(file.prepare('SELECT id FROM audit_event ORDER BY id').pluck().all()).to.deep.equal([1, 2]);
    file.exec(ROW);
    expect(file.prepare('SELECT max(id) FROM audit_event').pluck().get()).to.equal(4);
    expect(() => file.exec(ROW.replace("'C'", "'X'"))).to.throw('CHECK constraint failed: audit_event_action');
    expect(() => file.exec(ROW.replace("'C'", "''"))).to.throw('CHECK constraint failed: audit_event_action');
    expect(() => file.exec(ROW.replace("'C', 0", "'C', 1"))).to.throw('CHECK constraint failed: audit_event_outcome');
    for (const change of ['UPDATE audit_event SET client = 1', 'DELETE FROM audit_event']) {
      expect(() => file.exec(change)).to.throw('audit_event is append-only');
    }
    const replace = `INSERT OR REPLACE INTO audit_event (id, recorded_on, action, outcome, client, correlation_id) VALUES (1, 1, 'C', 0, 'c', 'i')`;
    expect(() => file.exec(replace)).to.throw('audit_event is append-only');
  });
});
