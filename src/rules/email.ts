import { shown } from '../vocabulary/errors.ts';
import { Refusal } from '../vocabulary/result-codes.ts';

/** Whether the text can be an e-mail address, or is blank. Only mail itself could tell more. Throws Refusal InvalidInput. */
export function checkEmail(text: string | undefined): void {
  if (text === undefined || text.trim() === '') return;
  const [local = '', domain = '', ...rest] = text.split('@');
  const labels = domain.split('.');
  if (rest.length > 0 || local === '' || labels.length < 2 || labels.includes('') || /\s|\p{Cc}/u.test(text)) {
    throw new Refusal(
      'InvalidInput',
      `Parameter email: "${shown(text)}" is not an e-mail address; expected one such as name@example.org, or none.`,
      'email',
    );
  }
}
