import { hostname } from 'node:os';
import leven from 'leven';
import { oneOf } from '../vocabulary/text.ts';

/** From this length on, two letters may be wrong; in a shorter name, only one. */
const LONG = 8;
/** A name that begins like this can only be meant for the service. */
const OUR_PREFIXES = ['SMS_', 'TLS_'];

/** Names that other programs use, but that look like ours. */
const OF_OTHERS: ReadonlySet<string> = new Set(['HTTP_PORT', 'HTTPS_PORT', 'LOGLEVEL']);

/** What HTTP_FORMS replaced. Ignored, they would leave a form open that an operator turned off. */
const FORMER_FORMS: ReadonlySet<string> = new Set(['HTTP_GET', 'HTTP_POST']);

/** What Docker's links and Kubernetes' services add to every environment: `SMS_PORT_80_TCP_ADDR`, `DATABASE_SERVICE_HOST`. */
const OF_ORCHESTRATORS = /_(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:ADDR|PORT|PROTO))?)?)$/;

/** A Kubernetes namespace, say, which is no URI. Source: RFC 1123, "labels". */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Whether another program wrote a value under the name of a setting, which is then not set: Kubernetes, for a service called `operations`;
 * a manifest, the namespace of its pod; tcsh, the machine's name in HOST, which would decide who can reach the service. Source:
 * Kubernetes, "Environment variables"; tcsh(1).
 */
export const isOfOthers = (name: string, value: string): boolean =>
  (OF_ORCHESTRATORS.test(name) && /^(?:tcp|udp|sctp):\/\//i.test(value)) ||
  (name === 'NAMESPACE' && LABEL.test(value)) ||
  (name === 'HOST' && value === hostname());

/**
 * The setting that a variable was meant to be, or several, if its name is nearly that of the setting, or one begins like the other;
 * undefined for all other names, because the environment contains much that is not meant for the service. But a clients file under a name
 * that is never read would leave the service open. `settings`: the names that are read, including those that name a file with a secret.
 * A single word is anybody's, such as `namespace` of PM2, unless it only mixes up the letters; `allowed_hosts` can only be meant for the
 * service.
 */
export function settingMeantBy(name: string, settings: readonly string[]): string | undefined {
  if (settings.includes(name) || OF_OTHERS.has(name)) return undefined;
  if (FORMER_FORMS.has(name)) return 'HTTP_FORMS';
  const mixedUp = settings.find((setting) => lettersOf(setting) === lettersOf(name));
  if (mixedUp !== undefined) return mixedUp;
  const written = name.includes('_') ? name.toUpperCase() : name;
  const near = settings
    .filter((setting) => setting.includes('_'))
    .map((setting) => ({ setting, letters: leven(written, setting) }))
    .sort((a, b) => a.letters - b.letters);
  const found =
    near.find(({ setting, letters }) => letters <= (setting.length < LONG ? 1 : 2)) ??
    near.find(({ setting }) => beginsLike(name, setting));
  if (found !== undefined) return found.setting;
  const prefix = OUR_PREFIXES.find((ours) => name.startsWith(ours) && !OF_ORCHESTRATORS.test(name));
  return prefix && oneOf(settings.filter((setting) => setting.startsWith(prefix)));
}

const lettersOf = (name: string): string => [...name].sort().join('');

/** Whether a name extends a setting (`CLIENTS_FILE_PATH`), or cuts it short (`AUDIT_RETENTION`, `SMS_PASS`). */
const beginsLike = (name: string, setting: string): boolean =>
  !OF_ORCHESTRATORS.test(name) && (name.startsWith(setting) || (name.includes('_') && setting.startsWith(name)));
