import { SCHEMA_STEPS } from '../../../src/store/migrations/migrate.ts';

/** The step that a later version of the service has in addition. Steps are in the order of their names. */
export const LATER_STEP = '9999-nickname-version-99.0.0';

export const NICKNAME = { table: 'center', name: 'nickname', definition: 'text', meaning: 'What staff call it' };

/** Runs `work` as a later version of the service, whose schema has one step more. Only this process becomes it. */
export async function asLaterVersion<T>(work: () => T | Promise<T>): Promise<T> {
  SCHEMA_STEPS.set(LATER_STEP, { columns: [NICKNAME] });
  try {
    return await work();
  } finally {
    SCHEMA_STEPS.delete(LATER_STEP);
  }
}

/** Runs `work` as version 1.0.0, whose schema has the first step only. Only this process becomes it. */
export async function asFirstVersion<T>(work: () => T | Promise<T>): Promise<T> {
  const [first, ...later] = [...SCHEMA_STEPS];
  for (const [name] of later) SCHEMA_STEPS.delete(name);
  try {
    return await work();
  } finally {
    SCHEMA_STEPS.clear();
    for (const [name, step] of first === undefined ? later : [first, ...later]) SCHEMA_STEPS.set(name, step);
  }
}
