import { expect } from 'chai';
import { readConfig } from '../../../../src/settings/config.ts';
import { openStore } from '../../../../src/store/open-store.ts';
import { runDoctor } from '../../../support/commands/run-doctor.ts';
import { asAdministrator } from '../../../support/database/as-administrator.ts';
import { openHospital } from '../../../support/database/hospital.ts';
import { emptyPostgresDatabase, ON_POSTGRES, type OwnDatabase } from '../../../support/database/test-database.ts';
import { rights } from './service-rights.ts';

/**
 * The functions of PostgreSQL that everybody may execute and that may change something, and why none harms the service: a version with another one
 * fails here until somebody has judged it.
 */
const HARMLESS: Readonly<Record<string, RegExp>> = {
  'reads, or runs a query with the rights of the caller':
    /^(?:pg_(?:blocking_pids|(?:database_)?collation_actual_version|control_.*|(?:database|indexes|relation|table|tablespace|total_relation)_size|get_.*|jit_available|last_.*|lock_status|notification_queue_usage|partition_.*|prepared_xact|safe_snapshot_blocking_pids|sequence_last_value|stat_get_.*|xact_.*|current_wal_.*|is_.*|isolation_test_.*|available_wal_summaries|wal_summary_contents)|txid_status|current_query|currval|lastval|currtid2?|ts_stat|ts_rewrite|amvalidate|(?:query|cursor)_to_xml.*|pg_stat_(?:clear_snapshot|force_next_flush))$/,
  'only computes':
    /^(?:random(?:_normal)?|setseed|gen_random_uuid|uuidv[47]|clock_timestamp|timeofday|set_config|pg_sleep.*)$/,
  'asks for the right to the table or the sequence':
    /^(?:nextval|setval|brin_.*|gin_clean_pending_list|pg_(?:clear|restore)_(?:relation|attribute)_stats)$/,
  'asks for the rights of a superuser, of replication, or of the session’s own role':
    /^(?:pg_(?:cancel|terminate)_backend|pg_.*(?:replication_slot|slot_get|slot_peek|slots).*|pg_read_file_old|pg_rotate_logfile_old|pg_nextoid|pg_import_system_collations|pg_stop_making_pinned_objects|pg_extension_config_dump|pg_stat_reset.*)$/,
  'works only during pg_upgrade, or not when it is called by hand': /^(?:binary_upgrade_.*|plpgsql_.*)$/,
  'leaves a small file until its transaction ends, which temp_file_limit and the number of connections bound':
    /^pg_export_snapshot$/,
  'is a message to those who listen, as the statement NOTIFY is; nobody does': /^pg_notify$/,
};

(ON_POSTGRES ? describe : describe.skip)('Whoever may connect to PostgreSQL (npm run ci -- postgres)', () => {
  let own: OwnDatabase;
  const run = (sql: string, url = own.url) => asAdministrator(url, async (client) => (await client.query(sql)).rows);
  const as = (role: string) => Object.assign(new URL(own.url), { username: role }).href;
  const findings = async (subject: string) => {
    const { output } = await runDoctor({ DATABASE_URL: own.url }, { clock: Date.now });
    return output.split('\n').filter((line) => line.includes(` ${subject} `) && !line.includes('is a superuser'));
  };
  before(async () => {
    own = await emptyPostgresDatabase();
    const hospital = await openHospital({}, await openStore(readConfig({ DATABASE_URL: own.url }).database));
    await hospital.book();
    await hospital.store.close();
    await run('CREATE ROLE tpwebservices_reports LOGIN; CREATE ROLE mallory LOGIN');
    await run(rights);
    await run(`GRANT CONNECT ON DATABASE ${new URL(own.url).pathname.slice(1)} TO mallory`);
  });
  after(async () => {
    await run('DROP OWNED BY tpwebservices_reports, mallory; DROP ROLE tpwebservices_reports, mallory');
    await own.remove();
  });

  it('may execute no function that changes something, except for those of the list', async () => {
    const found = await run(`SELECT DISTINCT proname FROM pg_proc JOIN pg_language l ON l.oid = prolang
      WHERE provolatile = 'v' AND has_function_privilege('mallory', pg_proc.oid, 'EXECUTE') AND pronamespace = 'pg_catalog'::regnamespace
        AND prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype, 'internal'::regtype)
        AND NOT 'internal'::regtype = ANY (proargtypes) ORDER BY 1`);
    const unknown = found.filter(({ proname }) => !Object.values(HARMLESS).some((names) => names.test(proname)));
    expect(unknown.map(({ proname }) => proname)).to.deep.equal([]);
  });

  it('takes no lock of the service, and makes neither large objects nor WAL', async () => {
    for (const role of ['mallory', 'tpwebservices_reports']) {
      for (const call of [
        'pg_advisory_lock(1)',
        'pg_try_advisory_xact_lock_shared(1, 2)',
        'lo_create(0)',
        "lo_from_bytea(0, 'x')",
        'lo_creat(-1)',
        "lowrite(0, 'x')",
        "pg_logical_emit_message(false, 'x', 'y')",
        "pg_logical_emit_message(true, 'x', 'y'::bytea)",
      ]) {
        const refused = await run(`SELECT ${call}`, as(role)).catch(({ code }) => code);
        expect(refused, `${role} ${call}`).to.equal('42501');
      }
    }
  });

  it('is named by the doctor if the rights let it take the locks, and so are large objects and tables in the way', async () => {
    expect(await findings('rights')).to.deep.equal([]);
    await run('GRANT EXECUTE ON FUNCTION pg_advisory_lock(bigint) TO PUBLIC; SELECT lo_create(0)');
    await run('CREATE SCHEMA other; CREATE TABLE other.message_template (id int)');
    await run(`ALTER DATABASE ${new URL(own.url).pathname.slice(1)} SET search_path = other, public`);
    const found = (await findings('rights')).join('\n');
    expect(found)
      .to.match(
        /^wrong +rights +Another schema in the search_path has tables of the same name in front of message_template; /m,
      )
      .and.match(/^warning +rights +mallory, tpwebservices_reports may take the service's locks, /m)
      .and.match(/^warning +rights +There are large objects, /m);
    await run(`ALTER DATABASE ${new URL(own.url).pathname.slice(1)} RESET search_path; DROP SCHEMA other CASCADE`);
    await run('SELECT lo_unlink(oid) FROM pg_largeobject_metadata');
    await run(rights);
    await run('REVOKE EXECUTE ON FUNCTION pg_advisory_lock(bigint) FROM PUBLIC');
    expect(await findings('rights')).to.deep.equal([]);
  });
});
