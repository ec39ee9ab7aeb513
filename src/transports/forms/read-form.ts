import { isUtf8 } from 'node:buffer';
import type { Operation, OperationInput, Parameter, ParameterValue } from '../../contract/contract.ts';
import type { DateOrder } from '../../contract/form-date-time.ts';
import { duplicateParameter, missingParameter, NOTHING, readParameterValue } from '../../contract/parameter-values.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import { quoted } from '../../vocabulary/text.ts';

/** The maximum number of fields in a form: far more than any operation has, but far too few to do harm. */
const MOST_FIELDS = 100;

/**
 * UTF-16 code units as `%u20B9`. They are not valid in a URL, but .NET's generated GET and POST proxies and VBScript's `escape` encode
 * characters this way.
 */
const CODE_UNITS = /((?:%u[0-9a-f]{4})+)/i;
const CODE_UNIT = /%u([0-9a-f]{4})/gi;
const ESCAPED_BYTE = /%([0-9a-f]{2})/gi;
/** A character beyond ASCII: text that has one and is not UTF-8 was cut or damaged. */
const PART_OF_UTF_8 = /[\xc0-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/;

/** A field as sent, decoded. */
export interface FormField {
  readonly name: string;
  readonly value: string;
}

/**
 * Reads `application/x-www-form-urlencoded` from a query or a body, each byte a character of `form`. Source: URL Standard, 5.1, except that
 * nothing is replaced, because it would be stored as part of somebody's name: a text whose bytes are not UTF-8 is in the charset that the
 * form declares or, as old HTTP libraries and `escape` write it whatever they declare, in windows-1252. A `%` that begins no escape is
 * itself, as on ASP.NET: `z=100%`. Throws ServiceError.
 */
export function readForm(form: string, charset?: string): readonly FormField[] {
  const pairs = form.split('&').filter((pair) => pair !== '');
  if (pairs.length > MOST_FIELDS) {
    throw new ServiceError('TooLarge', `The form has more than ${MOST_FIELDS} fields.`, { reason: 'fields' });
  }
  return pairs.map((pair) => {
    const [written = '', value = ''] = pair.split(/=(.*)/s, 2);
    const name = decode(written, charset, 'A parameter name');
    return { name, value: decode(value, charset, `Parameter ${quoted(name)}`) };
  });
}

function decode(written: string, charset: string | undefined, where: string): string {
  const spaced = written.includes('+') ? written.replaceAll('+', ' ') : written;
  if (!/[%\x80-\xff]/.test(spaced)) return spaced;
  const parts = spaced.split(CODE_UNITS);
  const text = parts.map((part, i) => (i % 2 === 0 ? textOf(part, charset) : unescaped(part, CODE_UNIT))).join('');
  if (text.isWellFormed()) return text;
  throw new ServiceError('Malformed', `${where}: "${quoted(written)}" is not percent-encoded UTF-8.`);
}

const unescaped = (text: string, pattern: RegExp): string =>
  text.replace(pattern, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** A lone surrogate for bytes that cannot be read. */
function textOf(written: string, charset = 'utf-8'): string {
  const characters = unescaped(written, ESCAPED_BYTE);
  const bytes = Buffer.from(characters, 'latin1');
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const isUndeclared = /^utf-?8$/.test(charset);
  if (isUndeclared && PART_OF_UTF_8.test(characters)) return '\ud800';
  try {
    return new TextDecoder(isUndeclared ? 'windows-1252' : charset, { fatal: true }).decode(bytes);
  } catch {
    return '\ud800';
  }
}

/** Reads an operation's input from form fields. Throws ServiceError, which names the parameter that is missing, duplicated or invalid. */
export type ReadFormInput = (fields: readonly FormField[]) => OperationInput;

/**
 * Compiled once from the contract. Parameter names match in any case, unknown ones are ignored, and each parameter must be present exactly
 * once, unless the contract says that a form may omit it. An empty one counts as present.
 */
export function compileFormReader({ parameters }: Operation, dateOrder?: DateOrder): ReadFormInput {
  const byName = new Map(parameters.map((parameter) => [parameter.name.toLowerCase(), parameter]));
  return (fields) => {
    const texts = new Map<Parameter, string>();
    for (const { name, value } of fields) {
      const parameter = byName.get(name.toLowerCase());
      if (parameter === undefined) continue;
      if (texts.has(parameter)) throw duplicateParameter(parameter.name);
      texts.set(parameter, value);
    }
    const input: Record<string, ParameterValue> = Object.create(NOTHING);
    for (const parameter of parameters) {
      const text = texts.get(parameter);
      if (text === undefined && !parameter.mayBeOmitted) throw missingParameter(parameter.name);
      input[parameter.name] = text === undefined ? undefined : readParameterValue(parameter, text, 'form', dateOrder);
    }
    return input;
  };
}
