import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Schema } from '../schema.ts';
import { bytewiseText } from './bytewise-text.ts';

/** Builds queries for a pool's connections. Text columns that it creates are compared byte by byte. */
export const kyselyOn = (pool: pg.Pool): Kysely<Schema> =>
  new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), plugins: [bytewiseText] });
