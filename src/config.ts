import { z } from 'zod';
import { MOVES, type Move } from './rules/appointment-status.ts';
import { isPhoneRegion } from './rules/phone.ts';
import { isTimeZone } from './rules/wall-time.ts';
import type { DatabaseLocation } from './store/open-store.ts';
import type { RefusalStyle } from './transports/faults.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const LOOPBACK_NAMES = 'localhost,127.0.0.1,[::1]';

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Base URL that clients use, without a slash at its end; undefined: what the request's Host says, if it is allowed. */
  readonly publicUrl: string | undefined;
  /** Host names, lower-case, without ports, that metadata is served for. */
  readonly allowedHosts: readonly string[];
  /** Target namespace of the contract as served and as read. */
  readonly namespace: string;
  readonly database: DatabaseLocation;
  /** IANA name: zone of centers that have none of their own, and of times that belong to no center. */
  readonly timeZone: string;
  readonly refusals: RefusalStyle;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly demoData: boolean;
  /** Whether the service page and the pages of the operations are there. */
  readonly servicePage: boolean;
  /** Whether the pages of the operations hold a form that calls them. */
  readonly testForm: boolean;
  /** ISO 3166 region of phone numbers written without a country code. */
  readonly phoneRegion: string;
  readonly confirmBookings: boolean;
  readonly showContactNumbers: boolean;
  /** The moves by the number that parameter `type` has for them. */
  readonly moves: readonly Move[];
}

/** One row of the README's table a setting: `describe` is its meaning, the default is the text that it stands for. */
const text = (meaning: string, fallback: string) => z.string().default(fallback).describe(meaning);

const isBaseUrl = (value: string): boolean => {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '';
};

// An XML namespace name is a URI; a space, a quote or a bracket in it would not survive the trip through an attribute.
const isNamespace = (value: string): boolean => /^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"'{}|\\^`]+$/.test(value);

const databaseLocation = (value: string): DatabaseLocation | undefined => {
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(value)?.[1];
  return path === undefined ? undefined : { kind: 'sqlite', path };
};

const hostName = (value: string): boolean => /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(value);

/** `9=Cancel,1=Reschedule`: numbers that clients use, and the moves they stand for; undefined if it is not of that form. */
function movesOf(value: string): readonly Move[] | undefined {
  const moves = value.split(',').map((pair) => {
    const [, type, name] = /^\s*(-?\d{1,9})\s*=\s*(\w+)\s*$/.exec(pair) ?? [];
    const move = MOVES.find((known) => known.name === name);
    return type === undefined || move === undefined ? undefined : { ...move, type: Number(type) };
  });
  const known = moves.filter((move) => move !== undefined);
  return known.length === moves.length && new Set(known.map(({ type }) => type)).size === moves.length
    ? known
    : undefined;
}

const flag = (meaning: string, fallback: 'true' | 'false') =>
  text(meaning, fallback)
    .pipe(z.enum(['true', 'false'], 'expected true or false'))
    .transform((v) => v === 'true');

