import { type DestinationStream, pino } from 'pino';

const TEXTS = [
  'correlationId',
  'operation',
  'transport',
  'method',
  /** ErrorCode of a refused or failed call. */
  'code',
  /** The limit that a message exceeded, the construct that made it malformed, or what the database said, in words. */
  'reason',
  /** Name of the parameter at fault, as in the contract; never its value. */
  'parameter',
  /** What a check is about. */
  'subject',
  'address',
  /** Where callers find the service. */
  'endpoint',
  'database',
  /** Of the service. */
  'version',
  'signal',
  /** Name of a client in the clients file, never a name that a caller sent. */
  'client',
  /** Name of a gateway, without secrets. */
  'gateway',
  /** A gateway's own id for a message. */
  'reference',
  /** For an upgrade of the database: the last step of its schema, before and after, and the one that begins. */
  'from',
  'to',
  'step',
  /** Of PostgreSQL, each with its role, program and process id. */
  'sessions',
] as const;

const NUMBERS = [
  'status',
  'resultCode',
  'milliseconds',
  'port',
  /** SMSID. */
  'messageId',
  /** Number of the attempt to send a message, from 1. */
  'attempt',
  'count',
] as const;

/**
 * The information that a log line may contain about an event. The list is closed on purpose: no field can contain a patient's name, a phone
 * number, a message text or a query string, so no line of the log can either.
 */
export type LogFields = { readonly [Name in (typeof TEXTS)[number]]?: string | undefined } & {
  readonly [Name in (typeof NUMBERS)[number]]?: number | undefined;
} & {
  /** An internal error. Its class, code and stack frames are written, its message only if that cannot contain request data. */
  readonly error?: unknown;
};

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

/** A structured logger, one JSON line per event, that cannot print personal data. */
export type Log = {
  /** Objects with other fields are refused by the compiler, those of any name (`Record<string, …>`), too. */
  readonly [L in LogLevel]: <F extends LogFields>(
    event: string,
    fields?: F & { readonly [Name in Exclude<keyof F, keyof LogFields>]: never },
  ) => void;
} & {
  /** Whether events of level `debug` are written. Where there are many, a caller can save the cost of their fields. */
  readonly writesDebug: boolean;
};

const FIELDS: ReadonlySet<string> = new Set([...TEXTS, ...NUMBERS]);

/** Names and codes of errors. SQLite builds its messages from table and column names; all other messages may quote what a caller sent. */
const HARMLESS_MESSAGES = new Set<unknown>(['ERR_SQLITE_ERROR', 'ConfigError', 'SetUpError']);

interface LoggedError {
  readonly class: string;
  readonly code?: string;
  /** SQLite's extended result code. */
  readonly errcode?: number;
  /** Name of the constraint of PostgreSQL that refused a row. */
  readonly constraint?: string;
  readonly message?: string;
  readonly frames: readonly string[];
  readonly cause?: LoggedError;
}

const isName = (value: unknown): value is string => typeof value === 'string' && /^[A-Za-z0-9_]{1,64}$/.test(value);

/** Class, code and stack frames of an error. Its message is omitted unless it is known to be harmless. */
export function loggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { class: typeof error, frames: [] };
  const { code, errcode, constraint } = error as { code?: unknown; errcode?: unknown; constraint?: unknown };
  return {
    class: error.name,
    ...(isName(code) ? { code } : {}),
    ...(isName(constraint) ? { constraint } : {}),
    ...(typeof errcode === 'number' ? { errcode } : {}),
    ...(HARMLESS_MESSAGES.has(error.name) || HARMLESS_MESSAGES.has(code) ? { message: error.message } : {}),
    frames: framesOf(error),
    ...(error.cause === undefined || depth > 2 ? {} : { cause: loggedError(error.cause, depth + 1) }),
  };
}

/** Lines of the message may look like frames, so everything before the frames is removed first. */
function framesOf({ stack = '', message }: Error): readonly string[] {
  const at = stack.indexOf(message);
  if (at === -1) return [];
  return stack
    .slice(at + message.length)
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 12)
    .map((line) => line.trim());
}

/** A log that writes to `destination`, by default standard output. */
export function createLog(level: LogLevel | 'silent', destination?: DestinationStream): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  const logger = pino(options, destination ?? pino.destination(1));
  const write =
    (at: LogLevel) =>
    (event: string, fields: LogFields = {}) => {
      if (!logger.isLevelEnabled(at)) return;
      // Copied field by field, so that a caller that the compiler did not check cannot add other fields.
      const line: Record<string, unknown> = {};
      for (const name of Object.keys(fields)) if (FIELDS.has(name)) line[name] = fields[name as keyof LogFields];
      if (fields.error !== undefined) line.error = loggedError(fields.error);
      logger[at](line, event);
    };
  return {
    error: write('error'),
    warn: write('warn'),
    info: write('info'),
    debug: write('debug'),
    writesDebug: logger.isLevelEnabled('debug'),
  };
}
