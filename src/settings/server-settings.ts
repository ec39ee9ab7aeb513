import type { LogLevel } from '../log/log.ts';
import { choice, count, flag, list, setting, text } from './setting.ts';

const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'silent'] as const satisfies readonly (LogLevel | 'silent')[];
const LOOPBACK_NAMES = 'localhost,127.0.0.1,[::1]';

const isBaseUrl = (value: string): boolean => {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '';
};

// An XML namespace name is a URI. A space, a quote or a bracket in it would not survive being written to an attribute and read back.
const isNamespace = (value: string): boolean => /^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"'{}|\\^`]+$/.test(value);

/** W3C and the authors of SOAP and WSDL own everything below these. Sources: Namespaces in XML 1.0, 3; SOAP 1.1; WSDL 1.1. */
const RESERVED = /^https?:\/\/(?:www\.w3\.org|schemas\.xmlsoap\.org)(?:[/:?#]|$)/i;

const isHostName = (value: string): boolean => /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(value);

export const SERVER_SETTINGS = {
  host: setting(
    'HOST',
    text('Address to listen on', '127.0.0.1').refine((v) => v.trim() !== '', 'expected an address such as 127.0.0.1'),
  ),
  port: setting('PORT', count('Port to listen on; 0 means any free port', 8080, 0, 65_535)),
  sharedPort: setting(
    'SHARED_PORT',
    flag(
      '`true` on Linux lets several processes of one user listen on `PORT`: the kernel divides new connections among them. All must set it',
      'false',
    ),
  ),
  /** Base URL that clients use, without a trailing slash; undefined means the request's Host, if it is allowed. */
  publicUrl: setting(
    'PUBLIC_URL',
    text('Base URL that clients use, such as https://his.example.org; the WSDL and the pages contain it', '')
      .refine((v) => v === '' || isBaseUrl(v), 'expected an http or https URL without user name and query')
      .refine(
        (v) => !/\.asmx\/?$/i.test(v),
        'expected the address without the path of the service, such as https://his.example.org',
      )
      .transform((v) => (v === '' ? undefined : v.replace(/\/+$/, ''))),
  ),
  /** Lower-case, without ports. */
  allowedHosts: setting(
    'ALLOWED_HOSTS',
    list(
      'Comma-separated host names under which callers reach the service, in addition to that of `PUBLIC_URL`. Callers that prove no secret get 421 under any other name that has a dot; if `PUBLIC_URL` is not set, the WSDL and the pages are served only under these names',
      LOOPBACK_NAMES,
    )
      .transform((names): readonly string[] => names.map((name) => name.toLowerCase()))
      .refine((names) => names.every(isHostName), 'expected host names without ports, separated by commas'),
  ),
  namespace: setting(
    'NAMESPACE',
    text(
      'Target namespace of the WSDL, a URI; a single word is the namespace of a pod, and sets nothing',
      'http://tempuri.org/',
    )
      .refine(isNamespace, 'expected an absolute URI such as http://tempuri.org/')
      .refine(
        (namespace) => !RESERVED.test(namespace),
        'is reserved for XML and SOAP themselves; expected a URI of the hospital, or http://tempuri.org/',
      ),
  ),
  refusals: setting(
    'REFUSALS',
    choice('How a refusal by the hospital’s rules is answered: `fault` or `result`', 'fault', ['fault', 'result']),
  ),
  results: setting(
    'RESULTS',
    choice(
      'How a success is answered: `record`, or `none` as by the old service, for programs whose proxy of the old WSDL takes a record for an error; not together with `REFUSALS=result`',
      'record',
      ['record', 'none'],
    ),
  ),
  logLevel: setting(
    'LOG_LEVEL',
    choice(
      'Lowest level that is logged: `error`, `warn`, `info` or `debug`; `silent` logs nothing',
      'info',
      LOG_LEVELS,
    ),
  ),
};
