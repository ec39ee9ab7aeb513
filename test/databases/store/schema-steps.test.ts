import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import { readConfig } from '../../../src/settings/config.ts';
import type { OnUpgrade } from '../../../src/store/database-location.ts';
import { describedTables, SCHEMA_STEPS } from '../../../src/store/migrations/migrate.ts';
import { statementsOf } from '../../../src/store/migrations/step.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { lengthOf } from '../../../src/vocabulary/appointments.ts';
import { VERSION } from '../../../src/vocabulary/version.ts';
import { wallMinute } from '../../../src/vocabulary/wall-minute.ts';
import { doctorsLine } from '../../support/commands/doctors-line.ts';
import { asAdministrator } from '../../support/database/as-administrator.ts';
import { BOOKING, openHospital } from '../../support/database/hospital.ts';
import { asFirstVersion, asLaterVersion, LATER_STEP, NICKNAME } from '../../support/database/later-version.ts';
import { temporaryDatabase } from '../../support/database/temporary-database.ts';
import { emptyPostgresDatabase, ON_POSTGRES } from '../../support/database/test-database.ts';
import { addDoctors, failure } from './store-suite.ts';

const wallOf = (year: number, month: number, day: number, hour: number, minute: number) =>
  wallMinute({ year, month, day }, hour, minute);

/** More rows than the upgrade reads at a time: booked is the first, O'Hara is on the last page, and the last was erased. */
const MOST = 10_001;
const [FIRST, O_HARA, ERASED] = [wallOf(2027, 3, 1, 9, 0), wallOf(2027, 1, 18, 16, 40), wallOf(2027, 1, 19, 10, 0)];
const HOSPITAL_OF_1_0_0 = [
  "INSERT INTO center (id, name, time_zone) VALUES (1, 'Center 1', 'Asia/Kolkata')",
  `INSERT INTO doctor (center_id, id, name, slot_minutes, capacity, active)
    VALUES (1, 1, 'Dr. Asha Rao', 15, 1, 1), (1, 2, 'Dr. Vikram Shetty', 15, 1, 1)`,
  `INSERT INTO appointment (center_id, doctor_id, seat, overlapping, reschedule_count, created_on, updated_on, sex,
      id, token_no, start_wall_minute, end_wall_minute, status, name, name_key, phone)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MOST})
    SELECT 1, 1, 1, 0, 0, 0, 0, 'U', i, i, ${FIRST} + (i - 1) * 15, ${FIRST} + i * 15,
      CASE WHEN i = 1 THEN 2 ELSE 6 END, 'ＬＡＬＩＴＨＡ ' || i, 'ｌａｌｉｔｈａ' || i, '+919845022333' FROM n
    UNION ALL SELECT 1, 1, 1, 0, 0, 0, 0, 'U', ${MOST + 1}, 1, ${O_HARA}, ${O_HARA + 15},
      2, 'Siobhan O''Hara', 'siobhano''hara', '+919845022333'
    UNION ALL SELECT 1, 1, 1, 0, 0, 0, 0, 'F', ${MOST + 2}, 1, ${ERASED}, ${ERASED + 15}, 5, NULL, NULL, NULL`,
  `UPDATE appointment SET registration_number = 'r-7', registration_key = 'R-7' WHERE id = ${MOST + 1}`,
];

/** Appointments in London, where the clocks skip 01:00 to 02:00 on 28 March 2027, and show it twice on 31 October. */
const OLD_LENGTHS = [
  // The first two end where the second showing begins, as many lengths do: theirs is that of a slot.
  { slot: 50, from: wallOf(2027, 10, 31, 0, 50), to: wallOf(2027, 10, 31, 1, 0), length: 50 },
  { slot: 15, from: wallOf(2027, 10, 31, 0, 57), to: wallOf(2027, 10, 31, 1, 0), length: 15 },
  { slot: 15, from: wallOf(2027, 10, 31, 0, 30), to: wallOf(2027, 10, 31, 1, 40), length: 130 },
  { slot: 15, from: wallOf(2027, 10, 31, 2, 30), to: wallOf(2027, 10, 31, 3, 0), length: 30 },
  { slot: 15, from: wallOf(2027, 3, 28, 0, 55), to: wallOf(2027, 3, 28, 2, 10), length: 15 },
  { slot: 15, from: wallOf(2027, 3, 28, 10, 0), to: wallOf(2027, 3, 28, 10, 45), length: 45 },
];
const OLD_NIGHTS = [
  "INSERT INTO center (id, name, time_zone) VALUES (2, 'London', 'Europe/London')",
  ...OLD_LENGTHS.flatMap(({ slot, from, to }, index) => [
    `INSERT INTO doctor (center_id, id, name, slot_minutes, capacity, active) VALUES (2, ${index + 1}, 'Dr. Night', ${slot}, 1, 1)`,
    `INSERT INTO appointment (center_id, doctor_id, seat, overlapping, reschedule_count, created_on, updated_on, sex,
      id, token_no, start_wall_minute, end_wall_minute, status, name, name_key, phone)
      VALUES (2, ${index + 1}, 1, 0, 0, 0, 0, 'U', ${index + 1}, 1, ${from}, ${to}, 2, 'Usha ${index}', 'usha${index}', '+442079460123')`,
  ]),
];

