import { readFileSync } from 'node:fs';

const statements = [
  ...readFileSync(new URL('../../../../docs/operators/privacy.md', import.meta.url), 'utf8').matchAll(
    /```sql\n(.*?)```/gs,
  ),
].map(([, text = '']) => text);

/** The setup in docs/operators/privacy.md for a separate owner: the service's role and its rights, and the removal of old rows. */
export const [serviceRights = '', auditRetention = ''] = statements;
