import type { RefusalCode } from './verdict.ts';

/** What to do about requests that this service would not answer as the old one did: a sentence or two for each code. */
export const ADVICE: Readonly<Record<RefusalCode, string>> = {
  Malformed:
    'The program sends something that is not XML, a form or HTTP. Find out what it is meant to send, and correct it.',
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
  MustUnderstand:
    'Remove mustUnderstand from the header. A UsernameToken is understood if the clients file asks for one.',
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
  InvalidInput: 'The old service accepted anything. docs/operations.md says what this parameter must contain.',
  UnknownCenter: 'Import the center (tpws import), or have the program send a center that exists.',
  UnknownDoctor:
    'Import the doctor for that center (tpws import), or find out why the program asks for a doctor who has left.',
  DoctorNotAvailable: "Compare the imported opening hours, leave and SlotMinutes with the doctor's real ones.",
  SlotTaken:
    'Two patients were given one slot. Import the doctor with the right Capacity, or accept the refusal: preventing this is the purpose of this service.',
  PastTime:
    'The appointment is in the past. Check whether the clocks and time zones of the caller and the center agree.',
  BeyondHorizon: 'The appointment is more than 365 days ahead. Check whether the date is intended.',
  PatientOverlap:
    'The patient has another appointment at that time. Leave RegistrationNumber empty for patients without a number.',
  AppointmentNotFound:
    'The trial instance knows only the appointments that were imported, and those booked through the rehearsal. If the caller asks for another one, it made no mistake: import that appointment.',
  MoveNotAllowed:
    'The status of the appointment does not allow this move. Check whether the number of type means that move.',
  UnknownType: 'Add the number to APPOINTMENT_TYPES; see below.',
  InvalidMobile: 'The number cannot be a mobile number. Check PHONE_REGION, and where the program gets its numbers.',
  UnknownTemplate: 'Import the message template (tpws import) under the tempid that the program sends.',
  TemplateMismatch: 'Have the program send the text of the template, or import the template as the program sends it.',
  UnknownMode: 'Have the program send SMSmode 0.',
  MessageTooLong:
    'Have the program send a shorter text; one character outside the GSM alphabet more than halves the length that fits.',
};
