import leven from 'leven';

/** Shorter names resemble too many others, unless they have the same letters. */
const SHORTEST = 6;
/** From this length on, two letters may be wrong; in a shorter name, only one. */
const LONG = 8;
/** More wrong letters than a misspelled name can have. */
const FAR = 3;
/** A name that begins with one of these words can only be meant for the service. */
const OUR_WORDS: ReadonlySet<string> = new Set(['SMS', 'TLS']);

/** Names that other programs use, but that look like ours. */
const OF_OTHERS: ReadonlySet<string> = new Set(['HTTP_PORT', 'HTTPS_PORT', 'LOGLEVEL']);

/** What HTTP_FORMS replaced. Ignored, they would leave a form open that an operator turned off. */
const FORMER_FORMS: ReadonlySet<string> = new Set(['HTTP_GET', 'HTTP_POST']);

/** What Docker's links and Kubernetes' services add to every environment: `SMS_PORT_80_TCP_ADDR`, `DATABASE_SERVICE_HOST`. */
const OF_ORCHESTRATORS = /_(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:ADDR|PORT|PROTO))?)?)$/;

/**
 * The setting that a variable was meant to be if its name is nearly that of the setting, or begins like it; undefined for all other names,
 * because the environment contains much that is not meant for the service. But a clients file under a name that is never read would leave
 * the service open. `settings`: the names that are read, including those that name a file with a secret.
 */
export function settingMeantBy(name: string, settings: readonly string[]): string | undefined {
  if (settings.includes(name) || OF_OTHERS.has(name)) return undefined;
  if (FORMER_FORMS.has(name)) return 'HTTP_FORMS';
  if (name.length < SHORTEST) return settings.find((setting) => lettersOf(setting) === lettersOf(name));
  const withoutFile = name.replace(/_FILE$/, '');
  if (settings.includes(withoutFile) && withoutFile.length >= SHORTEST) return withoutFile;
  return nearest(name, settings) ?? likeBeginning(name, settings);
}

const lettersOf = (name: string): string => [...name].sort().join('');

/** The setting that differs in the fewest letters, if these are few enough. */
function nearest(name: string, settings: readonly string[]): string | undefined {
  const near = settings
    .filter((setting) => setting.length >= SHORTEST)
    .map((setting) => ({ setting, letters: leven(name.toUpperCase(), setting, { maxDistance: FAR }) }))
    .filter(({ setting, letters }) => letters <= (setting.length < LONG ? 1 : 2));
  return near.sort((a, b) => a.letters - b.letters)[0]?.setting;
}

/** The setting that a name extends (`CLIENTS_FILE_PATH`), cuts short (`AUDIT_RETENTION`) or shares one of our words with (`SMS_PASS`). */
function likeBeginning(name: string, settings: readonly string[]): string | undefined {
  if (OF_ORCHESTRATORS.test(name)) return undefined;
  const longer = settings.filter((setting) => setting.length >= SHORTEST && name.startsWith(`${setting}_`));
  const shorter = settings.filter((setting) => name.includes('_') && setting.startsWith(`${name}_`));
  const [word = ''] = name.split('_', 1);
  const family = OUR_WORDS.has(word) ? settings.filter((setting) => setting.startsWith(`${word}_`)) : [];
  return longer.sort((a, b) => b.length - a.length)[0] ?? shorter[0] ?? closest(name, family);
}

/** The setting that shares the most leading letters with the name. */
const closest = (name: string, settings: readonly string[]): string | undefined =>
  settings.toSorted((a, b) => sharedLetters(name, b) - sharedLetters(name, a))[0];

function sharedLetters(a: string, b: string): number {
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared++;
  return shared;
}
