import { readFileSync } from 'node:fs';

const root = new URL('../../../../', import.meta.url);

/** What a superuser runs in the service's database. */
export const RIGHTS_FILE = new URL('deploy/postgres/rights.sql', root);

export const rights = readFileSync(RIGHTS_FILE, 'utf8');

/** The documented role of the service, which does not own its tables, with its rights. */
export const serviceRights = `CREATE ROLE tpwebservices_service LOGIN;\n${rights}`;

/** The documented removal of old audit rows. */
export const [, auditRetention = ''] =
  /```sql\n(.*?)```/s.exec(readFileSync(new URL('docs/operators/privacy.md', root), 'utf8')) ?? [];
