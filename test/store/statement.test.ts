import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { openStore } from '../../src/store/open-store.ts';
import { CHANGES_REFERENCE, rowStatement } from '../../src/store/statement.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';

describe('rowStatement', () => {
  it('does not compile for an INSERT with RETURNING, whose violated foreign keys better-sqlite3 would miss', () => {
    // @ts-expect-error `npm run typecheck` fails if this is accepted.
    rowStatement((db, v: { name: string }) =>
      db.insertInto('service_fact').values({ name: v.name, value: '' }).returning('name'),
    );
  });
});

describe('CHANGES_REFERENCE', () => {
  it('matches the changes of the tables that a trigger counts, and of no other table', async () => {
    const folder = temporaryFolder();
    const file = join(folder.path, 'a.db');
    await (await openStore({ kind: 'sqlite', path: file })).close();
    const database = new Database(file);
    const names = (sql: string) => database.prepare<[], string>(sql).pluck().all();
    const counted = names(
      "SELECT tbl_name FROM sqlite_schema WHERE type = 'trigger' AND sql LIKE '%UPDATE reference_version%' GROUP BY 1",
    );
    const tables = names("SELECT name FROM sqlite_schema WHERE type = 'table'");
    database.close();
    folder.remove();
    expect(counted).not.to.deep.equal([]);
    for (const change of ['insert into', 'update', 'delete from']) {
      expect(tables.filter((table) => CHANGES_REFERENCE.test(`${change} "${table}" `))).to.have.members(counted);
    }
  });
});
