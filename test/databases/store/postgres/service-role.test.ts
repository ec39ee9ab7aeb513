import { expect } from 'chai';
import { patientCommand } from '../../../../src/commands/patient/patient-command.ts';
import { createLog } from '../../../../src/log/log.ts';
import { Retention } from '../../../../src/service/retention.ts';
import { readConfig } from '../../../../src/settings/config.ts';
import { openStore } from '../../../../src/store/open-store.ts';
import type { Store } from '../../../../src/store/store.ts';
import { runHere } from '../../../support/commands/run-here.ts';
import { asAdministrator } from '../../../support/database/as-administrator.ts';
import { auditEntry } from '../../../support/database/audit-entry.ts';
import { BOOKING, openHospital } from '../../../support/database/hospital.ts';
import { emptyPostgresDatabase, ON_POSTGRES, type OwnDatabase } from '../../../support/database/test-database.ts';
import { patient } from '../../../support/http/booking-parameters.ts';
import { auditRetention, serviceRights } from './service-rights.ts';

const ROLE = 'tpwebservices_service';
(ON_POSTGRES ? describe : describe.skip)(
  'The service as a role that does not own its tables (npm run ci -- postgres)',
  () => {
    let own: OwnDatabase;
    let store: Store;
    const asOwner = (sql: string) => asAdministrator(own.url, (client) => client.query(sql));
    const serviceUrl = () => {
      const url = new URL(own.url);
      url.username = ROLE;
      return url.href;
    };
    const rowOf = (client: string, time: number | string) =>
      `INSERT INTO audit_event (recorded_on, action, outcome, client, correlation_id) VALUES (${time}, 'R', 0, '${client}', 'x')`;
    const open = () => openStore(readConfig({ DATABASE_URL: serviceUrl() }).database);

    before(async () => {
      own = await emptyPostgresDatabase();
      await (await openStore(readConfig({ DATABASE_URL: own.url }).database)).close();
      await asOwner(serviceRights);
      store = await open();
    });
    after(async () => {
      await store?.close();
      // The role belongs to the whole server.
      await asOwner(`DROP OWNED BY ${ROLE}; DROP ROLE ${ROLE}`);
      await own?.remove();
    });

    it('books, moves, stores feedback and queues messages', async () => {
      const hospital = await openHospital({}, store);
      expect(await hospital.book()).to.include({ ResultCode: 0, AppointmentID: 1 });
      const move = { AppointmentID: 1, type: 1, appdate: '2027-01-19', apptime: '11:00', centerid: 1 };
      await hospital.ok('Appointment_Status_Updates', move);
      await hospital.refused(
        'Fetch_Details',
        { ...BOOKING, ...patient(2), app_date: '2027-01-19', app_time: '11:00' },
        14,
      );
      await hospital.ok('FB_Push_Details', { ipno: 'IP-1', dept: 'Nursing' });
      await hospital.ok('Sent_SMS', { Mobileno: '9845012345', Message: 'Come at ten.', tempid: 0, SMSmode: 1 });
      expect(await store.read(({ audit }) => audit.page({}))).to.have.length.above(3);
    });

    it('erases a patient, because that changes no row of the audit', async () => {
      const hospital = await openHospital({}, store);
      const { AppointmentID } = await hospital.book({
        ...patient(77),
        Name: 'Meera Nair',
        contactnumber: '9845077777',
        app_time: '16:15',
      });
      const environment = { DATABASE_URL: serviceUrl() };
      const host = { environment, newId: () => 'erasure-1' };
      const { code, errors } = await runHere(
        patientCommand,
        ['erase', `appointment:1/${AppointmentID}`, '--also-coming', '--yes'],
        host,
      );
      expect(errors).to.equal('');
      expect(code).to.equal(0);
      expect(await store.read(({ audit }) => audit.page({ client: 'tpws patient' }))).to.have.length(1);
    });

    it('deletes appointments and feedback at the end of their retention, and audits that', async () => {
      const hospital = await openHospital({}, store);
      const { AppointmentID } = await hospital.book({
        ...patient(78),
        Name: 'Old Visit',
        app_time: '16:45',
      });
      const cancel = { AppointmentID: Number(AppointmentID), type: 6, appdate: '', apptime: '', centerid: 1 };
      await hospital.ok('Appointment_Status_Updates', cancel);
      const retention = new Retention({
        store,
        log: createLog('silent'),
        clock: () => Date.UTC(2030, 0, 1),
        newId: () => 'retention-1',
        keptDays: { messages: undefined, appointments: 30, feedback: 30, auditEvents: undefined },
      });
      expect(await retention.clean({ isSure: true })).to.deep.include({ appointments: 3, feedback: 1 });
      expect(await store.read(({ audit }) => audit.page({ client: 'the service' }))).to.have.length(2);
    });

    it('can neither change, delete nor truncate rows of the audit, nor remove the triggers', async () => {
      for (const sql of [
        "INSERT INTO audit_event (id, recorded_on, action, outcome, client, correlation_id) OVERRIDING SYSTEM VALUE VALUES (-1, 1, 'R', 0, 'x', 'y')",
        "SELECT setval('audit_event_id_seq', 1)",
        'UPDATE audit_event SET outcome = 8',
        'DELETE FROM audit_event',
        "INSERT INTO service_fact VALUES ('forget-audit', '9999999999999'); DELETE FROM audit_event",
        'TRUNCATE audit_event',
        'ALTER TABLE audit_event DISABLE TRIGGER ALL',
        'DROP TABLE audit_event',
      ]) {
        const refused = await asAdministrator(serviceUrl(), (client) => client.query(sql)).then(
          () => undefined,
          (error) => error.code,
        );
        expect(refused, sql).to.equal('42501');
      }
    });

    it('cannot choose the time of an audit row, which the database sets', async () => {
      const before = Date.now();
      for (const time of ['1', '9007199254740993', '9223372036854775807', '-9223372036854775808']) {
        await asAdministrator(serviceUrl(), (client) => client.query(rowOf('forged', time)));
      }
      const forged = await store.read(({ audit }) => audit.page({ client: 'forged' }));
      expect(forged).to.have.length(4);
      for (const { recordedOn } of forged) expect(recordedOn).to.be.within(before - 1000, Date.now() + 1000);
      await store.write(({ audit }) => audit.add(auditEntry({ recordedOn: 1, client: 'slow clock' })));
      const [slow] = await store.read(({ audit }) => audit.page({ client: 'slow clock' }));
      expect(slow?.recordedOn).to.be.within(before - 1000, Date.now() + 1000);
    });

    it('leaves audit retention to the owner, whose statements delete only what is older than three years', async () => {
      const before = await store.read(({ audit }) => audit.page({}));
      const years = (count: number) => Date.now() - count * 365.25 * 86_400_000;
      for (const now of [years(3.1), years(2.9)]) await asOwner(rowOf('dated', Math.round(now)));
      await asOwner(auditRetention);
      const dated = await store.read(({ audit }) => audit.page({ client: 'dated' }));
      expect(dated).to.have.length(1);
      expect(await store.read(({ audit }) => audit.page({}))).to.have.length(before.length + 2);
      const [row] = await store.read(({ audit }) => audit.page({ operation: 'DeleteAuditEvents' }));
      expect(row).to.include({ errorCode: '1 deleted', outcome: 0 });
    });
  },
);
