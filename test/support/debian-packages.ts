/** Debian packages that tests use, by their users. Packages of an interop client are listed with the client. */
export const DEBIAN_PACKAGES = {
  /** Programs that tests and checks call by name. */
  tools: ['libxml2-utils', 'curl', 'openssl', 'zsh', 'fish'],
  postgres: ['postgresql', 'openssl'],
  pgbouncer: ['pgbouncer'],
  haproxy: ['haproxy'],
  patroni: ['patroni', 'python3-etcd', 'etcd-server', 'postgresql', 'haproxy'],
  alarms: ['prometheus'],
  /** What the runbook tells operators to run. */
  runbook: ['curl', 'sqlite3', 'iproute2'],
  faketime: ['libfaketime'],
  browser: ['chromium', 'firefox-esr', 'fonts-dejavu-core'],
  packaging: ['nginx-light', 'systemd', 'openssl'],
  kannel: ['kannel'],
  perlSmpp: ['libnet-smpp-perl'],
  wine: ['wine64', 'openssl'],
  /** What programs of the guides for clients need beyond the packages of the interop clients: https for Perl, TLS for gSOAP. */
  guides: ['liblwp-protocol-https-perl', 'libssl-dev', 'zlib1g-dev'],
} as const;
