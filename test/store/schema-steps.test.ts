import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { inspectPostgres } from '../../src/maintenance/inspect-postgres.ts';
import { inspectSqlite } from '../../src/maintenance/inspect-sqlite.ts';
import { readConfig } from '../../src/settings/config.ts';
import type { PostgresLocation } from '../../src/store/database-location.ts';
import { describedTables, SCHEMA_STEPS } from '../../src/store/migrations/migrate.ts';
import { statementsOf } from '../../src/store/migrations/step.ts';
import { openStore } from '../../src/store/open-store.ts';
import { asAdministrator } from '../support/database/as-administrator.ts';
import { asLaterVersion, NICKNAME } from '../support/database/later-version.ts';
import { temporaryDatabase } from '../support/database/temporary-database.ts';
import { emptyPostgresDatabase, ON_POSTGRES } from '../support/database/test-database.ts';

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
    'e267b6f83b9973cf da04f5e67ee7049d 700fd5e8a04c1e8d f868ca38a2b22d3a',
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
      expect(hashesOf(step)).to.deep.equal(HASHES[step]);
      expect(await asLaterVersion(() => hashesOf(step))).to.deep.equal(HASHES[step]);
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

/** A database without tables, and what its own tools and the doctor say about it. */
const ENGINES = {
  'SQLite file': async () => {
    const { file, dispose } = temporaryDatabase({ isNew: true });
    return {
      url: `sqlite:${file}`,
      remove: dispose,
      inspect: () => inspectSqlite(file),
      description: async () => {
        const opened = new Database(file, { readonly: true });
        const sql = opened.prepare("SELECT sql FROM sqlite_schema WHERE name = 'center'").pluck().get();
        opened.close();
        return /nickname text \/\* (.*) \*\//.exec(`${sql}`)?.[1];
      },
    };
  },
  'PostgreSQL database (npm run ci -- postgres)': async () => {
    const { url, remove } = await emptyPostgresDatabase();
    const sql = `SELECT col_description(attrelid, attnum) AS meaning FROM pg_attribute
      WHERE attrelid = 'center'::regclass AND attname = 'nickname' AND attcollation = '"C"'::regcollation`;
    return {
      url,
      remove,
      inspect: () => inspectPostgres(readConfig({ DATABASE_URL: url }).database as PostgresLocation, Date.now),
      description: () =>
        asAdministrator(url, async (client) => (await client.query<{ meaning: string }>(sql)).rows[0]?.meaning),
    };
  },
} as const;

for (const [engine, create] of Object.entries(ENGINES)) {
  const isHere = engine === 'SQLite file' || ON_POSTGRES;
  (isHere ? describe : describe.skip)(`A column that a step adds to a ${engine}`, () => {
    for (const [kind, versionBefore] of [
      ['a new one', asLaterVersion],
      ['one of the version before', <T>(work: () => T) => work()],
    ] as const) {
      it(`is described in ${kind}, and is what the doctor expects`, async () => {
        const database = await create();
        const { database: location } = readConfig({ DATABASE_URL: database.url });
        await versionBefore(async () => (await openStore(location)).close());
        await asLaterVersion(async () => {
          await (await openStore(location)).close();
          const { schema, findings } = await database.inspect();
          expect([schema, findings.find(({ subject }) => subject === 'guards')]).to.deep.equal([
            'current',
            { subject: 'guards', verdict: 'ok', text: 'the schema is as its version creates it' },
          ]);
        });
        expect(await database.description()).to.equal(NICKNAME.meaning);
        await database.remove();
      });
    }
  });
}
