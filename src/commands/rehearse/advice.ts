import { REFUSALS, type RefusalName } from '../../vocabulary/result-codes.ts';
import type { RefusalCode } from './trial.ts';

/** As in a report, where a charset is a reason of its own. */
export type ReportedCode = RefusalCode | 'WrongCharset';

const ON_ERRORS: Readonly<Record<Exclude<ReportedCode, RefusalName>, string>> = {
  WrongCharset:
    'The bytes are not in the charset that the program names; without one, it is UTF-8. A form must encode UTF-8: é is %C3%A9, not %E9. Over SOAP, name the charset in the Content-Type, or send UTF-8.',
  Malformed: 'Find out what the program is meant to send: this is not XML, a form or HTTP.',
  MissingParameter:
    'The old service read a missing int as 0 and a missing date as 0001-01-01. Have the program send the parameter; a form must contain every parameter, even if it is empty.',
  InvalidValue:
    'Have the program send a value of the type and length given in docs/operations.md. For dates, see the forms below: YYYY-MM-DD is always accepted.',
  UnexpectedElement:
    'The old service ignored elements that it did not know. Remove the element, or spell it and its namespace as the WSDL does; NAMESPACE sets another namespace for the whole service.',
  DuplicateParameter: 'The old service took one of the values, or joined them with a comma. Have the program send one.',
  UnknownOperation: 'Spell the operation as the WSDL does, including upper and lower case.',
  ActionMismatch:
    'Make SOAPAction name the operation of the body, or leave it empty; NAMESPACE sets another namespace for the whole service.',
  MustUnderstand: 'Remove mustUnderstand, or let the clients file ask for the UsernameToken that the header has.',
  VersionMismatch: 'Have the program send a SOAP 1.1 or SOAP 1.2 envelope.',
  UnsupportedMediaType:
    'Send text/xml (SOAP 1.1), application/soap+xml (SOAP 1.2) or application/x-www-form-urlencoded, without Content-Encoding.',
  TooLarge: 'A body has at most 64 KiB. Have the program send less.',
  IdempotencyKeyReused: 'Have the program give each call its own Idempotency-Key.',
  Unauthorized: 'Add the program to the clients file, or give it the secret whose hash is there.',
  Forbidden: 'Allow the client this operation or center in the clients file.',
  TooManyRequests: 'Raise RATE_LIMIT, or the limit of this client in the clients file.',
  CrossSite: 'A browser sends this from another site. Add that site to CORS_ORIGINS if its pages may call.',
  MethodNotAllowed: 'Have the program use GET or POST for the forms, GET for the pages and POST for SOAP.',
  NotFound: 'Only the path in the WSDL is served. Correct the address, or let the web server in front rewrite it.',
  MisdirectedRequest: 'Add the host name to ALLOWED_HOSTS, or set PUBLIC_URL to the address that callers use.',
  Unavailable: 'The trial instance could not use its database. Report this to whoever maintains this service.',
  Internal:
    'The trial instance failed; its log on standard error says where. Report this to whoever maintains this service.',
};

/** What to do about requests that this service would not answer as the old one did: a sentence or two. */
export const adviceOn = (code: ReportedCode): string =>
  code in REFUSALS ? REFUSALS[code as RefusalName].advice : ON_ERRORS[code as keyof typeof ON_ERRORS];

const OFFSET = /(?:Z|[+-]99:99)$/;

/** What to do about a form in which dates are written; undefined for nothing. */
export function adviceOnDate(form: string): string | undefined {
  if (OFFSET.test(form)) {
    return 'A time with Z or an offset is converted to the time zone of the center. If the program means the time at the center, have it send none (in .NET, DateTimeKind.Unspecified).';
  }
  if (/^99?[/.-]99?[/.-]99/.test(form)) {
    return 'May be read in two ways. Have the program send YYYY-MM-DD; on the forms, FORM_DATE_ORDER can say what comes first.';
  }
  return undefined;
}
