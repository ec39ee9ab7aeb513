import leven from 'leven';
import { removedSettings } from './removed-settings.ts';

/** A variable of the environment that is no setting, and the setting that it was meant to be. */
export interface MisspeltSetting {
  readonly name: string;
  readonly meant: string;
}

/** Shorter names are near to too many others. */
const SHORTEST = 6;
/** Letters, from which two may be wrong; one in a shorter name. */
const LONG = 8;
/** Settings that share their first word, from which on a name with that word can only be meant for the service. */
const FAMILY = 4;

/** First words of settings that any program may use: DATABASE_NAME and DATABASE_HOST stand beside many a DATABASE_URL. */
const COMMON_WORDS: ReadonlySet<string> = new Set(['DATABASE']);

/** Names that other programs have, and that look like ours. */
const OF_OTHERS: ReadonlySet<string> = new Set(['HTTP_PORT', 'HTTPS_PORT', 'LOGLEVEL']);

/** What Docker's links and Kubernetes' services put into every environment: `SMS_PORT_80_TCP_ADDR`, `DATABASE_SERVICE_HOST`. */
const OF_ORCHESTRATORS = /_(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:ADDR|PORT|PROTO))?)?)$/;

/**
 * Variables whose names are nearly those of settings, or begin like them. The environment holds much that is not for the service, so nothing
 * else can be said of the names in it; but a clients file under a name that nobody reads leaves the door open. `settings`: by name, whether
 * the setting may stand in a file, which `NAME_FILE` names. A setting of an earlier version is none of these: it has its own advice.
 */
export function misspeltSettings(
  names: readonly string[],
  settings: ReadonlyMap<string, boolean>,
): readonly MisspeltSetting[] {
  const known = new Set([...settings].flatMap(([name, inFile]) => (inFile ? [name, `${name}_FILE`] : [name])));
  const families = familiesOf([...settings.keys()]);
  const removed = new Set(removedSettings(names).map(({ name }) => name));
  return names.flatMap((name) => {
    if (known.has(name) || name.length < SHORTEST || OF_OTHERS.has(name) || removed.has(name)) return [];
    const withoutFile = name.replace(/_FILE$/, '');
    const meant =
      known.has(withoutFile) && withoutFile.length >= SHORTEST
        ? withoutFile
        : (nearest(name, [...known]) ?? likeBeginning(name, [...known], families));
    return meant === undefined ? [] : [{ name, meant }];
  });
}

/** First words that so many settings share that no other program's name begins with them. */
function familiesOf(names: readonly string[]): ReadonlySet<string> {
  const counted = Map.groupBy(names, firstWord);
  return new Set(
    [...counted].filter(([word, members]) => members.length >= FAMILY && !COMMON_WORDS.has(word)).map(([word]) => word),
  );
}

const firstWord = (name: string): string => name.split('_', 1)[0] ?? '';

/** The setting that the fewest letters are missing to, if few enough are. */
function nearest(name: string, settings: readonly string[]): string | undefined {
  const near = settings
    .filter((setting) => setting.length >= SHORTEST)
    .map((setting) => ({ setting, letters: leven(name.toUpperCase(), setting) }))
    .filter(({ setting, letters }) => letters <= (setting.length < LONG ? 1 : 2));
  return near.sort((a, b) => a.letters - b.letters)[0]?.setting;
}

/** The setting that a name goes on from (`CLIENTS_FILE_PATH`), breaks off (`AUDIT_RETENTION`) or shares a family with (`SMS_PASS`). */
function likeBeginning(name: string, settings: readonly string[], families: ReadonlySet<string>): string | undefined {
  if (OF_ORCHESTRATORS.test(name)) return undefined;
  const longer = settings.filter((setting) => setting.length >= SHORTEST && name.startsWith(`${setting}_`));
  const shorter = settings.filter((setting) => name.includes('_') && setting.startsWith(`${name}_`));
  const family = families.has(firstWord(name)) ? settings.filter((s) => firstWord(s) === firstWord(name)) : [];
  return longer.sort((a, b) => b.length - a.length)[0] ?? shorter[0] ?? closest(name, family);
}

/** The setting that begins with the most letters of the name. */
const closest = (name: string, settings: readonly string[]): string | undefined =>
  settings.toSorted((a, b) => sharedLetters(name, b) - sharedLetters(name, a))[0];

function sharedLetters(a: string, b: string): number {
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared++;
  return shared;
}
