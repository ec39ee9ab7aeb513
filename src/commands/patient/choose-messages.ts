import type { MessageRow } from '../../store/records/patient-records.ts';
import type { PersonSearch } from './person-search.ts';
import { recordName } from './record-name.ts';
import { type Choice, splitByDoubt } from './split-by-doubt.ts';

/** Which of the messages to the person's phones are the person's, by rules 3 and 4 of `PersonSearch`. `shared`: phones that others have, too. */
export const chooseMessages = (
  rows: readonly MessageRow[],
  { included, sharedPhone }: PersonSearch,
  shared: ReadonlySet<string>,
  isLeftOut: (name: string) => boolean,
): Choice<MessageRow> =>
  splitByDoubt(rows, (row) => {
    const name = recordName('message', row);
    if (sharedPhone || included.has(name)) return undefined;
    if (isLeftOut(name)) return 'leftOut';
    return shared.has(row.mobile) ? 'sharedPhone' : undefined;
  });
