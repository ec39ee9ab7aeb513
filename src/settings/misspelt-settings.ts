import leven from 'leven';

/** A variable of the environment that is no setting, and the setting that it was meant to be. */
export interface MisspeltSetting {
  readonly name: string;
  readonly meant: string;
}

/** Shorter names are near to too many others. */
const SHORTEST = 6;
/** Letters, from which two may be wrong; one in a shorter name. */
const LONG = 8;

/**
 * Variables whose names are nearly those of settings. The environment holds much that is not for the service, so nothing else can be said of
 * the names in it; but a clients file under a name that nobody reads leaves the door open. `settings`: by name, whether
 * the setting may stand in a file, which `NAME_FILE` names.
 */
export function misspeltSettings(
  names: readonly string[],
  settings: ReadonlyMap<string, boolean>,
): readonly MisspeltSetting[] {
  const known = new Set([...settings].flatMap(([name, inFile]) => (inFile ? [name, `${name}_FILE`] : [name])));
  return names.flatMap((name) => {
    if (known.has(name) || name.length < SHORTEST) return [];
    const withoutFile = name.replace(/_FILE$/, '');
    const meant = known.has(withoutFile) ? withoutFile : [...known].find((setting) => isNear(name, setting));
    return meant === undefined ? [] : [{ name, meant }];
  });
}

function isNear(name: string, setting: string): boolean {
  if (setting.length < SHORTEST) return false;
  return leven(name.toUpperCase(), setting) <= (setting.length < LONG ? 1 : 2);
}
