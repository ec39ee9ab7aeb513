import type { Operation, OperationInput, Parameter, ParameterValue } from '../../contract/contract.ts';
import type { DateOrder } from '../../contract/form-date-time.ts';
import { duplicateParameter, missingParameter, readParameterValue } from '../../contract/parameter-values.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import { quoted } from '../../vocabulary/text.ts';

/** The maximum number of fields in a form: far more than any operation has, but far too few to do harm. */
const MOST_FIELDS = 100;

/**
 * UTF-16 code units as `%u20B9`. They are not valid in a URL, but .NET's generated GET and POST proxies encode all non-ASCII characters
 * this way.
 */
const CODE_UNITS = /(?:%u[0-9a-f]{4})+/gi;
/** A percent sign that begins no escape means itself, as on ASP.NET: `z=100%`. */
const LONE_PERCENT = /%(?![0-9a-f]{2})/gi;

/** A field as sent, decoded. */
export interface FormField {
  readonly name: string;
  readonly value: string;
}

/**
 * Reads `application/x-www-form-urlencoded` text from a query or a body. Source: URL Standard, 5.1, except that invalid UTF-8 is refused
 * rather than replaced: a replaced letter would be stored as part of somebody's name.
 */
export function readForm(text: string): readonly FormField[] {
  const pairs = text.split('&').filter((pair) => pair !== '');
  if (pairs.length > MOST_FIELDS) {
    throw new ServiceError('TooLarge', `The form has more than ${MOST_FIELDS} fields.`, { reason: 'fields' });
  }
  return pairs.map((pair) => {
    const [written = '', value = ''] = pair.split(/=(.*)/s, 2);
    const name = decode(written);
    return { name, value: decode(value, name) };
  });
}

function decode(text: string, parameter?: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced.replace(CODE_UNITS, percentEncoded).replace(LONE_PERCENT, '%25'));
  } catch {
    const where = parameter === undefined ? 'A parameter name' : `Parameter ${quoted(parameter)}`;
    throw new ServiceError('Malformed', `${where}: "${quoted(text)}" is not percent-encoded UTF-8.`);
  }
}

/** Throws a URIError for an unpaired surrogate. */
const percentEncoded = (codeUnits: string): string =>
  encodeURIComponent(
    codeUnits.replace(/%u(.{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  );

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
    const input: Record<string, ParameterValue> = Object.create(null);
    for (const parameter of parameters) {
      const text = texts.get(parameter);
      if (text === undefined && !parameter.mayBeOmitted) throw missingParameter(parameter.name);
      input[parameter.name] = text === undefined ? undefined : readParameterValue(parameter, text, 'form', dateOrder);
    }
    return input;
  };
}
