import { shown } from '../vocabulary/errors.ts';
import { Refusal } from '../vocabulary/result-codes.ts';
import { saysNothing } from './says-nothing.ts';

/**
 * The e-mail address without surrounding white space, because programs with fixed-width columns pad them with blanks. Absent, blank, `NA`,
 * `-` and `nil` give undefined. Only sending mail could check more. Throws Refusal InvalidInput for what cannot be an address.
 */
export function readEmail(given: string | undefined): string | undefined {
  if (saysNothing(given)) return undefined;
  const text = given.trim();
  const [local = '', domain = '', ...rest] = text.split('@');
  const labels = domain.split('.');
  if (rest.length > 0 || local === '' || labels.length < 2 || labels.includes('') || /\s|\p{Cc}/u.test(text)) {
    throw new Refusal(
      'InvalidInput',
      `Parameter email: "${shown(text)}" is not an e-mail address; expected one such as name@example.org, or none.`,
      'email',
    );
  }
  return text;
}
