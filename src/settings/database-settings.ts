import { z } from 'zod';
import type { DatabaseLocation } from '../store/open-store.ts';
import { flag, type SettingValues, secret, text } from './setting.ts';

const databaseLocation = (value: string): DatabaseLocation | undefined => {
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(value)?.[1];
  return path === undefined ? undefined : { kind: 'sqlite', path };
};

/** Where the data are. */
export const DATABASE_SETTINGS = {
  DATABASE_URL: secret(
    text('`sqlite:` and a file, or `sqlite::memory:`', 'sqlite:./data/tpwebservices.db').transform((v, context) => {
      const location = databaseLocation(v);
      if (location !== undefined) return location;
      context.addIssue({ code: 'custom', message: 'expected sqlite:FILE or sqlite::memory:' });
      return z.NEVER;
    }),
  ),
  DEMO_DATA: flag('`true` loads two centers and fifteen doctors into an empty database', 'false'),
};

export const databaseConfig = (s: SettingValues<typeof DATABASE_SETTINGS>) => ({
  database: s.DATABASE_URL,
  demoData: s.DEMO_DATA,
});
