/** Debian packages that tests use, by their users. Packages of an interop client are listed with the client. */
export const DEBIAN_PACKAGES = {
  /** Programs that tests and checks call by name. */
  tools: ['libxml2-utils', 'curl', 'openssl'],
  postgres: ['postgresql', 'openssl'],
  pgbouncer: ['pgbouncer'],
  haproxy: ['haproxy'],
  alarms: ['prometheus'],
  faketime: ['libfaketime'],
  browser: ['chromium', 'fonts-dejavu-core'],
  packaging: ['nginx-light', 'systemd', 'openssl'],
  kannel: ['kannel'],
  perlSmpp: ['libnet-smpp-perl'],
  wine: ['wine64', 'openssl'],
} as const;
