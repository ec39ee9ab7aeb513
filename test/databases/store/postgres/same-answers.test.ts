import { expect } from 'chai';
import pg from 'pg';
import { readConfig } from '../../../../src/settings/config.ts';
import { openStore } from '../../../../src/store/open-store.ts';
import { sessionsOf } from '../../../../src/store/postgres/postgres-session.ts';
import { SeenReference } from '../../../../src/store/queries/seen-reference.ts';
import { bindQueries } from '../../../../src/store/store.ts';
import { BOOKING, type Given, type Hospital, openHospital } from '../../../support/database/hospital.ts';
import { ON_POSTGRES } from '../../../support/database/test-database.ts';
import { ILLEGAL, LEGAL, NUMBERS, TIMES } from '../../../support/odd-values.ts';
import { ownContract } from '../../../wire/contract/own-wsdl.ts';

const USUAL: Readonly<Record<string, Given>> = {
  GetDoctor: { centerid: 1 },
  Fetch_Details: BOOKING,
  Appointment_Status: { AppointmentID: 1, centerid: 1 },
  Appointment_Status_Updates: { AppointmentID: 1, type: 1, appdate: '2027-01-19', apptime: '11:00', centerid: 1 },
  OPAppointmentdetail: { doctorid: 102, appdate: '2027-01-18', centerid: 1 },
  FB_Push_Details: { ipno: 'IP-1', dept: 'Nursing', centerid: 1 },
  Sent_SMS: { Mobileno: '9845012345', Message: 'Come at ten.', tempid: 0, SMSmode: 1 },
};
const ODD = [...LEGAL, ...ILLEGAL, ...NUMBERS, ...TIMES];

(ON_POSTGRES ? describe : describe.skip)('SQLite and PostgreSQL (npm run ci -- postgres)', function () {
  this.timeout(300_000);
  let hospitals: readonly Hospital[];
  before(async () => {
    const sqlite = await openStore(readConfig({ DATABASE_URL: 'sqlite::memory:' }).database);
    hospitals = [await openHospital({}, sqlite), await openHospital()];
    for (const { book } of hospitals) await book();
  });
  after(async () => {
    for (const { close } of hospitals) await close();
  });

  const answerOf = ({ call }: Hospital, operation: string, given: Given) =>
    call(operation, given).then(
      ({ record, refused }) => ({ record, refused }),
      ({ code, message }) => {
        expect(code, `${operation} ${JSON.stringify(given)}: ${message}`).to.be.oneOf([
          'InvalidValue',
          'MissingParameter',
        ]);
        return { code, message };
      },
    );

  for (const { name, parameters } of ownContract.operations) {
    it(`give the same answers to odd values in each parameter of ${name}`, async () => {
      for (const parameter of parameters) {
        for (const odd of ODD) {
          for (const { clock } of hospitals) clock.now += 1000;
          const given = { ...USUAL[name], [parameter.name]: odd };
          const [one, other] = await Promise.all(hospitals.map((hospital) => answerOf(hospital, name, given)));
          expect(other, JSON.stringify(given)).to.deep.equal(one);
        }
      }
    });
  }

  it('compute with no parameter whose type PostgreSQL has to guess', async () => {
    const pool = new pg.Pool();
    const asked = new Set<string>();
    const asking =
      <T>(rows: T) =>
      async (sql: string) => {
        asked.add(sql);
        return rows;
      };
    const session = {
      ...sessionsOf(pool)(pool),
      first: asking(undefined),
      run: asking([]),
      change: asking(0),
    };
    // Each query with a value for whatever it asks for. What it does with the rows does not matter.
    const values = new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : 1), ownKeys: () => [] });
    for (const group of Object.values(bindQueries(session, new SeenReference(session, {})))) {
      for (const query of Object.values(group as Record<string, (...values: unknown[]) => unknown>)) {
        if (typeof query === 'function')
          await Promise.resolve()
            .then(() => query(values, values))
            .catch(() => {});
      }
    }
    await pool.end();
    expect(asked.size).to.be.greaterThan(60);
    // Beside a literal it takes one for an int4, which an instant or a wall minute of the year 6054 does not fit.
    for (const sql of asked) expect(sql).not.to.match(/\$\d+ *[-+*/%] *[\d$]|[\d] *[-+*/%] *\$/);
  });
});