/**
 * SHA-256 of the SQL of each step, on SQLite and on PostgreSQL, in four parts. Databases were created with it, so the hash of a step that was released never
 * changes; that of a new step does until then.
 */
const HASHES: Readonly<Record<string, readonly string[]>> = {
  '0001-first-schema': [
    'b00204d59229f670 f3c90a92d98d10c7 39b25aac531559d4 163093c95a1f5c4f',
    '892a3ca3f5796621 e4b93cc2559ea0d9 68fc122b76296381 3586d87f4fa668e1',
  ],
  '0002-patient-guard': [
    '1584347177908983 34fc49e3ef121a2f f9c9443d91c086f0 00d58a256265186a',
    '57840e51d34b0b08 60ca679dbe765b7f 17449ddb50823900 4504b789d79cfffd',
  ],
  '0003-patients-as-given': [
    '2f36bde5dbf137c2 86e64a66dad51236 263a9ff3891cee8e eece4e0644a4c3cf',
    '4ea5f45c68fbcf0b 652bb78497dfd49b 86855371fa0a90a0 d55291ba86b970c9',
  ],
  '0004-leave-of-centers': [
    '6b22487148516dfd 83f62ce72deb4c39 d33c8c41c5f74102 3dcc285dbc7afbfa',
    'fa115058f0e44d94 5d368f45924f12e9 9692398482973ddb 885badf3e37ac69f',
  ],
  '0005-message-end': [
    '08b18aef3ac0642f 9969571e5025e70a 02b82fff87febe31 b91df89b8319e902',
    '08b18aef3ac0642f 9969571e5025e70a 02b82fff87febe31 b91df89b8319e902',
  ],
  '0006-guards-by-themselves': [
    '6980c99333d21044 e7c2d0ae37f7034e ac3efab212539ad2 9b1118681f82f4de',
    '3fa47531534c823c 34a791fd15b68ffb ca4cbfa688ac6674 3d106379dc2981c0',
  ],
  '0007-audit-time': [
    'd60f4b3a456ed3f7 00b076afc57c4d50 634df43418084a06 7b03dacc2cd3d33e',
    '24030b7ba9a0db21 0b202b8e6a94821d e08118156489601c dbd097b94101dcd9',
  ],
  '0008-what-erasure-missed': [
    '4c799239e0b0b88e 10499c939c4e9308 ad8dbf8e440a8442 ce7fa1a8e8404f76',
    '6c82bb37aaba7379 fd0c1ef90cd6f1ec 390d103a4cb24063 a615b05ddaf3abed',
  ],
  '0009-templates-counted': [
    'c571417b0100191d d432a534c2169f4c 5265e13db65e202d ff4806c92fbe49d0',
    'a88258d36bec5fbc d708e3a4fd217df5 0316ba6c8e9dbf7c 45793f61fe4a9173',
  ],
  '0010-appointment-length': [
    '7e77d6459841aba8 c1e2f1d6e5f0ce48 36340e58215c85f9 7a8788fca6689c53',
    '33ebd3881ea649ef 06a1389bbccd223d 77a0237661dc563d ebf0c73d65c31fba',
  ],
  '0012-numbers-as-given': [
    '5b76040e85c00b24 4d601848b51f3a22 c1c1f385155608fd 17fb1cc670558dfa',
    '12a662602ccc3e31 0af55c3c5aa1c939 979b8a2c3505afed 8b59f636aaa1b04a',
  ],
  '0013-version-1.1.0': [
    'e3b0c44298fc1c14 9afbf4c8996fb924 27ae41e4649b934c a495991b7852b855',
    'e3b0c44298fc1c14 9afbf4c8996fb924 27ae41e4649b934c a495991b7852b855',
  ],
};

