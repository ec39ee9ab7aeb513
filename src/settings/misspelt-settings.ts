import leven from 'leven';

/** An environment variable that is not a setting, and the setting that was meant. */
export interface MisspeltSetting {
  readonly name: string;
  readonly meant: string;
}

/** Shorter names resemble too many others. */
const SHORTEST = 6;
/** From this length on, two letters may be wrong; in a shorter name, only one. */
const LONG = 8;
/** More wrong letters than a misspelled name can have. */
const FAR = 3;
/** If this many settings share their first word, a name with that word can only be meant for the service. */
const FAMILY = 3;

/** First words of settings that any program may use: DATABASE_NAME and DATABASE_HOST often accompany a DATABASE_URL. */
const COMMON_WORDS: ReadonlySet<string> = new Set(['DATABASE']);

/** Names that other programs use, but that look like ours. */
const OF_OTHERS: ReadonlySet<string> = new Set(['HTTP_PORT', 'HTTPS_PORT', 'LOGLEVEL']);

/** What Docker's links and Kubernetes' services add to every environment: `SMS_PORT_80_TCP_ADDR`, `DATABASE_SERVICE_HOST`. */
const OF_ORCHESTRATORS = /_(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:ADDR|PORT|PROTO))?)?)$/;

/**
 * Variables whose names are nearly those of settings, or begin like them. The environment contains much that is not meant for the service,
 * so other names cannot be judged. But a clients file under a name that is never read would leave the service open. `settings`: by name,
 * whether the setting may be in a file, which `NAME_FILE` names.
 */
export function misspeltSettings(
  names: readonly string[],
  settings: ReadonlyMap<string, boolean>,
): readonly MisspeltSetting[] {
  const known = new Set([...settings].flatMap(([name, inFile]) => (inFile ? [name, `${name}_FILE`] : [name])));
  const families = familiesOf([...settings.keys()]);
  return names.flatMap((name) => {
    if (known.has(name) || name.length < SHORTEST || OF_OTHERS.has(name)) return [];
    const withoutFile = name.replace(/_FILE$/, '');
    const meant =
      known.has(withoutFile) && withoutFile.length >= SHORTEST
        ? withoutFile
        : (nearest(name, [...known]) ?? likeBeginning(name, [...known], families));
    return meant === undefined ? [] : [{ name, meant }];
  });
}

/** First words that are shared by so many settings that no other program's name begins with them. */
function familiesOf(names: readonly string[]): ReadonlySet<string> {
  const counted = Map.groupBy(names, firstWord);
  return new Set(
    [...counted].filter(([word, members]) => members.length >= FAMILY && !COMMON_WORDS.has(word)).map(([word]) => word),
  );
}

const firstWord = (name: string): string => name.split('_', 1)[0] ?? '';

/** The setting that differs in the fewest letters, if these are few enough. */
function nearest(name: string, settings: readonly string[]): string | undefined {
  const near = settings
    .filter((setting) => setting.length >= SHORTEST)
    .map((setting) => ({ setting, letters: leven(name.toUpperCase(), setting, { maxDistance: FAR }) }))
    .filter(({ setting, letters }) => letters <= (setting.length < LONG ? 1 : 2));
  return near.sort((a, b) => a.letters - b.letters)[0]?.setting;
}

/** The setting that a name extends (`CLIENTS_FILE_PATH`), cuts short (`AUDIT_RETENTION`) or shares a family with (`SMS_PASS`). */
function likeBeginning(name: string, settings: readonly string[], families: ReadonlySet<string>): string | undefined {
  if (OF_ORCHESTRATORS.test(name)) return undefined;
  const longer = settings.filter((setting) => setting.length >= SHORTEST && name.startsWith(`${setting}_`));
  const shorter = settings.filter((setting) => name.includes('_') && setting.startsWith(`${name}_`));
  const family = families.has(firstWord(name)) ? settings.filter((s) => firstWord(s) === firstWord(name)) : [];
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
