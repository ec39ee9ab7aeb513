import { expect } from 'chai';
import { readConfig } from '../../../src/settings/config.ts';
import { openStore } from '../../../src/store/open-store.ts';
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
    const back = 'UPDATE appointment_number SET last_id = 1';
    return { url: `sqlite:${file}`, run, back, dispose };
  },
  PostgreSQL: async () => {
    const { url, remove } = await emptyPostgresDatabase();
    const run = async (sql: string) => void (await asAdministrator(url, (client) => client.query(sql)));
    return { url, run, back: "SELECT setval('appointment_number', 1)", dispose: remove };
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
      await database.run(`DELETE FROM appointment WHERE id = 2; ${database.back}`);
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
