import type { MessageRow } from '../../store/queries/patient-queries.ts';
import type { KnownPhones } from './choose-feedback.ts';
import type { PersonSearch } from './person-search.ts';
import { recordName } from './record-name.ts';
import { type Choice, splitByDoubt } from './split-by-doubt.ts';

/**
 * Which of the messages are the person's, by rules 3 and 4 of `PersonSearch`. `rows`: those to the person's phones, and those that name the
 * person.
 */
export const chooseMessages = (
  rows: readonly MessageRow[],
  { included, sharedPhone }: PersonSearch,
  phones: Pick<KnownPhones, 'own' | 'shared'>,
  isLeftOut: (name: string) => boolean,
): Choice<MessageRow> =>
  splitByDoubt(rows, (row) => {
    const name = recordName('message', row);
    if (included.has(name)) return undefined;
    if (!phones.own.has(row.mobile)) return 'possibleName';
    if (sharedPhone) return undefined;
    if (isLeftOut(name)) return 'leftOut';
    return phones.shared.has(row.mobile) ? 'sharedPhone' : undefined;
  });
