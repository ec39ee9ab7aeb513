import { expect } from 'chai';
import { readConfig } from '../../../../src/settings/config.ts';
import { openStore } from '../../../../src/store/open-store.ts';
import { doctorsLine } from '../../../support/commands/doctors-line.ts';
import { asAdministrator } from '../../../support/database/as-administrator.ts';
import { openHospital } from '../../../support/database/hospital.ts';
import { newPostgresDatabase, ON_POSTGRES, type OwnDatabase } from '../../../support/database/test-database.ts';
import { rights } from './service-rights.ts';

/** Another patient, with the same doctor at the same time. */
const BESIDE = `INSERT INTO public.appointment SELECT (jsonb_populate_record(a, '{"id": 99, "seat": 9, "overlapping": 0, "name": "B", "name_key": "b"}')).*
  FROM public.appointment a WHERE id = 1`;

(ON_POSTGRES ? describe : describe.skip)('The guards and numbers of PostgreSQL (npm run ci -- postgres)', () => {
  let own: OwnDatabase;
  beforeEach(async () => {
    own = await newPostgresDatabase();
    const hospital = await openHospital({}, await openStore(readConfig({ DATABASE_URL: own.url }).database));
    await hospital.book();
    await hospital.store.close();
  });
  afterEach(() => own.remove());
  const run = (sql: string, url = own.url) => asAdministrator(url, async (client) => (await client.query(sql)).rows);
  const refused = (sql: string) =>
    run(sql).then(
      () => 'accepted',
      ({ message }) => message,
    );

  it('find their tables by themselves: each function of a trigger has a search_path', async () => {
    const without = `SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
      AND prorettype = 'trigger'::regtype AND NOT coalesce('search_path=public, pg_temp' = ANY (proconfig), false)`;
    expect(await run(without)).to.deep.equal([]);
  });

  it('are not switched off by temporary tables in the way, and say in words what they refuse', async () => {
    await run('UPDATE appointment SET overlapping = 1; UPDATE doctor SET capacity = 1');
    const inTheWay =
      'CREATE TEMP TABLE appointment (LIKE public.appointment); CREATE TEMP TABLE service_fact (name text, value text);';
    expect(await refused(`${inTheWay} ${BESIDE}`)).to.match(/^No place of the doctor is free/);
    const forget = "INSERT INTO service_fact VALUES ('forget-audit', '9999999999999'); DELETE FROM audit_event";
    expect(await refused(`${inTheWay} ${forget}`)).to.equal('audit_event is append-only');
    await run("SET search_path = ''; UPDATE public.center SET name = name");
  });

  it('are not waited for by a statement of somebody else for long, as rights.sql sets it up: calls go on', async () => {
    const [setting = ''] = /SET lock_timeout = \d+/.exec(rights) ?? [];
    await run(`ALTER DATABASE ${new URL(own.url).pathname.slice(1)} ${setting}`);
    const store = await openStore(readConfig({ DATABASE_URL: own.url }).database);
    await asAdministrator(own.url, async (client) => {
      await client.query('BEGIN; SELECT FROM appointment');
      const altered = refused('ALTER TABLE appointment ADD COLUMN mine text');
      await store.write(({ appointments }) => appointments.setStatus({ centerId: 1, id: 1, status: 3, now: 1 }), ['a']);
      expect(await altered).to.equal('canceling statement due to lock timeout');
    });
    await store.close();
    await run(`ALTER DATABASE ${new URL(own.url).pathname.slice(1)} RESET ALL`);
  });

  it('are reported by the doctor if they are behind the rows', async () => {
    await run('ALTER SEQUENCE appointment_number RESTART; ALTER SEQUENCE audit_event_id_seq RESTART');
    expect(await doctorsLine(own.url, 'numbers')).to.match(/^wrong .*New rows of appointment, audit_event get numbers/);
    await run("SELECT setval(pg_get_serial_sequence('appointment', 'id'), max(id)) FROM appointment");
    expect(await doctorsLine(own.url, 'numbers')).to.match(/^wrong .*New rows of audit_event get numbers/);
  });
});
