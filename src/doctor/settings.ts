import { chooseGateway } from '../messages/gateways/choose-gateway.ts';
import type { Config } from '../settings/config.ts';
import { RETENTION_SETTINGS } from '../settings/monitoring-settings.ts';
import { MINUTES_PER_DAY } from '../vocabulary/appointments.ts';
import { ipNetworks, isLoopback } from '../vocabulary/ip-address.ts';
import { type Context, errorText, type Finding, ok, warning, wrong } from './finding.ts';

/** Laws want a period for what is kept about people, or a decision that there is none. */
export function checkPeriods({ config: { retentionDays } }: Context): readonly Finding[] {
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

/** Addresses that are reserved for documentation. Source: RFC 5737 and 3849. */
const NOBODYS_ADDRESSES = ['192.0.2.1', '2001:db8::1'];

/** Whether anyone can pretend to be a proxy, and so claim any address and certificate, or PUBLIC_URL is that of a proxy that is not trusted. */
export function checkProxies({ config }: Context): readonly Finding[] {
  const { host, publicUrl, access } = config;
  const { trustedProxies } = access;
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
export const checkAddress = ({ config }: Context): readonly Finding[] => [addressFinding(config)];

function addressFinding({ host, publicUrl, allowedHosts, access: { trustedProxies } }: Config): Finding {
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

/** Whether text messages have somewhere to go. */
export async function checkDestination({ config }: Context): Promise<readonly Finding[]> {
  try {
    await chooseGateway(config.sms);
    return [destination(config)];
  } catch (error) {
    return [wrong('text messages', errorText(error))];
  }
}

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

/** How much one address may store in a day: feedback, which has the longest texts that are stored, of characters of 4 bytes. */
export function checkGrowth({ config, contract }: Context): readonly Finding[] {
  const { perMinute } = config.limits.rate;
  if (perMinute === 0) return [warning('growth', 'RATE_LIMIT=0: any caller can fill the disk; set a limit.')];
  const feedback = contract.operations.find(({ name }) => name === 'FB_Push_Details');
  const characters = feedback?.parameters.reduce((sum, { maxLength = 0 }) => sum + maxLength, 0) ?? 0;
  const gigabytes = Math.ceil((perMinute * MINUTES_PER_DAY * characters * 4) / 1e9);
  return [ok('growth', `at RATE_LIMIT=${perMinute}, one address can store up to ${gigabytes} GB of feedback a day`)];
}
