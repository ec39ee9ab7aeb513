import { runCommand } from './run-command.ts';

const LIMIT = 900_000;

/** The names of those that are not installed. */
async function missing(packages: readonly string[]): Promise<string[]> {
  const states = await Promise.all(
    packages.map(async (name) => {
      const { output } = await runCommand(`dpkg-query -W -f '\${db:Status-Status}' ${name}`, '/', {}, LIMIT);
      return output === 'installed' ? [] : [name];
    }),
  );
  return states.flat();
}

/** Installs Debian packages that are missing. Resolves with those that are still missing, each with the reason. */
export async function installPackages(packages: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const wanted = await missing([...new Set(packages)]);
  const install = (names: readonly string[]) =>
    runCommand(
      `apt-get -o DPkg::Lock::Timeout=600 install -y -q --no-install-recommends ${names.join(' ')}`,
      '/',
      { DEBIAN_FRONTEND: 'noninteractive' },
      LIMIT,
    );
  if (wanted.length === 0) return new Map();
  const update = await runCommand('apt-get update -q', '/', {}, LIMIT);
  const all = await install(wanted);
  const failures = new Map<string, string>();
  if (all.code === 0) return failures;
  // One unavailable package prevents the installation of the others, so each is tried alone.
  for (const name of await missing(wanted)) {
    const { code, errors } = await install([name]);
    if (code !== 0) failures.set(name, (errors || update.errors).trim().split('\n').at(-1) ?? '');
  }
  return failures;
}
