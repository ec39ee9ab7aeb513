import { type ParseArgsConfig, type ParseArgsOptionDescriptor, parseArgs } from 'node:util';

/**
 * The arguments of a script, which a person calls as `command`. Ends the process with 0 after --help, which prints the usage, and with 2
 * after a sentence about a mistake.
 */
export function readArguments<const Config extends ParseArgsConfig>(command: string, config: Config) {
  const given = process.argv.slice(2);
  if (given.includes('--help')) {
    process.stdout.write(`${usage(command, config)}\n`);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    const [mistake] = (error as Error).message.split('. ');
    process.stderr.write(`${mistake}; "${command} --help" lists the options.\n`);
    process.exit(2);
  }
}

const usage = (command: string, { options = {}, allowPositionals = false }: ParseArgsConfig): string =>
  ['Usage:', command, ...Object.entries(options).map(described), ...(allowPositionals ? ['[FILE]'] : [])].join(' ');

function described([name, option]: readonly [string, ParseArgsOptionDescriptor]): string {
  if (option.type === 'boolean') return `[--${name}]`;
  if (option.multiple) return `[--${name} VALUE]…`;
  return `[--${name} ${option.default ?? 'VALUE'}]`;
}
