import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { TABLE_NAMES, titlesOf } from '../../../src/reference/tables.ts';
import { APPOINTMENT_FIELDS, FEEDBACK_FIELDS, type FieldFacts } from '../../../src/vocabulary/stored-records.ts';
import { root } from '../../house/source-files.ts';

describe('The columns of the files', () => {
  for (const [table, fields] of [
    ['appointments', APPOINTMENT_FIELDS],
    ['feedback', FEEDBACK_FIELDS],
  ] as const) {
    it(`of ${table} are those of the stored fields`, () => {
      const titles = Object.values<FieldFacts & { readonly column: string }>(fields).flatMap(({ csv = [] }) => csv);
      expect(titlesOf(table)).to.have.members([...new Set(titles)]);
    });
  }

  it('are all in the documentation', () => {
    const text = readFileSync(new URL('docs/operators/importing.md', root), 'utf8');
    const missing = TABLE_NAMES.flatMap((table) => titlesOf(table).filter((title) => !text.includes(`\`${title}\``)));
    expect(missing).to.deep.equal([]);
  });
});
