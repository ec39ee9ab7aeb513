import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { erasedWith } from './0001-tables.ts';
import { redefined, type Step } from './step.ts';

const CHECKS = [['room'], ['room', 'department']].map((first) =>
  erasedWith('inpatient_number', [...first, 'mobile', 'comment', 'content_hash']),
);
const [BEFORE = '', AFTER = ''] = CHECKS;

/** As many rows as are read at a time. */
const PAGE = 10_000;

/** Each key has a space behind the client's name, and no hash has one. */
async function hashKeys(db: Kysely<unknown>): Promise<void> {
  for (let count = PAGE; count === PAGE; ) {
    const { rows } = await sql<{ readonly key: string }>`SELECT key FROM idempotency_key
      WHERE key LIKE '% %' LIMIT ${sql.lit(PAGE)}`.execute(db);
    for (const { key } of rows) {
      const hash = createHash('sha256').update(key).digest('base64');
      await sql`UPDATE idempotency_key SET key = ${hash} WHERE key = ${key}`.execute(db);
    }
    count = rows.length;
  }
}

/** A caller may put a patient's number into an Idempotency-Key, so only its hash is kept; and a department may name a person, too. */
export const WHAT_ERASURE_MISSED: Step = {
  described: [
    {
      table: 'idempotency_key',
      name: 'key',
      definition: 'text NOT NULL',
      meaning: 'Hash of the client’s name and the key',
    },
  ],
  statements: (engine) => [
    'UPDATE feedback SET department = NULL WHERE inpatient_number IS NULL',
    ...(engine === 'sqlite'
      ? [
          ...redefined('feedback', BEFORE, AFTER),
          ...redefined('idempotency_key', '-- The client’s name', '-- Hash of the client’s name'),
        ]
      : [
          'ALTER TABLE feedback DROP CONSTRAINT feedback_erased',
          `ALTER TABLE feedback ADD CONSTRAINT feedback_erased CHECK (${AFTER})`,
        ]),
  ],
  rows: hashKeys,
};
