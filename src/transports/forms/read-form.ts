import leven from 'leven';
import type { Operation, OperationInput, Parameter, ParameterValue } from '../../contract/contract.ts';
import type { DateOrder } from '../../contract/form-date-time.ts';
import { duplicateParameter, missingParameter, NOTHING, readParameterValue } from '../../contract/parameter-values.ts';
import { decodeText } from '../../vocabulary/decode-text.ts';
import { ServiceError } from '../../vocabulary/errors.ts';
import { quoted } from '../../vocabulary/text.ts';

/** The maximum number of fields in a form: far more than any operation has, but far too few to do harm. */
const MOST_FIELDS = 100;

/**
 * UTF-16 code units as `%u20B9`. They are not valid in a URL, but .NET's generated GET and POST proxies and VBScript's `escape` encode
 * characters this way.
 */
const CODE_UNITS = /(?:%u[0-9a-f]{4})+/gi;
/** Stands for code units while the bytes around it are decoded. No parameter can contain it. */
const SUBSTITUTE = '\u001a';

/** A field as sent, decoded. */
export interface FormField {
  readonly name: string;
  readonly value: string;
}

/**
 * Reads `application/x-www-form-urlencoded` from a query or a body, each byte a character of `form`. Source: URL Standard, 5.1, except that
 * nothing is replaced, because it would be stored as part of somebody's name: each name and value is a text of its own for `decodeText`, with
 * the charset that the form declares. A `%` that begins no escape is itself, as on ASP.NET: `z=100%`. Throws ServiceError.
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
  const spaced = written.includes('+') ? withSpaces(Buffer.from(written, 'latin1')) : written;
  if (!/[%\x80-\xff]/.test(spaced)) return spaced;
  const units: string[] = [];
  const bytes = spaced.replace(CODE_UNITS, (run) => {
    units.push(unescape(run.toLowerCase()));
    return SUBSTITUTE;
  });
  try {
    const parts = decodeText(Buffer.from(unescape(bytes), 'latin1'), charset).split(SUBSTITUTE);
    const text = parts.map((part, i) => part + (units[i] ?? '')).join('');
    if (parts.length === units.length + 1 && text.isWellFormed()) return text;
  } catch {
    // Bytes that no reading fits.
  }
  throw new ServiceError('Malformed', `${where}: "${quoted(written)}" is not percent-encoded UTF-8.`);
}

/** The characters of bytes, with a space for each plus. Replacing them by `replace` takes twenty times as long. */
function withSpaces(bytes: Buffer): string {
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === 0x2b) bytes[i] = 0x20;
  return bytes.toString('latin1');
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
      if (text === undefined && !parameter.mayBeOmitted) {
        const unknown = fields.map(({ name }) => name).filter((name) => !byName.has(name.toLowerCase()));
        throw missingParameter(
          parameter.name,
          unknown.find((name) => isNearly(name, parameter.name)),
        );
      }
      input[parameter.name] = text === undefined ? undefined : readParameterValue(parameter, text, 'form', dateOrder);
    }
    return input;
  };
}

/** Whether at most two letters differ, hyphens and underscores aside. Names of other lengths are not compared letter by letter. */
function isNearly(sent: string, name: string): boolean {
  if (sent.length > 2 * name.length) return false;
  return (
    leven(sent.toLowerCase().replace(/[\s_-]/g, ''), name.toLowerCase().replace(/_/g, '')) <=
    Math.min(2, name.length / 4)
  );
}
