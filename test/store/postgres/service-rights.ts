import { readFileSync } from 'node:fs';

const statements = [
  ...readFileSync(new URL('../../../docs/audit.md', import.meta.url), 'utf8').matchAll(/```sql\n(.*?)```/gs),
].map(([, text = '']) => text);

/** What docs/audit.md tells an owner: the role of the service and its rights, and how old rows go. */
export const [serviceRights = '', auditRetention = ''] = statements;
