import { Refusal } from '../vocabulary/result-codes.ts';
import { shown } from '../vocabulary/text.ts';
import { saysNothing } from './says-nothing.ts';

/** One `@`, preceded by something, and followed by two or more labels that are separated by dots; no white space, no control characters. */
const ADDRESS = /^[^@\s\p{Cc}]+@[^@.\s\p{Cc}]+(?:\.[^@.\s\p{Cc}]+)+$/u;

/**
 * The e-mail address without surrounding white space, because programs with fixed-width columns pad them with blanks. Returns undefined if
 * it is absent, blank, `NA`, `-` or `nil`. Checking more would require sending mail. Throws Refusal InvalidInput for a text that cannot be
 * an address.
 */
export function readEmail(given: string | undefined): string | undefined {
  if (saysNothing(given)) return undefined;
  const text = given.trim();
  if (!ADDRESS.test(text)) {
    throw new Refusal(
      'InvalidInput',
      `Parameter email: "${shown(text)}" is not an e-mail address; expected one such as name@example.org, or none.`,
      'email',
    );
  }
  return text;
}
