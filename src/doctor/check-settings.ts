import type { Config } from '../settings/config.ts';
import { RETENTION_SETTINGS } from '../settings/monitoring-settings.ts';
import { ipNetworks, isLoopback } from '../vocabulary/ip-address.ts';
import { type Finding, ok, warning } from './finding.ts';

/** What the settings alone tell about an installation. */
export const settingFindings = (config: Config): readonly Finding[] => [
  ...checkRetention(config),
  checkAddress(config),
  ...openAccess(config),
  ...clearText(config),
  ...checkProxies(config),
  destination(config),
];

/** Laws want a period for what is kept about people, or a decision that there is none. */
function checkRetention({ retentionDays }: Config): readonly Finding[] {
  const findings = Object.entries(RETENTION_SETTINGS).flatMap(([kind, { name }]) =>
    retentionDays[kind as keyof typeof retentionDays] === undefined
      ? warning(
          'retention',
          `${name} is not set: ${FOREVER[kind as keyof typeof FOREVER]}; set a number of days, or never.`,
        )
      : [],
  );
  return findings.length > 0 ? findings : [ok('retention', 'Each kind of data has a period, or is never deleted.')];
}

const FOREVER: Readonly<Record<keyof Config['retentionDays'], string>> = {
  messages: 'texts and phone numbers of messages stay forever',
  appointments: 'names, phone numbers and visits of patients stay forever',
  feedback: 'inpatient numbers and comments stay forever',
  auditEvents: 'who saw and changed what stays forever, with addresses of callers',
};

/** Whether anyone may call. If there is a clients file, it says who may. */
function openAccess({ host, access: { clientsFile } }: Config): readonly Finding[] {
  if (clientsFile !== undefined) return [];
  if (isLoopback(host)) return [ok('access', 'for every program on this machine, and for whatever a proxy lets in')];
  return [
    warning('access', `Anyone who can reach ${host} can book and read; set CLIENTS_FILE: docs/operators/access.md.`),
  ];
}

/** There is no finding if nothing but this machine is called, or if a trusted proxy may provide TLS. */
function clearText({ host, access: { tls, trustedProxies } }: Config): readonly Finding[] {
  if (tls !== undefined || isLoopback(host) || trustedProxies.length > 0) return [];
  const text = 'Passwords and patients’ data cross the network in clear text; set TLS_CERT, or use a proxy with TLS.';
  return [warning('TLS', text)];
}

/** Addresses that are reserved for documentation. Source: RFC 5737 and 3849. */
const NOBODYS_ADDRESSES = ['192.0.2.1', '2001:db8::1'];

/** Whether anyone can pretend to be a proxy, and so claim any address and certificate, or PUBLIC_URL is that of a proxy that is not trusted. */
function checkProxies({ host, publicUrl, access: { trustedProxies } }: Config): readonly Finding[] {
  if (NOBODYS_ADDRESSES.some(ipNetworks(trustedProxies))) {
    const text = 'TRUSTED_PROXIES trusts every caller to say where it calls from; name only the proxies.';
    return [warning('proxies', text)];
  }
  const isBehindProxy = publicUrl !== undefined && isLoopback(host) && !isLoopback(new URL(publicUrl).hostname);
  if (!isBehindProxy || trustedProxies.length > 0) return [];
  const text = 'all callers count as this machine, which has no rate limit; set TRUSTED_PROXIES, such as to 127.0.0.1.';
  return [warning('proxies', `Behind the proxy of ${publicUrl}, ${text}`)];
}

/** Whether clients can use the address that they are given, and by which names they may call. */
function checkAddress({ host, publicUrl, allowedHosts, access: { trustedProxies } }: Config): Finding {
  const names = allowedHosts.filter((name) => !isLoopback(name));
  const accepted = ['by IP address', 'by names without a dot', ...names].join(', ');
  if (publicUrl !== undefined) {
    const { protocol, hostname } = new URL(publicUrl);
    if (protocol === 'http:' && !isLoopback(hostname)) {
      return warning('PUBLIC_URL', `${publicUrl}: patients' data crosses the network in clear text; use https.`);
    }
    return ok('PUBLIC_URL', `${publicUrl}; without a secret, callers reach the service ${accepted}`);
  }
  if (isLoopback(host) && trustedProxies.length === 0) {
    return ok('PUBLIC_URL', 'not set, and only this machine can reach the service; behind a proxy, set it.');
  }
  if (names.length > 0) return ok('PUBLIC_URL', `not set; without a secret, callers reach the service ${accepted}`);
  const text =
    'callers that prove no secret get 421 under a name with a dot, and other machines get no WSDL; set PUBLIC_URL.';
  return warning('PUBLIC_URL', `not set, and ALLOWED_HOSTS names only this machine: ${text}`);
}

/** Where text messages are sent. */
function destination({ sms: { gateway }, demoData }: Config): Finding {
  switch (gateway.kind) {
    case 'off':
      return warning('text messages', 'SMS_GATEWAY=off: they are queued and never sent.');
    case 'file':
      return (demoData ? ok : warning)(
        'text messages',
        `They are written to the file ${gateway.path} and reach no phone; set SMS_GATEWAY.`,
      );
    case 'http':
      return ok('text messages', `by HTTP, ${'preset' in gateway ? gateway.preset : gateway.template}`);
    case 'smpp':
      return ok('text messages', `by SMPP, ${gateway.host}, port ${gateway.port}`);
  }
}

const DEMO_TEXT =
  'The database contains it, although DEMO_DATA is off: docs/operators/importing.md says how to replace it.';

/** A hospital's database that a trial has used: callers could book its demo doctors. */
export const demoFindings = ({ demoData }: Config, isThere = false): readonly Finding[] =>
  isThere && !demoData ? [warning('demo data', DEMO_TEXT)] : [];
