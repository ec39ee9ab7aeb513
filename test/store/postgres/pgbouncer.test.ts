import { expect } from 'chai';
import { doctorCommand } from '../../../src/commands/doctor/doctor-command.ts';
import { readConfig } from '../../../src/settings/config.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { runHere } from '../../support/commands/run-here.ts';
import { openHospital } from '../../support/database/hospital.ts';
import { HAS_PGBOUNCER, type PgBouncer, startPgBouncer } from '../../support/database/start-pgbouncer.ts';
import { newPostgresDatabase, ON_POSTGRES, type OwnDatabase } from '../../support/database/test-database.ts';
import { startedServices } from '../../support/process/started-services.ts';

const EXPECTED =
  /^A pooler such as PgBouncer at 127\.0\.0\.1:\d+ lends its connections for one transaction each; expected pool_mode = session, or DATABASE_URL to name the server itself\.$/;

(ON_POSTGRES && HAS_PGBOUNCER ? describe : describe.skip)(
  'PgBouncer between service and database (npm run ci -- postgres)',
  () => {
    const services = startedServices();
    let own: OwnDatabase;
    let pooler: PgBouncer | undefined;
    beforeEach(async () => {
      own = await newPostgresDatabase();
    });
    afterEach(async () => {
      await pooler?.stop();
      await own.remove();
    });
    const between = async (mode: 'session' | 'transaction' | 'statement') => {
      pooler = await startPgBouncer(own.url, mode);
      return pooler.url;
    };

    it('keeps one server connection per client in session mode, and the service works', async () => {
      const store = await openStore(readConfig({ DATABASE_URL: await between('session') }).database);
      const hospital = await openHospital({}, store);
      await Promise.all(
        [102, 103, 104, 105].map((DoctorID) => hospital.book({ DoctorID, RegistrationNumber: `R-${DoctorID}` })),
      );
      expect(await hospital.dayOf(104, '2027-01-18')).to.have.length(1);
      await store.close();
    });

    for (const mode of ['transaction', 'statement'] as const) {
      it(`ends a start in ${mode} mode with a clear message, because a session's statements and locks would be lost`, async () => {
        const service = services.start({ DATABASE_URL: await between(mode) });
        expect(await service.exited()).to.equal(1);
        expect(service.errors().trimEnd()).to.match(EXPECTED);
      });
    }

    it('is reported by the doctor in transaction mode', async () => {
      const { code, output } = await runHere(doctorCommand, [], {
        environment: { DATABASE_URL: await between('transaction') },
        machine: { nodeVersion: process.version, timeZoneData: '2025b', platform: 'linux' },
      });
      expect(code).to.equal(1);
      expect(output).to.match(/^wrong +database +A pooler such as PgBouncer/m);
    });
  },
);