const hashesOf = (step: string): readonly string[] =>
  (['sqlite', 'postgres'] as const).map((engine) =>
    createHash('sha256')
      .update(statementsOf(SCHEMA_STEPS.get(step) ?? {}, engine).join(';\n'))
      .digest('hex')
      .replace(/.{16}(?=.)/g, '$& '),
  );

describe('The steps of the schema', () => {
  it('ends with the version that takes its last step, so that no step is added without a new one', () => {
    const versions = [...SCHEMA_STEPS.keys()].map((step) => step.split('-version-')[1]);
    const released = versions.filter((version) => version !== undefined);
    expect(versions.at(-1)).to.be.a('string');
    expect(released).to.deep.equal([...new Set(released)]);
    expect(released.at(-1)?.localeCompare(VERSION, 'en', { numeric: true })).to.be.at.most(0);
  });

  for (const step of SCHEMA_STEPS.keys()) {
    it(`keep the SQL of ${step}, whatever later steps add`, async () => {
      expect(hashesOf(step)).to.deep.equal(HASHES[step] ?? []);
      expect(await asLaterVersion(() => hashesOf(step))).to.deep.equal(HASHES[step] ?? []);
    });
  }

  it('add columns to what docs/operators/database.md describes', async () => {
    const center = () =>
      describedTables()
        .find(({ name }) => name === 'center')
        ?.columns.map(({ name }) => name);
    expect(await asLaterVersion(center)).to.deep.equal([...(center() ?? []), 'nickname']);
  });
});

/** A database without tables, and what its own tools say about the new column. */
const ENGINES = {
  'SQLite file': async () => {
    const { file, dispose } = temporaryDatabase({ isNew: true });
    const description = async () => {
      const opened = new DatabaseSync(file, { readOnly: true });
      const row = opened.prepare("SELECT sql FROM sqlite_schema WHERE name = 'center'").get();
      opened.close();
      return /nickname text \/\* (.*) \*\//.exec(`${row?.sql}`)?.[1];
    };
    const execute = async (statements: readonly string[]) => {
      const opened = new DatabaseSync(file);
      for (const statement of statements) opened.exec(statement);
      opened.close();
    };
    const column = async (query: string) => {
      const opened = new DatabaseSync(file, { readOnly: true });
      const rows = opened.prepare(query).all();
      opened.close();
      return rows.flatMap((row) => Object.values(row));
    };
    return { url: `sqlite:${file}`, remove: dispose, description, execute, column };
  },
  'PostgreSQL database (npm run ci -- postgres)': async () => {
    const { url, remove } = await emptyPostgresDatabase();
    const sql = `SELECT col_description(attrelid, attnum) AS meaning FROM pg_attribute
      WHERE attrelid = 'center'::regclass AND attname = 'nickname' AND attcollation = '"C"'::regcollation`;
    const description = () => asAdministrator(url, async (client) => (await client.query(sql)).rows[0]?.meaning);
    const execute = (statements: readonly string[]) =>
      asAdministrator(url, async (client) => {
        for (const statement of statements) await client.query(statement);
      });
    const column = (query: string) =>
      asAdministrator(url, async (client) => (await client.query(query)).rows.flatMap((row) => Object.values(row)));
    return { url, remove, description, execute, column };
  },
} as const;

