import { rowStatement } from '../../../src/store/statement.ts';

describe('rowStatement', () => {
  it('does not compile for an INSERT with RETURNING, whose violated foreign keys the first row hides', () => {
    // @ts-expect-error `npm run typecheck` fails if this is accepted.
    rowStatement((db, v: { name: string }) =>
      db.insertInto('service_fact').values({ name: v.name, value: '' }).returning('name'),
    );
  });
});
