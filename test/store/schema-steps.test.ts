import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import { readConfig } from '../../src/settings/config.ts';
import type { OnUpgrade } from '../../src/store/database-location.ts';
import { describedTables, SCHEMA_STEPS } from '../../src/store/migrations/migrate.ts';
import { statementsOf } from '../../src/store/migrations/step.ts';
import { openStore } from '../../src/store/open-store.ts';
import { doctorsLine } from '../support/commands/doctors-line.ts';
import { asAdministrator } from '../support/database/as-administrator.ts';
import { asLaterVersion, LATER_STEP, NICKNAME } from '../support/database/later-version.ts';
import { temporaryDatabase } from '../support/database/temporary-database.ts';
import { emptyPostgresDatabase, ON_POSTGRES } from '../support/database/test-database.ts';
import { addDoctors, failure } from './store-suite.ts';

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
};

const hashesOf = (step: string): readonly string[] =>
  (['sqlite', 'postgres'] as const).map((engine) =>
    createHash('sha256')
      .update(statementsOf(SCHEMA_STEPS.get(step) ?? {}, engine).join(';\n'))
      .digest('hex')
      .replace(/.{16}(?=.)/g, '$& '),
  );

describe('The steps of the schema', () => {
  for (const step of SCHEMA_STEPS.keys()) {
    it(`keep the SQL of ${step}, whatever later steps add`, async () => {
      expect(hashesOf(step)).to.deep.equal(HASHES[step] ?? []);
      expect(await asLaterVersion(() => hashesOf(step))).to.deep.equal(HASHES[step] ?? []);
    });
  }

  it('add columns to what docs/database.md describes', async () => {
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
    return { url: `sqlite:${file}`, remove: dispose, description };
  },
  'PostgreSQL database (npm run ci -- postgres)': async () => {
    const { url, remove } = await emptyPostgresDatabase();
    const sql = `SELECT col_description(attrelid, attnum) AS meaning FROM pg_attribute
      WHERE attrelid = 'center'::regclass AND attname = 'nickname' AND attcollation = '"C"'::regcollation`;
    const description = () => asAdministrator(url, async (client) => (await client.query(sql)).rows[0]?.meaning);
    return { url, remove, description };
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
        expect(await after.read(({ reference }) => reference.doctors({ centerId: 1 }))).to.have.length(2);
        await after.close();
        await isAsItShouldBe();
      });
      expect(reported).to.deep.equal([
        ['schema upgrade begins', { from, to: LATER_STEP }],
        ['schema step begins', { step: LATER_STEP }],
        ['schema brought up to date', { from, to: LATER_STEP }],
      ]);
      expect((await failure(open())).message).to.include('was brought up to date by a newer version');
    });
  });
}