/** Every setting, its default and its meaning. The only place where the environment's names are written down. */
export const SETTINGS = z.object({
  HOST: text('Address to listen on', '127.0.0.1').refine(
    (v) => v.trim() !== '',
    'expected an address such as 127.0.0.1',
  ),
  PORT: text('Port to listen on; 0 takes a free one', '8080')
    .refine((v) => /^\d{1,5}$/.test(v) && Number(v) <= 65535, 'expected a port number from 0 to 65535')
    .transform(Number),
  PUBLIC_URL: text('Base URL that clients use, such as https://his.example.org; it is written into the WSDL', '')
    .refine((v) => v === '' || isBaseUrl(v), 'expected an http or https URL without query')
    .refine(
      (v) => !/\.asmx\/?$/i.test(v),
      'expected the address without the path of the service, such as https://his.example.org',
    )
    .transform((v) => (v === '' ? undefined : v.replace(/\/+$/, ''))),
  ALLOWED_HOSTS: text(
    'Host names, comma-separated, that WSDL and pages are served for where PUBLIC_URL is not set',
    LOOPBACK_NAMES,
  )
    .transform((v) =>
      v
        .split(',')
        .map((name) => name.trim().toLowerCase())
        .filter((name) => name !== ''),
    )
    .refine((names) => names.every(hostName), 'expected host names without ports, separated by commas'),
  NAMESPACE: text('Target namespace of the contract', 'http://tempuri.org/').refine(
    isNamespace,
    'expected an absolute URI such as http://tempuri.org/',
  ),
  DATABASE_URL: text('`sqlite:` and a file, or `sqlite::memory:`', 'sqlite:./data/tpwebservices.db').transform(
    (v, context) => {
      const location = databaseLocation(v);
      if (location !== undefined) return location;
      context.addIssue({ code: 'custom', message: 'expected sqlite:FILE or sqlite::memory:' });
      return z.NEVER;
    },
  ),
  TIME_ZONE: text('IANA zone of centers that have none of their own, and of feedback', 'Asia/Kolkata').refine(
    isTimeZone,
    'expected an IANA time zone such as Asia/Kolkata',
  ),
  REFUSALS: text('How a refusal by the hospital’s rules is answered: `fault` or `result`', 'fault').pipe(
    z.enum(['fault', 'result'], 'expected fault or result'),
  ),
  LOG_LEVEL: text('`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`', 'info').pipe(
    z.enum(LOG_LEVELS, `expected one of ${LOG_LEVELS.join(', ')}`),
  ),
  DEMO_DATA: flag('`true` loads two centers and fifteen doctors into an empty database', 'false'),
  SERVICE_PAGE: flag(
    '`false` takes the service page and the pages of the operations away; WSDL and discovery stay',
    'true',
  ),
  TEST_FORM: flag('`false` takes the form that calls an operation off its page', 'true'),
  PHONE_REGION: text('Country of phone numbers written without a country code, two capitals', 'IN').refine(
    isPhoneRegion,
    'expected a country code such as IN',
  ),
  CONFIRM_BOOKINGS: flag('`false` books to status 1 Pending, to be confirmed by `type` 2', 'true'),
  SHOW_CONTACT_NUMBERS: flag(
    '`true` shows whole phone numbers in OPAppointmentdetail, else the last four digits',
    'false',
  ),
  APPOINTMENT_TYPES: text(
    'Numbers that callers use for `type`, such as `1=Reschedule,9=Cancel`; a number that is not listed is refused',
    MOVES.map(({ type, name }) => `${type}=${name}`).join(','),
  ).transform((v, context) => {
    const moves = movesOf(v);
    if (moves !== undefined) return moves;
    const names = MOVES.map(({ name }) => name).join(', ');
    context.addIssue({
      code: 'custom',
      message: `expected NUMBER=MOVE, separated by commas, each number once; moves are ${names}`,
    });
    return z.NEVER;
  }),
});

/** All mistakes of an environment at once, a line each. */
export class ConfigError extends Error {
  constructor(mistakes: readonly string[]) {
    super(
      `The configuration has ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}:\n${mistakes.map((m) => `  ${m}`).join('\n')}`,
    );
    this.name = 'ConfigError';
  }
}

/** Reads the settings; an empty variable counts as unset. Throws ConfigError with every mistake. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.keys(SETTINGS.shape).map((name) => [name, environment[name]?.trim() || undefined]),
  );
  const read = SETTINGS.safeParse(given);
  if (!read.success) {
    throw new ConfigError(
      read.error.issues.map(({ path, message }) => `${String(path[0])}=${given[String(path[0])]}: ${message}`),
    );
  }
  const s = read.data;
  return {
    host: s.HOST,
    port: s.PORT,
    publicUrl: s.PUBLIC_URL,
    allowedHosts: s.ALLOWED_HOSTS,
    namespace: s.NAMESPACE,
    database: s.DATABASE_URL,
    timeZone: s.TIME_ZONE,
    refusals: s.REFUSALS,
    logLevel: s.LOG_LEVEL,
    demoData: s.DEMO_DATA,
    phoneRegion: s.PHONE_REGION,
    confirmBookings: s.CONFIRM_BOOKINGS,
    showContactNumbers: s.SHOW_CONTACT_NUMBERS,
    moves: s.APPOINTMENT_TYPES,
    servicePage: s.SERVICE_PAGE,
    testForm: s.TEST_FORM,
  };
}
