import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { backupCommand, restoreCommand } from '../../../src/commands/database-commands.ts';
import { openFile } from '../../../src/store/sqlite/database-file.ts';
import { doctorsLine } from '../../support/commands/doctors-line.ts';
import { runHere } from '../../support/commands/run-here.ts';
import { asAdministrator } from '../../support/database/as-administrator.ts';
import { temporaryDatabase } from '../../support/database/temporary-database.ts';
import { newPostgresDatabase, ON_POSTGRES } from '../../support/database/test-database.ts';

const doctor = (url: string) => doctorsLine(url, 'guards');

const ON_FILES: readonly (readonly [sql: string, difference: string])[] = [
  ['DROP TRIGGER audit_event_refuses_delete', 'trigger audit_event_refuses_delete is missing'],
  ['CREATE TRIGGER forget AFTER INSERT ON appointment BEGIN DELETE FROM feedback; END', 'trigger forget was added'],
  [
    'CREATE TRIGGER forget AFTER INSERT ON kysely_migration BEGIN DELETE FROM feedback; END',
    'trigger forget was added',
  ],
  [
    `DROP TRIGGER appointment_seat_on_insert;
     CREATE TRIGGER appointment_seat_on_insert BEFORE INSERT ON appointment WHEN 0 BEGIN SELECT 1; END`,
    'trigger appointment_seat_on_insert is not the same',
  ],
  ['ALTER TABLE ws_nonce RENAME TO kept; CREATE VIEW ws_nonce AS SELECT * FROM kept', 'table ws_nonce is missing'],
  ['ALTER TABLE feedback ADD COLUMN copied text', 'table feedback is not the same'],
  [
    'DROP VIEW report_message; CREATE VIEW report_message AS SELECT mobile, text FROM message',
    'view report_message is not the same',
  ],
  ['DROP INDEX message_by_age', 'index message_by_age is missing'],
  ['CREATE UNIQUE INDEX only_one ON appointment (doctor_id)', 'index only_one was added'],
];

describe('A database file whose schema somebody has changed', () => {
  for (const [sql, difference] of ON_FILES) {
    it(`is reported and not restored: ${difference} (${sql.slice(0, 60)})`, async () => {
      const database = temporaryDatabase();
      await (await database.open()).close();
      const file = openFile(database.file);
      file.exec(sql);
      file.close();
      const host = (url: string) => ({ environment: { DATABASE_URL: `sqlite:${url}` }, folder: database.folder });

      expect(await doctor(`sqlite:${database.file}`))
        .to.match(/^wrong/)
        .and.include(difference);
      const backup = await runHere(backupCommand, ['copy.db'], host(database.file));
      expect([backup.code, backup.errors]).to.satisfy(() => backup.code === 1 && backup.errors.includes(difference));
      const target = join(database.folder, 'restored.db');
      const restore = await runHere(restoreCommand, ['copy.db'], host(target));
      expect(restore.errors).to.include(difference);
      expect([restore.code, existsSync(target)]).to.deep.equal([1, false]);
      await database.dispose();
    });
  }

  it('is accepted with the statistics of its planner', async () => {
    const database = temporaryDatabase();
    await (await database.open()).close();
    const file = openFile(database.file);
    file.exec('ANALYZE');
    file.close();
    expect(await doctor(`sqlite:${database.file}`)).to.match(/^ok/);
    await database.dispose();
  });
});

const ON_SERVERS: readonly (readonly [sql: string, difference: string])[] = [
  [
    'ALTER TABLE appointment DROP CONSTRAINT appointment_seat_held_once',
    'constraint appointment_seat_held_once is missing',
  ],
  ['ALTER TABLE audit_event DISABLE TRIGGER audit_event_refuses_delete', 'audit_event_refuses_delete is not the same'],
  [
    `CREATE OR REPLACE FUNCTION audit_event_refuses_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$`,
    'function audit_event_refuses_change is not the same',
  ],
  [
    `CREATE FUNCTION forget() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
     CREATE TRIGGER forget BEFORE INSERT ON audit_event FOR EACH ROW EXECUTE FUNCTION forget()`,
    'trigger forget was added',
  ],
  ['CREATE RULE forget AS ON INSERT TO audit_event DO INSTEAD NOTHING', 'rule forget was added'],
  ['ALTER TABLE message ENABLE ROW LEVEL SECURITY', 'table message is not the same'],
  ['ALTER TABLE appointment DISABLE TRIGGER ALL', 'table appointment is not the same'],
  ['ALTER TABLE ws_nonce RENAME TO kept; CREATE VIEW ws_nonce AS SELECT * FROM kept', 'table ws_nonce is missing'],
  ['ALTER TABLE feedback ALTER COLUMN client DROP NOT NULL', 'column feedback.client is not the same'],
  [
    `DO $$ BEGIN EXECUTE format('CREATE OR REPLACE VIEW report_message AS %s WHERE mode = 1',
       rtrim(pg_get_viewdef('report_message'::regclass), ';')); END $$`,
    'definition of report_message is not the same',
  ],
  ['DROP INDEX message_by_age', 'index message_by_age is missing'],
  ['GRANT SELECT ON appointment TO PUBLIC', 'right of everybody to SELECT appointment'],
  ['GRANT UPDATE (status) ON appointment TO PUBLIC', 'right of everybody to UPDATE appointment'],
  ['CREATE TABLE more () INHERITS (appointment)', 'child more was added'],
  ['ALTER TABLE message SET (autovacuum_enabled = off)', 'autovacuum_enabled=off of message'],
  ['ALTER SEQUENCE appointment_number CYCLE', 'sequence appointment_number is not the same'],
  ['ALTER FUNCTION count_reference_change() RESET search_path', 'function count_reference_change is not the same'],
];

(ON_POSTGRES ? describe : describe.skip)(
  'A PostgreSQL database whose schema was changed (npm run ci -- postgres)',
  () => {
    const change = (url: string, sql: string) => asAdministrator(url, (client) => client.query(sql));

    for (const [sql, difference] of ON_SERVERS) {
      it(`is reported by the doctor: ${difference}`, async () => {
        const { url } = await newPostgresDatabase();
        await change(url, sql);
        expect(await doctor(url))
          .to.match(/^wrong/)
          .and.include(difference);
      });
    }

    it('may contain tables, views and functions of others, and is otherwise as the service makes it', async () => {
      const own = await newPostgresDatabase();
      await change(
        own.url,
        `CREATE VIEW busy AS SELECT doctor_id FROM appointment; CREATE TABLE beds (id int PRIMARY KEY CHECK (id > 0));
       CREATE FUNCTION beds_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
       CREATE TRIGGER beds_full AFTER INSERT ON beds EXECUTE FUNCTION beds_full()`,
      );
      expect(await doctor(own.url)).to.match(/^ok/);
    });

    it('is not compared for a role that may not create a schema, which the doctor says', async () => {
      const own = await newPostgresDatabase();
      await change(
        own.url,
        `CREATE ROLE plain_service LOGIN; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO plain_service`,
      );
      const url = new URL(own.url);
      url.username = 'plain_service';
      expect(await doctor(url.href)).to.match(/^warning .*run tpws doctor as the owner/);
      await change(own.url, 'DROP OWNED BY plain_service; DROP ROLE plain_service');
    });
  },
);
