import { type ParseArgsConfig, type ParseArgsOptionDescriptor, parseArgs } from 'node:util';

/** As for commands: 1 means a run that failed. */
const WRONG_ARGUMENTS = 2;
const WHOLE_NUMBER = /^\d{1,15}$/;

/**
 * The arguments of a script, which a person calls as `command`. An option whose default is a whole number must be one. Ends the process
 * with 0 after --help, which prints the usage, and with 2 after a sentence about a mistake.
 */
export function readArguments<const Config extends ParseArgsConfig>(command: string, config: Config) {
  const given = process.argv.slice(2);
  if (given.includes('--help')) {
    process.stdout.write(`${usage(command, config)}\n`);
    process.exit(0);
  }
  const parsed = parsedOrRefused(command, config);
  for (const [name, { default: usual }] of Object.entries(config.options ?? {})) {
    const value = (parsed.values as Readonly<Record<string, unknown>>)[name];
    if (!WHOLE_NUMBER.test(String(usual)) || WHOLE_NUMBER.test(String(value))) continue;
    refuseArguments(command, `Option '--${name}' is '${value}'; expected a whole number`);
  }
  return parsed;
}

/** Ends the process with 2 after a sentence about a mistake in the arguments of a script. */
export function refuseArguments(command: string, mistake: string, help = '--help" lists the options'): never {
  process.stderr.write(`${mistake}; "${command} ${help}.\n`);
  process.exit(WRONG_ARGUMENTS);
}

function parsedOrRefused<const Config extends ParseArgsConfig>(command: string, config: Config) {
  try {
    return parseArgs(config);
  } catch (error) {
    const [mistake = ''] = (error as Error).message.split('. ');
    return refuseArguments(command, mistake);
  }
}

const usage = (command: string, { options = {}, allowPositionals = false }: ParseArgsConfig): string =>
  ['Usage:', command, ...Object.entries(options).map(described), ...(allowPositionals ? ['[FILE]'] : [])].join(' ');

function described([name, option]: readonly [string, ParseArgsOptionDescriptor]): string {
  if (option.type === 'boolean') return `[--${name}]`;
  if (option.multiple) return `[--${name} VALUE]…`;
  return `[--${name} ${option.default ?? 'VALUE'}]`;
}

/** Options that are numbers, by name, with their defaults. */
export function readNumbers<Name extends string>(command: string, defaults: Readonly<Record<Name, number>>) {
  const options = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, { type: 'string', default: String(value) } as const]),
  );
  const { values } = readArguments(command, { options });
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, Number(text)])) as Record<Name, number>;
}
