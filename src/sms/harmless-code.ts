/**
 * An external code, if it may be logged and stored: a short word or number. Codes that are longer than OpenSSL's longest words, or that
 * contain as many digits as a phone number, are omitted.
 */
export const harmlessCode = (code: string | undefined): string | undefined =>
  code !== undefined && /^[\w.:-]{1,40}$/.test(code) && !/\d{7}/.test(code) ? code : undefined;

/** The provider's id for a message: 1 to 128 visible ASCII characters, otherwise undefined. */
export function harmlessReference(reference: string | undefined): string | undefined {
  const trimmed = reference?.trim();
  return trimmed !== undefined && /^[\x21-\x7e]{1,128}$/.test(trimmed) ? trimmed : undefined;
}
