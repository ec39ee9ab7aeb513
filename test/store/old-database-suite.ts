import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { BEFORE_FIRST } from '../../src/store/queries/export-queries.ts';
import { type Store, StoreConflict } from '../../src/store/store.ts';
import type { StoredAppointment } from '../../src/vocabulary/stored-records.ts';
import { appointment, failure, type TestDatabase } from './store-suite.ts';

const APPOINTMENTS = 10_000;
/** Appointments were deleted by hand, after which the database still knows which numbers it has given out. */
const LAST_NUMBER = APPOINTMENTS + 17;

const columns = `id, center_id, doctor_id, day, starts_at, ends_at, seat, token_no, status, reschedule_count, patient_key,
  registration_number, title, name, sex, age_text, age_value, age_unit, area, phone, email, created_on, updated_on`;

/** Center 1 for odd numbers, 2 for even ones; every tenth is cancelled, every seventh has a placeholder as its registration number. */
const rows = `
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${APPOINTMENTS})
  SELECT i, 2 - i % 2, 1, 20000 + i / 96, (20000 + i / 96) * 1440 + i % 96 * 15, (20000 + i / 96) * 1440 + i % 96 * 15 + 15, 1, i % 96 + 1,
    CASE WHEN i % 10 = 0 THEN 6 ELSE 2 END, i % 3, 'R:MRN-' || i,
    CASE WHEN i % 7 = 0 THEN 'N/A' ELSE 'MRN-' || i END, 'Mr.', 'Ravi Kumar ' || i, 'M', '34Y', 34, 'Y', 'Jayanagar',
    '+919845' || (100000 + i % 9000), 'ravi@example.org', 1700000000000 + i, 1700000000001 + i FROM n`;

const FILL = `
  INSERT INTO center VALUES (1, 'A', 'Asia/Kolkata'), (2, 'B', 'Asia/Kolkata');
  INSERT INTO doctor VALUES (1, 1, 'Dr. A', NULL, NULL, NULL, 15, 1, 1), (2, 1, 'Dr. B', NULL, NULL, NULL, 15, 1, 1);
  INSERT INTO day_token VALUES (1, 1, 20000, 96);`;

export interface OldDatabase extends TestDatabase {
  /** Runs SQL statements without the service. */
  execute(sql: string): Promise<void>;
}

/** A database of version 0.1.0, in which AppointmentIDs were counted across all centers, opened by this version. */
export function describeOldDatabase(
  engine: 'sqlite' | 'postgres',
  makeDatabase: () => Promise<OldDatabase>,
  withKey: { readonly before: string; readonly after: string },
): void {
  describe(`A database of version 0.1.0 on ${engine}, with ${APPOINTMENTS} appointments`, () => {
    let database: OldDatabase;
    let store: Store;
    let kept: readonly StoredAppointment[];
    before(async function () {
      this.timeout(60_000);
      database = await makeDatabase();
      const schema = new URL(`../fixtures/database-of-0.1.0/${engine}.sql`, import.meta.url);
      await database.execute(readFileSync(schema, 'utf8'));
      await database.execute(
        `${FILL} INSERT INTO appointment (${columns}) ${withKey.before} ${rows}; ${withKey.after}`,
      );
      store = await database.open();
      kept = await allOf(store);
    });
    after(() => database.dispose());

    it('keeps every appointment with its number and what is known about the patient', () => {
      expect(kept).to.have.length(APPOINTMENTS);
      expect(new Set(kept.map(({ id }) => id)).size).to.equal(APPOINTMENTS);
      for (const a of kept) {
        const start = (20_000 + Math.floor(a.id / 96)) * 1440 + (a.id % 96) * 15;
        expect(a).to.deep.equal({
          id: a.id,
          centerId: 2 - (a.id % 2),
          doctorId: 1,
          startsAt: start,
          endsAt: start + 15,
          seat: 1,
          marked: 0,
          registrationKey: a.id % 7 === 0 ? null : `MRN-${a.id}`,
          nameKey: `ravikumar${a.id}`,
          ageValue: 34,
          ageUnit: 'Y',
          tokenNo: (a.id % 96) + 1,
          status: a.id % 10 === 0 ? 6 : 2,
          rescheduleCount: a.id % 3,
          registrationNumber: a.id % 7 === 0 ? 'N/A' : `MRN-${a.id}`,
          title: 'Mr.',
          name: `Ravi Kumar ${a.id}`,
          sex: 'M',
          ageText: '34Y',
          area: 'Jayanagar',
          phone: `+919845${100_000 + (a.id % 9000)}`,
          email: 'ravi@example.org',
          createdOn: 1_700_000_000_000 + a.id,
          updatedOn: 1_700_000_000_001 + a.id,
        });
      }
    });

    it('knows each patient by registration number, name and phone, and none by a placeholder', async () => {
      const read = (id: number) => store.read(({ appointments }) => appointments.byId(id, 2 - (id % 2)));
      expect(await read(8)).to.include({ registrationKey: 'MRN-8', nameKey: 'ravikumar8', phone: '+919845100008' });
      expect(await read(7)).to.include({ registrationKey: null, nameKey: 'ravikumar7' });
    });

    it('gives out numbers above all earlier ones', async () => {
      const { id } = await store.write(({ appointments }) =>
        appointments.insert(appointment({ startsAt: 100, day: 0, nameKey: 'new', phone: '+911' })),
      );
      expect(id).to.equal(LAST_NUMBER + 1);
    });

    it('still refuses a second patient for a seat, and overlapping appointments of a patient', async () => {
      const start = 20_000 * 1440 + 15;
      const book = (values: Parameters<typeof appointment>[0]) =>
        failure(store.write(({ appointments }) => appointments.insert(appointment({ startsAt: start, ...values }))));
      const seat = await book({ nameKey: 'other', phone: '+912' });
      expect(seat).to.be.instanceOf(StoreConflict);
      expect(seat).to.have.property('kind', 'seat-taken');
      const sameNumber = { registrationKey: 'MRN-1', nameKey: 'ravikumar1', phone: '+912', seat: 2 };
      expect(await book(sameNumber)).to.have.property('kind', 'patient-overlap');
      const samePhone = { registrationKey: null, nameKey: 'ravikumar1', phone: '+919845100001', seat: 2 };
      expect(await book(samePhone)).to.have.property('kind', 'patient-overlap');
    });
  });

  async function allOf(store: Store): Promise<readonly StoredAppointment[]> {
    const all: StoredAppointment[] = [];
    for (let last = BEFORE_FIRST; ; ) {
      const page = await store.read(({ exports }) => exports.appointmentsAfter(last));
      const end = page.at(-1);
      if (end === undefined) return all;
      all.push(...page);
      last = end;
    }
  }
}
