import { expect } from 'chai';
import { inspectPostgres } from '../../../../src/doctor/inspect-postgres.ts';
import { readConfig } from '../../../../src/settings/config.ts';
import type { PostgresLocation } from '../../../../src/store/database-location.ts';
import { openStore } from '../../../../src/store/open-store.ts';
import { runDoctor } from '../../../support/commands/run-doctor.ts';
import { openHospital } from '../../../support/database/hospital.ts';
import { HAS_PGBOUNCER, type PgBouncer, startPgBouncer } from '../../../support/database/start-pgbouncer.ts';
import { newPostgresDatabase, ON_POSTGRES } from '../../../support/database/test-database.ts';
import { patient } from '../../../support/http/booking-parameters.ts';
import { perTest } from '../../../support/prepared.ts';
import { failure } from '../store-suite.ts';

const inspect = (url: string) => inspectPostgres(readConfig({ DATABASE_URL: url }).database as PostgresLocation);

(ON_POSTGRES && HAS_PGBOUNCER ? describe : describe.skip)(
  'PgBouncer between service and database (npm run ci -- postgres)',
  () => {
    afterEach(() => pooler?.stop());
    const own = perTest(newPostgresDatabase);
    let pooler: PgBouncer | undefined;
    const between = async (mode: 'session' | 'transaction' | 'statement') => {
      pooler = await startPgBouncer(own.url, mode);
      return pooler.url;
    };

    it('keeps one server connection per client in session mode, and the service works', async () => {
      const store = await openStore(readConfig({ DATABASE_URL: await between('session') }).database);
      const hospital = await openHospital({}, store);
      await Promise.all([102, 103, 104, 105].map((DoctorID) => hospital.book({ DoctorID, ...patient(DoctorID) })));
      expect(await hospital.dayOf(104, '2027-01-18')).to.have.length(1);
      await store.close();
    });

    for (const mode of ['transaction', 'statement'] as const) {
      it(`is reported by the doctor in ${mode} mode, because a session's statements and locks would be lost`, async () => {
        const { code, output } = await runDoctor({ DATABASE_URL: await between(mode) });
        expect(code).to.equal(1);
        expect(output).to.match(/^wrong +database .* a pooler such as PgBouncer .* set pool_mode = session/m);
      });

      it(`is refused by a start in ${mode} mode, which leaves no lock behind`, async () => {
        const { database } = readConfig({ DATABASE_URL: await between(mode) });
        for (const _ of ['first', 'second']) {
          expect((await failure(openStore(database))).message).to.match(
            /^PostgreSQL \S+ at \S+, database test_\w+: a pooler such as PgBouncer .* make DATABASE_URL name the server itself\.$/,
          );
        }
        await (await openStore(readConfig({ DATABASE_URL: own.url }).database)).close();
      });
    }

    it('is accepted by the doctor in session mode', async () => {
      const state = await inspect(await between('session'));
      expect(state.unusable).to.equal(undefined);
    });
  },
);
