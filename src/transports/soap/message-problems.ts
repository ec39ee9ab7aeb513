import { type QualifiedName, ServiceError } from '../../vocabulary/errors.ts';
import { oneOf, quoted } from '../../vocabulary/text.ts';
import type { XmlScanner } from '../../xml/xml-scanner.ts';

/** What is wrong with a message, for its sender. Those that take a scanner are about the element that it has just entered. */

export const malformed = (reason: string, message: string) => new ServiceError('Malformed', message, { reason });

export const unexpected = (message: string) => new ServiceError('UnexpectedElement', message);

export const unexpectedElement = ({ localName }: XmlScanner, where: string) =>
  unexpected(`Element ${quoted(localName)} is not expected ${where}.`);

export function wrongNamespace({ localName, namespace }: XmlScanner, expected: string): ServiceError {
  const found = namespace === '' ? 'in no namespace' : `in namespace "${quoted(namespace)}"`;
  return unexpected(`Element ${quoted(localName)} is ${found}; expected "${expected}".`);
}

export const unknownParameter = (scanner: XmlScanner, operation: string, parameters: readonly string[]) =>
  unexpectedElement(
    scanner,
    parameters.length === 0
      ? `in ${operation}, which has no parameters`
      : `in ${operation}, which has no such parameter; expected ${oneOf(parameters)}`,
  );

/** An error in the value of a parameter. */
export const invalidParameter = (parameter: string, problem: string) =>
  new ServiceError('InvalidValue', `Parameter ${parameter} ${problem}`, { parameter });

export const versionMismatch = (namespace: string) =>
  new ServiceError(
    'VersionMismatch',
    `The Envelope is in namespace "${quoted(namespace)}"; expected the Envelope of SOAP 1.1 or SOAP 1.2.`,
  );

/** There is at least one header. */
export function headersNotUnderstood(notUnderstood: readonly QualifiedName[]): ServiceError {
  const names = notUnderstood.map(({ namespace, localName }) => `${quoted(localName)} ("${quoted(namespace)}")`);
  return new ServiceError('MustUnderstand', `A header that must be understood is not understood: ${names[0]}.`, {
    notUnderstood,
  });
}
