import { Refusal } from '../vocabulary/result-codes.ts';
import { shown } from '../vocabulary/text.ts';
import { saysNothing } from './says-nothing.ts';

export type Sex = 'M' | 'F' | 'O' | 'U';

/** For a patient whose sex was not given. */
export const UNKNOWN_SEX: Sex = 'U';

/** The codes and words of HL7 v2 table 0001 and FHIR AdministrativeGender, in lower case. */
const SEXES: ReadonlyMap<string, Sex> = new Map([
  ['m', 'M'],
  ['male', 'M'],
  ['f', 'F'],
  ['female', 'F'],
  ['o', 'O'],
  ['other', 'O'],
  ['others', 'O'],
  ['trans', 'O'],
  ['transgender', 'O'],
  ['tg', 'O'],
  ['third gender', 'O'],
  ['t', 'O'],
  ['a', 'O'],
  ['ambiguous', 'O'],
  ['n', 'O'],
  ['not applicable', 'O'],
  ['x', 'O'],
  ['u', 'U'],
  ['unknown', 'U'],
]);

/** The letter for a sex given as a letter or word in any case; U if it is absent, blank, `NA` or `-`. Throws Refusal InvalidInput. */
export function canonicalSex(text: string | undefined): Sex {
  if (saysNothing(text)) return UNKNOWN_SEX;
  const sex = SEXES.get(
    text
      .trim()
      .replace(/[\s_-]+/g, ' ')
      .toLowerCase(),
  );
  if (sex === undefined) {
    throw new Refusal(
      'InvalidInput',
      `Parameter Sex: "${shown(text)}" is not recognized; expected M, F, O or U.`,
      'Sex',
    );
  }
  return sex;
}
