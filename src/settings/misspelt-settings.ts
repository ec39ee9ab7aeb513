import leven from 'leven';
import { oneOf } from '../vocabulary/text.ts';

/** Shorter names resemble too many others, unless they have the same letters. */
const SHORTEST = 6;
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

/** The address of a service called `operations`, say, which is no port to listen on. Source: Kubernetes, "Environment variables". */
export const isServiceLink = (name: string, value: string): boolean =>
  OF_ORCHESTRATORS.test(name) && /^(?:tcp|udp|sctp):\/\//i.test(value);

/**
 * The setting that a variable was meant to be, or several, if its name is nearly that of the setting, or one begins like the other;
 * undefined for all other names, because the environment contains much that is not meant for the service. But a clients file under a name
 * that is never read would leave the service open. `settings`: the names that are read, including those that name a file with a secret.
 * A single word in lower case is anybody's, such as `namespace` of PM2; `allowed_hosts` can only be meant for the service.
 */
export function settingMeantBy(name: string, settings: readonly string[]): string | undefined {
  if (settings.includes(name) || OF_OTHERS.has(name)) return undefined;
  if (FORMER_FORMS.has(name)) return 'HTTP_FORMS';
  if (name.length < SHORTEST) return settings.find((setting) => lettersOf(setting) === lettersOf(name));
  const written = name.includes('_') ? name.toUpperCase() : name;
  const near = settings
    .filter(({ length }) => length >= SHORTEST)
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
