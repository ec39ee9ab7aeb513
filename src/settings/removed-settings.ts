/**
 * What to do instead of using a setting that no longer exists, by its name; CHANGELOG.md says the same. The service starts even if one is
 * still set.
 */
const INSTEAD: Readonly<Record<string, string>> = {
  SERVICE_PAGE: 'removed; PROTECT_METADATA=true hides the pages from strangers',
  TEST_FORM: 'removed; HTTP_POST=false removes the form',
  WS_SECURITY_SKEW_SECONDS: 'removed; clocks may differ by 5 minutes: synchronize the clock of the client',
  HEADERS_TIMEOUT_SECONDS: 'removed; headers must arrive within 10 seconds: a proxy in front may allow more',
  REQUEST_TIMEOUT_SECONDS: 'removed; a request must arrive within 15 seconds: a proxy in front may allow more',
  MAX_BODY_BYTES: 'removed; a body has at most 64 KiB',
  IDEMPOTENCY_HOURS: 'removed; an Idempotency-Key is valid for 24 hours',
  SMS_TRIES: 'removed; a message has 8 attempts',
  SMS_RETRY_SECONDS: 'removed; the first wait is up to 2 seconds, and each further one twice as long',
  SMS_LEASE_SECONDS: 'removed; a process loses the outbox after 30 seconds without a sign of life',
  SMS_WINDOW: 'removed; SMS_RATE now determines it',
  SMS_SMPP_SYSTEM_TYPE: 'removed; write system_type into the address of SMS_GATEWAY',
  SMS_LONG_MESSAGES: 'removed; write long_messages into the address of SMS_GATEWAY',
};

/** A variable that was a setting of an earlier version. */
export interface RemovedSetting {
  readonly name: string;
  /** One clause, for the person who set it. */
  readonly instead: string;
}

export const removedSettings = (names: readonly string[]): readonly RemovedSetting[] =>
  names.flatMap((name) => {
    const instead = INSTEAD[name];
    return instead === undefined ? [] : [{ name, instead }];
  });
