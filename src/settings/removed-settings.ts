/** What to do instead of a setting that no longer exists, by its name; CHANGELOG.md says the same. One that is still set stops nothing. */
const INSTEAD: Readonly<Record<string, string>> = {
  SERVICE_PAGE: 'removed; PROTECT_METADATA=true keeps the pages from strangers',
  TEST_FORM: 'removed; HTTP_POST=false takes the form away',
  WS_SECURITY_SKEW_SECONDS: 'removed; clocks may be 5 minutes apart: synchronise that of the client',
  HEADERS_TIMEOUT_SECONDS: 'removed; headers have 10 seconds: a proxy in front may have more patience',
  REQUEST_TIMEOUT_SECONDS: 'removed; a request has 15 seconds: a proxy in front may have more patience',
  MAX_BODY_BYTES: 'removed; a body has at most 64 KiB',
  IDEMPOTENCY_HOURS: 'removed; an Idempotency-Key stands for 24 hours',
  SMS_TRIES: 'removed; a message has 8 tries',
  SMS_RETRY_SECONDS: 'removed; the first wait is up to 2 seconds, and doubles',
  SMS_LEASE_SECONDS: 'removed; the outbox is lost after 30 seconds without a sign of life',
  SMS_WINDOW: 'removed; it follows SMS_RATE',
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
