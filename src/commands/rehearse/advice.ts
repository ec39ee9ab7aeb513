import type { RefusalCode } from './verdict.ts';

/** What to do about requests that this service would not answer as the old one did; a sentence or two for each code. */
export const ADVICE: Readonly<Record<RefusalCode, string>> = {
  Malformed: 'The program sends what is not XML, not a form or not HTTP. Find out what it means to send, and mend it.',
  MissingParameter:
    'The old service read a missing int as 0 and a missing date as 0001-01-01. Let the program send the parameter; a form has to name every one, if only empty.',
  InvalidValue:
    'Let the program send a value of the type and length that docs/operations.md tells. For dates, see the forms below: YYYY-MM-DD is always right.',
  UnexpectedElement:
    'The old service passed over elements that it did not know. Take the element away, or spell it and its namespace as the WSDL does; a whole other namespace is set with NAMESPACE.',
  DuplicateParameter: 'The old service joined both values with a comma. Let the program send one.',
  UnknownOperation: 'Spell the operation as the WSDL does; case counts.',
  ActionMismatch:
    'Let SOAPAction name the operation of the body, or leave it empty; another namespace is set with NAMESPACE.',
  MustUnderstand: 'Take mustUnderstand off the header. A UsernameToken is understood where a clients file asks for it.',
  VersionMismatch: 'Let the program send a SOAP 1.1 or SOAP 1.2 envelope.',
  UnsupportedMediaType:
    'Send text/xml (SOAP 1.1), application/soap+xml (SOAP 1.2) or application/x-www-form-urlencoded, without Content-Encoding.',
  TooLarge: 'Raise MAX_BODY_BYTES if the request has to be that long.',
  IdempotencyKeyReused: 'Let the program give each call an Idempotency-Key of its own.',
  Unauthorized: 'Put the program into the clients file, or give it the secret that stands there.',
  Forbidden: 'Allow the client this operation or center in the clients file.',
  TooManyRequests: 'Raise RATE_LIMIT, or the limit of this client in the clients file.',
  CrossSite: 'A browser sends this from another site. Put that site into CORS_ORIGINS if it may call.',
  MethodNotAllowed:
    'Let the program use GET for the forms and pages, POST for SOAP. HEAD is for pages of other services.',
  NotFound:
    'Only the path of the WSDL is served, and its case counts. Mend the address, or let the web server in front rewrite it.',
  MisdirectedRequest: 'Put the host name into ALLOWED_HOSTS, or set PUBLIC_URL to the address that the callers use.',
  Unavailable: 'The trial instance had no database. Tell whoever keeps this service.',
  Internal: 'The trial instance failed, and its log on standard error tells where. Tell whoever keeps this service.',
  InvalidInput: 'The old service took anything. docs/operations.md tells what this parameter has to hold.',
  UnknownCenter: 'Import the center (npm run import), or let the program send a center that is there.',
  UnknownDoctor:
    'Import the doctor for that center (npm run import), or find out why the program asks for one who has left.',
  DoctorNotAvailable: "Compare the imported opening hours, leave and SlotMinutes with the doctor's real ones.",
  SlotTaken:
    'Two patients were given one slot. Import the doctor with a Capacity that is right, or expect the refusal: it is what this service is for.',
  PastTime: 'The appointment lies in the past. See whether the clocks and zones of the caller and the center agree.',
  BeyondHorizon: 'The appointment lies more than 365 days ahead. See whether the date is meant.',
  PatientOverlap:
    'The patient has another appointment at that time. Give patients without a number an empty RegistrationNumber.',
  AppointmentNotFound:
    'The trial instance knows the appointments that were imported, and those booked through the rehearsal. For others it is no mistake of the caller: import them.',
  MoveNotAllowed:
    'The appointment has a status that this move is not allowed from. See whether the number of type means that move.',
  UnknownType: 'Name the number in APPOINTMENT_TYPES, see below.',
  InvalidMobile: 'The number cannot be mobile. See PHONE_REGION, and where the program takes its numbers from.',
  UnknownTemplate: 'Import the message template (npm run import) under the tempid that the program sends.',
  TemplateMismatch: 'Let the program send the text of the template, or import the template as it is sent.',
  UnknownMode: 'Let the program send SMSmode 0.',
  MessageTooLong: 'Let the program send a shorter text; a character beyond the GSM alphabet halves what fits.',
};
