import { ServiceError } from '../vocabulary/errors.ts';
import { oneOf, quoted } from '../vocabulary/text.ts';
import { forbiddenCharacter, trimXmlSpace } from '../xml/xml-characters.ts';
import type { DateTimeValue, Operation, Parameter, ParameterValue } from './contract.ts';
import { type DateOrder, formDateTimeForms, parseFormDateTime } from './form-date-time.ts';
import { parseXsdDateTime } from './xsd-date-time.ts';

export const INT_MIN = -2147483648;
export const INT_MAX = 2147483647;

/**
 * Reads an `xsd:int` from -2147483648 to 2147483647. White space around it, a sign and leading zeros are allowed. Returns 'lexical' for
 * text that is not an integer, and 'range' for an integer outside these bounds.
 * Source: XML Schema Part 2, 3.3.17 int, and 3.3.13 integer for the lexical form.
 */
export function parseXsdInt(text: string): number | 'lexical' | 'range' {
  const digits = trimXmlSpace(text);
  if (!/^[+-]?[0-9]+$/.test(digits)) return 'lexical';
  const value = Number(digits);
  if (value < INT_MIN || value > INT_MAX) return 'range';
  // Not -0, which would be written with its sign.
  return value === 0 ? 0 : value;
}

/** SOAP accepts the lexical forms of XSD's dateTime, date and time. GET and POST also accept dates as people type them. */
export type Lexicon = 'xsd' | 'form';

const INT_EXPECTED = `expected a whole number from ${INT_MIN} to ${INT_MAX}`;
const XSD_DATE_TIME_EXPECTED = 'expected YYYY-MM-DDThh:mm:ss, such as 2027-01-18T10:15:00';

/** Why a date of a form is refused although people would understand it. */
const UNORDERED = {
  ambiguous: 'dd/mm/yyyy cannot be distinguished from mm/dd/yyyy',
  'day-first': 'dd/mm/yyyy is not accepted here',
  'month-first': 'mm/dd/yyyy is not accepted here',
  'short-year': 'a year of two digits is ambiguous',
} as const;

/**
 * Converts a parameter's text to a value of its type. Strings are unchanged. For an optional parameter of another type, text that is only
 * white space counts as absent.
 * Throws ServiceError InvalidValue for text that does not match the type, for a string longer than the parameter's `maxLength` (in code
 * points), and for characters that XML 1.0 forbids, because no answer could contain them.
 */
export function readParameterValue(
  parameter: Parameter,
  text: string,
  lexicon: Lexicon,
  dateOrder?: DateOrder,
): ParameterValue {
  if (!parameter.required && parameter.type !== 'string' && trimXmlSpace(text) === '') return undefined;
  switch (parameter.type) {
    case 'int':
      return readInt(parameter, text);
    case 'dateTime':
      return readDateTime(parameter, text, lexicon, dateOrder);
    case 'string':
      return readString(parameter, text);
  }
}

function readInt(parameter: Parameter, text: string): number {
  const value = parseXsdInt(text);
  if (typeof value === 'number') return value;
  throw invalid(
    parameter,
    text,
    `${value === 'range' ? 'is out of the range of int' : 'is not an int'}; ${INT_EXPECTED}`,
  );
}

function readDateTime(parameter: Parameter, text: string, lexicon: Lexicon, dateOrder: DateOrder): DateTimeValue {
  const { half } = parameter;
  const value = lexicon === 'xsd' ? parseXsdDateTime(text) : parseFormDateTime(text, half, dateOrder);
  if (typeof value === 'object') return value;
  const expected = lexicon === 'xsd' ? XSD_DATE_TIME_EXPECTED : `expected ${oneOf(formDateTimeForms(half, dateOrder))}`;
  switch (value) {
    case 'range':
      throw invalid(parameter, text, `is a date or time that does not exist; ${expected}`);
    case 'lexical':
      throw invalid(parameter, text, `is not a dateTime; ${expected}`);
    default:
      throw invalid(parameter, text, `is refused because ${UNORDERED[value]}; ${expected}`);
  }
}

function readString(parameter: Parameter, text: string): string {
  const forbidden = forbiddenCharacter(text);
  if (forbidden !== undefined) {
    const code = forbidden.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    throw invalid(parameter, text, `contains U+${code}; expected only characters that XML 1.0 allows`);
  }
  const { maxLength } = parameter;
  if (maxLength !== undefined && text.length > maxLength && isLongerThan(text, maxLength)) {
    throw invalid(parameter, text, `is too long; expected at most ${maxLength} characters`);
  }
  return text;
}

function isLongerThan(text: string, codePoints: number): boolean {
  let count = 0;
  for (const _ of text) if (++count > codePoints) return true;
  return false;
}

function invalid(parameter: Parameter, text: string, problem: string): ServiceError {
  return new ServiceError('InvalidValue', `Parameter ${parameter.name}: "${quoted(text)}" ${problem}.`, {
    parameter: parameter.name,
  });
}

/** The prototype of inputs, so that they inherit nothing: V8 makes an object without a prototype a hash table. */
export const NOTHING: object = Object.freeze(Object.create(null));

export const duplicateParameter = (parameter: string) =>
  new ServiceError('DuplicateParameter', `Parameter ${parameter} is given twice.`, { parameter });

/** `misspelt` is a name that was sent, and may have been meant. */
export function missingParameter(parameter: string, misspelt?: string): ServiceError {
  const hint = misspelt === undefined ? '' : `; "${quoted(misspelt)}" is not its name`;
  return new ServiceError('MissingParameter', `Missing parameter: ${parameter}${hint}.`, { parameter });
}

/** `name` is what the caller asks for. */
export function unknownOperation(name: string, operations: readonly Operation[]): ServiceError {
  const names = operations.map((operation) => operation.name);
  const spelling = names.find((known) => known.toLowerCase() === name.toLowerCase());
  const hint = spelling === undefined ? `expected ${oneOf(names)}` : `the name is spelled ${spelling}`;
  return new ServiceError('UnknownOperation', `There is no operation "${quoted(name)}"; ${hint}.`);
}
