import { expect } from 'chai';
import { readConfig } from '../../../src/settings/config.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { USED_UP } from '../../../src/store/queries/take-numbers.ts';
import { INTEGER_BOUNDS } from '../../../src/store/schema.ts';
import { openFile } from '../../../src/store/sqlite/database-file.ts';
import { doctorsLine } from '../../support/commands/doctors-line.ts';
import { asAdministrator } from '../../support/database/as-administrator.ts';
import { openHospital } from '../../support/database/hospital.ts';
import { temporaryDatabase } from '../../support/database/temporary-database.ts';
import { emptyPostgresDatabase, ON_POSTGRES } from '../../support/database/test-database.ts';
import { perTest } from '../../support/prepared.ts';

const ENGINES = {
  SQLite: async () => {
    const { file, dispose } = temporaryDatabase();
    const run = async (sql: string) => {
      const opened = openFile(file);
      opened.exec(sql);
      opened.close();
    };
    const setTo = (last: number) => `UPDATE appointment_number SET last_id = ${last}`;
    const end = (table: string) =>
      `UPDATE sqlite_sequence SET seq = ${INTEGER_BOUNDS.greatest} WHERE name = '${table}'`;
    return { url: `sqlite:${file}`, run, setTo, end, dispose };
  },
  PostgreSQL: async () => {
    const { url, remove } = await emptyPostgresDatabase();
    const run = async (sql: string) => void (await asAdministrator(url, (client) => client.query(sql)));
    const setTo = (last: number) => `SELECT setval('appointment_number', ${last})`;
    const end = (table: string) =>
      `SELECT setval(pg_get_serial_sequence('${table}', 'id'), ${INTEGER_BOUNDS.greatest})`;
    return { url, run, setTo, end, dispose: remove };
  },
} as const;

for (const [engine, create] of Object.entries(ENGINES)) {
  (engine === 'SQLite' || ON_POSTGRES ? describe : describe.skip)(`The doctor on ${engine}`, () => {
    const database = perTest(create);
    const hospital = async (bookings: readonly object[]) => {
      const store = await openStore(readConfig({ DATABASE_URL: database.url }).database);
      const opened = await openHospital({}, store);
      for (const booking of bookings) await opened.book({ ...booking });
      await opened.refused('Appointment_Status_Updates', { AppointmentID: 2_000_000, type: 6, centerid: 1 }, 20);
      await store.close();
    };

    it('finds numbers that would be those of deleted appointments, but believes no number that a caller asked for', async () => {
      await hospital([{ app_time: '10:15' }, { app_time: '11:15', RegistrationNumber: 'R-2', Name: 'Ravi' }]);
      expect(await doctorsLine(database.url, 'numbers')).to.match(/^ok/);
      await database.run(`DELETE FROM appointment WHERE id = 2; ${database.setTo(1)}`);
      expect(await doctorsLine(database.url, 'numbers')).to.match(
        /^wrong +numbers +New rows of appointment get numbers/,
      );
    });

    it('names nobody who has a token for a session beside another appointment', async () => {
      await hospital([{ app_time: '10:15' }, { app_time: '10:15', DoctorID: 103, RegistrationNumber: 'R-2' }]);
      await database.run(`UPDATE doctor SET slot_minutes = 60, capacity = 2 WHERE id = 103;
        UPDATE appointment SET registration_key = (SELECT registration_key FROM appointment WHERE id = 1) WHERE id = 2`);
      expect(await doctorsLine(database.url, 'appointments')).to.equal('');
    });

    it('warns once half of the numbers are used up, before a booking fails at their end, whose log line says why', async () => {
      await hospital([{}]);
      await database.run(database.setTo(1_073_741_823));
      expect(await doctorsLine(database.url, 'numbers')).to.match(/^ok/);
      await database.run(database.setTo(1_073_741_824));
      expect(await doctorsLine(database.url, 'numbers')).to.match(
        /^warning +numbers +More than half of the numbers of appointment are used up\. What to do: /,
      );
      await database.run(database.setTo(INTEGER_BOUNDS.greatest));
      const store = await openStore(readConfig({ DATABASE_URL: database.url }).database);
      const { book } = await openHospital({}, store);
      const error = await book({ app_time: '12:15', RegistrationNumber: 'R-2', Name: 'Ravi' }).catch((e) => e);
      await store.close();
      expect([error.code, error.reason]).to.satisfy(
        () => error.code === 'Unavailable' && error.reason.includes(USED_UP),
      );
    });

    it('sends no message and takes no feedback once their numbers end, and says why in the log', async () => {
      await hospital([{}]);
      const store = await openStore(readConfig({ DATABASE_URL: database.url }).database);
      const { call } = await openHospital({}, store);
      const sent = { Mobileno: '9845012345', tempid: 0, SMSmode: 1 };
      const given = { ipno: 'IP-1', roomno: '', moblieno: '', needsimprovementcommit: '' };
      await call('Sent_SMS', { ...sent, Message: 'one' });
      await call('FB_Push_Details', { ...given, dept: 'one' });
      await database.run(database.end('message'));
      await database.run(database.end('feedback'));
      const failed = [
        await call('Sent_SMS', { ...sent, Message: 'two' }).catch((e) => e),
        await call('FB_Push_Details', { ...given, dept: 'two' }).catch((e) => e),
      ];
      await store.close();
      for (const { code, reason } of failed)
        expect([code, `${reason}`.includes(USED_UP)]).to.deep.equal(['Unavailable', true]);
    });

    it('names a patient who has two appointments at one time, as SQL by hand may have stored them', async () => {
      await hospital([
        { app_time: '10:15' },
        { app_time: '10:15', DoctorID: 103, RegistrationNumber: 'R-2', Name: 'Ravi' },
      ]);
      expect(await doctorsLine(database.url, 'appointments')).to.equal('');
      await database.run(`UPDATE appointment SET name = 'Asha Pai', name_key = (SELECT name_key FROM appointment WHERE id = 1),
        registration_key = (SELECT registration_key FROM appointment WHERE id = 1) WHERE id = 2`);
      expect(await doctorsLine(database.url, 'appointments')).to.match(
        /^warning +appointments +A patient has two appointments at one time: 1\/1 and 1\/2; ask the patient which one to cancel\.$/,
      );
    });
  });
}
