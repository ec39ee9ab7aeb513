import { ServiceError, shown } from '../../vocabulary/errors.ts';

/** The most fields that one form may carry: far more than any operation has, far fewer than would do harm. */
const MOST_FIELDS = 100;

/** UTF-16 code units as `%u20B9`: they are not valid in a URL, but .NET's generated GET and POST proxies encode all non-ASCII characters so. */
const CODE_UNITS = /(?:%u[0-9a-f]{4})+/gi;

/** A field as sent, decoded. */
export interface FormField {
  readonly name: string;
  readonly value: string;
}

/**
 * Reads `application/x-www-form-urlencoded` text, in a query or a body. Source: URL Standard, 5.1, except that invalid UTF-8
 * or invalid percent-encoding is refused instead of replaced: a replaced letter would be stored as part of somebody's name.
 */
export function readForm(text: string): readonly FormField[] {
  const fields: FormField[] = [];
  if (text === '') return fields;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    if (fields.length === MOST_FIELDS) {
      throw new ServiceError('TooLarge', `The form has more than ${MOST_FIELDS} fields.`, { reason: 'fields' });
    }
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    fields.push({ name, value: equals === -1 ? '' : decode(pair.slice(equals + 1), name) });
  }
  return fields;
}

function decode(text: string, parameter?: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(/%u/i.test(spaced) ? spaced.replace(CODE_UNITS, percentEncoded) : spaced);
  } catch {
    const where = parameter === undefined ? 'A parameter name' : `Parameter ${shown(parameter)}`;
    throw new ServiceError('Malformed', `${where}: "${shown(text)}" is not UTF-8 in percent-encoding.`);
  }
}

/** Throws a URIError for an unpaired surrogate. */
const percentEncoded = (codeUnits: string): string =>
  encodeURIComponent(
    codeUnits.replace(/%u(.{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  );
