import { statement } from '../statement.ts';

/** Sets a mark to a value, whether or not the mark exists. */
export const setMark = statement((db, v: { name: string; value: string }) =>
  db
    .insertInto('service_mark')
    .values({ name: v.name, value: v.value })
    .onConflict((c) => c.column('name').doUpdateSet({ value: v.value })),
);

export const removeMark = statement((db, v: { name: string }) =>
  db.deleteFrom('service_mark').where('name', '=', v.name),
);

export const markByName = statement((db, v: { name: string }) =>
  db.selectFrom('service_mark').select('value').where('name', '=', v.name),
);
