import { globSync } from 'node:fs';
import { expect } from 'chai';
import { patientCommand } from '../../../../src/commands/patient/patient-command.ts';
import { readConfig } from '../../../../src/settings/config.ts';
import { openStore } from '../../../../src/store/open-store.ts';
import { runHere } from '../../../support/commands/run-here.ts';
import { asAdministrator } from '../../../support/database/as-administrator.ts';
import { openHospital } from '../../../support/database/hospital.ts';
import { startPrivatePostgres } from '../../../support/database/private-postgres.ts';
import { ON_POSTGRES } from '../../../support/database/test-database.ts';
import { rights } from './service-rights.ts';

/** What an administrator may switch on, with what docs/operators/privacy.md says beside it. */
const LOGGED = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  log_statement: 'all',
  log_lock_waits: 'on',
  deadlock_timeout: '1ms',
  log_parameter_max_length: '0',
};
const CANARIES = {
  name: 'Qzxcanary Nair',
  registration: 'QZX-77123',
  phone: '9845077123',
  text: 'Qzxtext, come at ten.',
};
const WRITTEN = /qzx|9845077123/i;

const INSTALLED = globSync('/usr/lib/postgresql/*/bin');

(ON_POSTGRES ? describe : describe.skip)('The log of PostgreSQL (npm run ci -- postgres)', function () {
  this.timeout(120_000);
  for (const programs of INSTALLED) {
    it(`has no patient, whatever it logs of statements, plans and locks: ${programs}`, async () => {
      const server = await startPrivatePostgres({ durable: false, programs });
      const url = await server.createDatabase('hospital');
      const run = (sql: string) => asAdministrator(url, (client) => client.query(sql));
      try {
        await (await openStore(readConfig({ DATABASE_URL: url }).database)).close();
        await run(rights);
        const isOlder = Number(/\d+/.exec(server.version)?.[0]) < 16;
        const settings = isOlder ? LOGGED : { ...LOGGED, 'auto_explain.log_parameter_max_length': '0' };
        for (const [name, value] of Object.entries(settings)) {
          await run(`ALTER DATABASE hospital SET ${name} = '${value}'`);
        }
        const store = await openStore(readConfig({ DATABASE_URL: url }).database);
        const hospital = await openHospital({}, store);
        const { name: Name, registration: RegistrationNumber, phone: contactnumber, text: Message } = CANARIES;
        const booking = { Name, RegistrationNumber, contactnumber, app_time: '16:15' };
        const booked = await hospital.book(booking);
        // Two at once wait for the same locks.
        await Promise.all([1, 2, 3, 4].map(() => hospital.book(booking)));
        for (let times = 0; times < 8; times++) {
          await hospital.ok('OPAppointmentdetail', { doctorid: 102, appdate: '2027-01-18', centerid: 1 });
          await hospital.call('Sent_SMS', { Mobileno: contactnumber, Message, tempid: 0, SMSmode: 1 });
          await hospital.call('FB_Push_Details', {
            ipno: 'QZX-9',
            moblieno: contactnumber,
            needsimprovementcommit: 'Qzx',
          });
          await hospital.cancel(Number(booked.AppointmentID));
        }
        await store.close();
        const command = (...parameters: readonly string[]) =>
          runHere(patientCommand, parameters, { environment: { DATABASE_URL: url } });
        await command('find', '--phone', contactnumber, '--name', Name, '--registration', RegistrationNumber);
        const erased = await command('erase', `appointment:1/${booked.AppointmentID}`, '--also-coming', '--yes');
        expect(erased.errors).to.equal('');
        const log = server.log();
        expect(log).to.include('Query Text');
        expect(log.split('\n').filter((line) => WRITTEN.test(line))).to.deep.equal([]);
      } finally {
        await server.dispose();
      }
    });
  }
});
