import type { Config } from '../../settings/config.ts';
import { openStore } from '../../store/open-store.ts';
import type { Queries } from '../../store/store.ts';

/** Reads from the service's database, which must exist and have the schema of this version. */
export async function readStored<T>(database: Config['database'], work: (queries: Queries) => Promise<T>): Promise<T> {
  const store = await openStore(database, { mustExist: true });
  try {
    return await store.read(work);
  } finally {
    await store.close();
  }
}