for (const [engine, create] of Object.entries(ENGINES)) {
  const isHere = engine === 'SQLite file' || ON_POSTGRES;
  (isHere ? describe : describe.skip)(`A column that a step adds to a ${engine}`, () => {
    let database: Awaited<ReturnType<typeof create>>;
    beforeEach(async () => {
      database = await create();
    });
    afterEach(() => database.remove());
    const open = (onUpgrade: OnUpgrade = () => {}) =>
      openStore(readConfig({ DATABASE_URL: database.url }).database, { onUpgrade });
    const isAsItShouldBe = async () => {
      expect(await doctorsLine(database.url, 'guards')).to.match(/^ok/);
      expect(await database.description()).to.equal(NICKNAME.meaning);
    };

    it('is described in a new one, and is what the doctor expects', () =>
      asLaterVersion(async () => {
        await (await open()).close();
        await isAsItShouldBe();
      }));

    it('is added by the upgrade, which keeps the data and reports its steps; the version before then refuses it', async () => {
      const from = [...SCHEMA_STEPS.keys()].at(-1);
      const before = await open();
      await addDoctors(before);
      await before.close();
      const reported: unknown[] = [];
      await asLaterVersion(async () => {
        const after = await open((...upgrade) => reported.push(upgrade));
        expect(await after.reference().then((reference) => reference.doctors(1))).to.have.length(2);
        await after.close();
        await isAsItShouldBe();
      });
      expect(reported).to.deep.equal([
        ['schema upgrade begins', { from, to: LATER_STEP }],
        ['schema step begins', { step: LATER_STEP }],
        ['schema brought up to date', { from, to: LATER_STEP }],
      ]);
      expect((await failure(open())).message).to.include('is of version 99.0.0 of the service, and this is');
    });

    it('compares the names and numbers of version 1.0.0 as those of new bookings, however many, and keeps who was erased', async () => {
      await asFirstVersion(async () => (await open()).close());
      await database.execute(HOSPITAL_OF_1_0_0);
      const store = await open();
      const hospital = await openHospital({}, store);
      const patient = { RegistrationNumber: '', contactnumber: '98450 22333', title: '', Sex: '', Age: '' };
      const same = { ...BOOKING, ...patient, DoctorID: 1, Name: 'siobhan O’Hara', app_time: '16:40' };
      expect(await hospital.ok('Fetch_Details', same)).to.include({ ResultCode: 1, AppointmentID: MOST + 1 });
      await hospital.refused('Fetch_Details', { ...same, DoctorID: 2 }, 17);
      const numbered = { ...same, RegistrationNumber: 'R 7', contactnumber: '98450 22334' };
      expect(await hospital.ok('Fetch_Details', numbered)).to.include({ ResultCode: 1, AppointmentID: MOST + 1 });
      const first = { ...same, Name: 'Lalitha 1', app_date: '2027-03-01', app_time: '09:00' };
      expect(await hospital.ok('Fetch_Details', first)).to.include({ ResultCode: 1, AppointmentID: 1 });
      expect((await hospital.dayOf(1, '2027-01-19')).map(({ Name, Sex }) => `${Name} ${Sex}`)).to.deep.equal([
        'Erased F',
      ]);
      await store.close();
    });

    it('finds how long appointments take, however many: the clocks may have changed meanwhile', async () => {
      await asFirstVersion(async () => (await open()).close());
      await database.execute([...HOSPITAL_OF_1_0_0, ...OLD_NIGHTS]);
      const store = await open();
      const ids = OLD_LENGTHS.map((_, index) => index + 1);
      const found = await store.read(({ imports }) => imports.appointments(2, ids));
      const plain = await store.read(({ imports }) => imports.appointments(1, [MOST]));
      await store.close();
      const lengths = found.toSorted((a, b) => a.id - b.id).map((one) => [one.minutes, lengthOf(one)]);
      expect(lengths).to.deep.equal(
        OLD_LENGTHS.map(({ from, to, length }) => [to - from === length ? null : length, length]),
      );
      expect(plain.map(lengthOf)).to.deep.equal([15]);
      const report = "SELECT minutes FROM report_appointment WHERE center = 'London' ORDER BY 1";
      const minutes = OLD_LENGTHS.map(({ length }) => length).sort((a, b) => a - b);
      expect(await database.column(report)).to.deep.equal(minutes);
    });

    it('hashes the Idempotency-Keys of version 1.0.0, however many, and takes the department of erased feedback', async () => {
      await asFirstVersion(async () => (await open()).close());
      await database.execute([
        `INSERT INTO idempotency_key (key, used_on) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
          WHERE i < ${MOST}) SELECT 'his ' || i, 0 FROM n`,
        `INSERT INTO feedback (inpatient_number, department, received_on, updated_on, client)
          VALUES (NULL, 'Ward of Asha', 0, 0, 'his'), ('7', 'ENT', 0, 0, 'his')`,
      ]);
      const store = await open();
      const { keys, departments } = await store.read(async ({ patients }) => ({
        keys: (await patients.answersAfter({ key: '' })).map(({ key }) => key),
        departments: [
          (await patients.feedback({ id: 1 }))?.department,
          (await patients.feedback({ id: 2 }))?.department,
        ],
      }));
      await store.close();
      const hashOf = (key: string) => createHash('sha256').update(key).digest('base64');
      expect(keys.filter((key) => key.includes(' '))).to.deep.equal([]);
      const all = Array.from({ length: MOST }, (_, n) => hashOf(`his ${n + 1}`)).sort();
      expect(keys).to.deep.equal(all.slice(0, keys.length));
      expect(departments).to.deep.equal([null, 'ENT']);
    });
  });
}
